/** The words of reasons why a ledger cannot be used, or is damaged. */
import type { FaultFacts } from '../../base/faults/fault.ts';
import { shellWord } from '../../base/words.ts';
import { atTerminal, type FaultWords } from '../audience.ts';
import { findingLine } from '../findings.ts';
import { counted } from '../format/numbers.ts';
import { typed } from '../format/program.ts';
import { timeWords } from '../format/times.ts';

export const ledgerFaults = {
  'held-by-unknown': '',
  'held-by-process': ({ process, since }) => ` (process ${process}, since ${timeWords(since)})`,
  'held-by-name': ({ name, since }) => ` (${name}, since ${timeWords(since)})`,
  'held-by-program': ({ why }) => `, or another program does (${why})`,
  'ledger-was-copied': ({ to }) => `it was copied to the ledger ${to}. Use that ledger`,
  'ledger-is-unfinished-copy': ({ of, command }) =>
    `it is an unfinished copy of the ledger ${of}: ask for the copy again, which finishes it (${command})`,
  'ledger-is-of-other-program': 'it is the database of another program',
  'ledger-is-on-network': ({ fileSystem }, to) =>
    `it lies on a network file system (${fileSystem}), where a lock cannot keep a second run away${atTerminal(to, '; name a file on a disk of this machine with --ledger or PAYRUN_LEDGER')}`,
  'ledger-lacks-room': ({ freeMegabytes, neededMegabytes }, to) =>
    `its disk has ${freeMegabytes} MB free, and a run may need ${neededMegabytes} MB; make room${atTerminal(to, ', or name another with --ledger')}`,
  'console-is-open': ({ holder }) =>
    `a console is open on it${holder}, and the copy would lack what people do there: end the console first`,
  'worker-sends-from-it': ({ worker }) => `worker ${worker} sends from it: end its workers first`,
  'copied-table-differs': ({ table, from }) =>
    `its table ${table} differs from what was written; the ledger ${from} is unchanged`,
  'files-cannot-be-copied': ({ why }) => `its files cannot be copied: ${why}`,
  'server-is-too-old': ({ version, oldest }) =>
    `its server is PostgreSQL ${version}, and Payrun needs ${oldest} or newer`,
  'server-is-standby': 'its server is a standby, where nothing can be written; name the primary',
  'database-is-not-utf8': ({ encoding }) => `its database is kept in ${encoding}; make one in UTF8`,
  'server-may-lose-data': ({ setting }) =>
    `a power cut could damage the ledger, or lose what was paid: set ${setting} to on there`,
  'password-is-missing':
    'its server asks for a password, and none was given: set PGPASSWORD, or PGPASSWORD_FILE to a file that holds it',
  'connection-has-ended': 'the connection to its database has ended',
  'schema-is-missing': ({ schema }) => `its database has no schema ${schema} yet`,
  'schema-is-of-other-program': ({ schema }) => `the schema ${schema} holds tables of another program`,
  'address-is-no-postgres': 'write an address such as postgres://user@host/database',
  'address-has-other-setting': ({ setting, settings }) =>
    `it has the setting ${setting}, and only ${settings.join(', ')} are allowed`,
  'schema-name-is-invalid': ({ schema }) => `its schema '${schema}' is not a name of small letters and digits`,
  'file-is-damaged': ({ path, why }) => `${path}: ${why}`,
  'row-was-changed': ({ row, batch }) => `row ${row} of batch ${batch} was changed outside Payrun`,
  'audit-has-findings': ({ ledger, findings, first }, to) =>
    `${to === 'page' ? 'the audit' : typed(`audit verify --ledger ${shellWord(ledger)}`)} finds ${counted(findings, 'fault')} in the ledger ${ledger}; the first is ${findingLine(first).trim()}`,
} satisfies Partial<FaultWords<FaultFacts>>;
