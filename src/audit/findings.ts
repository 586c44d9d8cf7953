/** Collects the findings of an audit: counts all of them, and keeps the first 1,000. */
import type { AuditFinding, FindingCode, FindingPlace, FindingSubject } from '../base/faults/audit-finding.ts';

export type { AuditFinding, FindingPlace, FindingSubject };

type About = readonly [where: FindingPlace, code: FindingCode, what: FindingSubject];

export interface FindingList {
  readonly list: readonly AuditFinding[];
  readonly total: number;
  add(...finding: readonly [...About, expected?: unknown, found?: unknown]): void;
  /** Adds a finding unless `found` is one of the possible values. */
  compare(...finding: readonly [...About, possible: readonly unknown[], found: unknown]): void;
  /** Returns `compare` for one place and the code `unlike-trail`. */
  unlikeTrail(where: FindingPlace): (what: FindingSubject, possible: readonly unknown[], found: unknown) => void;
}

const maxFindings = 1000;

export function collectFindings(): FindingList {
  const list: AuditFinding[] = [];
  let total = 0;
  const record: FindingList['compare'] = (where, code, what, possible, found) => {
    total += 1;
    const expected = possible.filter((value) => value !== undefined).map(shown);
    if (list.length < maxFindings)
      list.push({ where, code, what, expected, ...(found === undefined ? {} : { found: shown(found) }) });
  };
  const compare: FindingList['compare'] = (where, code, what, possible, found) => {
    if (!possible.includes(found)) record(where, code, what, possible, found);
  };
  return {
    list,
    get total() {
      return total;
    },
    add: (where, code, what, expected, found) => record(where, code, what, [expected], found),
    compare,
    unlikeTrail: (where) => (what, possible, found) => compare(where, 'unlike-trail', what, possible, found),
  };
}

const shown = (value: unknown): string | null =>
  value === null || typeof value === 'string' ? value : (JSON.stringify(value) ?? null);
