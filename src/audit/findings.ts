/** Collects the findings of an audit: counts all of them, and keeps the first 1,000. */
import type { AuditFinding, FindingCode, FindingPlace } from '../base/faults/audit-finding.ts';

export type { AuditFinding, FindingPlace };

export interface FindingList {
  readonly list: readonly AuditFinding[];
  readonly total: number;
  add(where: FindingPlace, code: FindingCode, what: string, expected?: unknown, found?: unknown): void;
  /** Adds a finding unless `found` is one of the possible values. */
  compare(where: FindingPlace, code: FindingCode, what: string, possible: readonly unknown[], found: unknown): void;
}

const maxFindings = 1000;

export function collectFindings(): FindingList {
  const list: AuditFinding[] = [];
  let total = 0;
  const add: FindingList['add'] = (where, code, what, expected, found) => {
    total += 1;
    if (list.length < maxFindings) list.push({ where, code, what, expected: shown(expected), found: shown(found) });
  };
  return {
    list,
    get total() {
      return total;
    },
    add,
    compare(where, code, what, possible, found) {
      if (possible.includes(found)) return;
      add(where, code, what, possible.map(shown).join(' or ') || undefined, found);
    },
  };
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  if (value === null) return 'nothing';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? null);
}
