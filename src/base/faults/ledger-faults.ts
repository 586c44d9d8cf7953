/** Why a ledger cannot be used, or is damaged, and who holds a lock. */
import type { Action, Each } from '../words.ts';
import type { AuditFinding } from './audit-finding.ts';

export interface LedgerFaults
  extends Each<
      | 'held-by-unknown ledger-is-of-other-program server-is-standby password-is-missing connection-has-ended'
      | 'address-is-no-postgres',
      object
    >,
    Each<'schema-is-missing schema-is-of-other-program schema-name-is-invalid', { schema: string }> {
  'held-by-process': { process: number; since: number };
  'held-by-name': { name: string; since: number };
  'held-by-program': { why: { readonly fault: string } };
  'ledger-was-copied': { to: string };
  'ledger-is-unfinished-copy': { of: string; command: Action };
  'ledger-is-on-network': { fileSystem: string };
  'ledger-lacks-room': { freeMegabytes: number; neededMegabytes: number };
  'console-is-open': { holder: { readonly fault: string } };
  'worker-sends-from-it': { worker: string };
  'copied-table-differs': { table: string; from: string };
  'files-cannot-be-copied': { why: { readonly fault: string } };
  'server-is-too-old': { version: number; oldest: number };
  'database-is-not-utf8': { encoding: string };
  'server-may-lose-data': { setting: string };
  'address-has-other-setting': { setting: string; settings: readonly string[] };
  'file-is-damaged': { path: string; why: { readonly fault: string } };
  'row-was-changed': { row: string; batch: string };
  'audit-has-findings': { ledger: string; findings: number; first: AuditFinding };
}
