/** The oracle: what the service holds is compared with what Payrun says, in its ledger, its result and its exit. */
import { genesis, link } from '../../src/audit/chain.ts';
import { systemClock } from '../../src/base/clock.ts';
import { type RowWord, wordOf } from '../../src/domain/rows/row-states.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import {
  documentOf,
  leftovers,
  type Payment,
  type Ran,
  resultRows,
  type StoredRow,
  storedRows,
  type World,
} from './world.ts';

export const findingKinds = [
  'double',
  'lost',
  'hidden',
  'wrong file',
  'too many doubts',
  'exit',
  'crash',
  'stuck',
  'trail',
  'litter',
] as const;
export type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  readonly kind: FindingKind;
  readonly words: string;
}

/** docs/reference/exit-codes.md; of the signals only the end of a hanging run could come, and it is none of these. */
const documentedExits = [0, 1, 2, 20, 21, 22, 23, 24, 25, 26, 27];

export const folded = ({ tag }: Payment): string => (tag ?? '').toLowerCase();
const likeness = ({ merchantId, amount, reference }: Payment) => JSON.stringify([merchantId, amount, reference]);

/** Holds at every moment, also right after a death. */
export async function judgePayments(world: World): Promise<Finding[]> {
  const findings: Finding[] = [];
  const payments = await world.payments();
  for (const keyOf of [folded, likeness])
    for (const [key, { length }] of Map.groupBy(payments, keyOf))
      if (length > 1) findings.push({ kind: 'double', words: `${length} payments for ${key}` });
  return findings;
}

/** Right after a death, before anybody looked: only what was being sent came in doubt by it. */
export function judgeDeath(world: World): Finding[] {
  const sending = storedRows(world).filter(({ state }) => state === 'sending').length;
  const words = `${sending} rows came in doubt at concurrency ${world.concurrency}`;
  return sending > world.concurrency ? [{ kind: 'too many doubts', words }] : [];
}

/** Of any run that ended by itself. */
export function judgeEnd(ran: Ran): Finding[] {
  const findings: Finding[] = [];
  const told = `exit ${ran.exit ?? ran.signal}: ${ran.out.slice(0, 400)} ${ran.err.slice(0, 1200)}`;
  if (!documentedExits.includes(ran.exit ?? -1)) findings.push({ kind: 'exit', words: told });
  if (/^\s+at .+:\d+:\d+\)?$/m.test(ran.err)) findings.push({ kind: 'crash', words: told });
  return findings;
}

/** What each row is called, against what the service holds: no row lost, no doubt hidden, the result as the ledger. */
export async function judgeRows(world: World, ran: Ran): Promise<Finding[]> {
  const findings: Finding[] = [];
  const payments = await world.payments();
  const say = (kind: FindingKind, words: string) => findings.push({ kind, words });
  const stored = storedRows(world);
  const byKey = Map.groupBy(stored, ({ key }) => key);
  for (const { key } of world.rows)
    if (byKey.get(key)?.length !== 1)
      say('lost', `row ${key} stands ${byKey.get(key)?.length ?? 0} times in the ledger`);
  if (stored.length !== world.rows.length) say('lost', `${stored.length} rows in the ledger of ${world.rows.length}`);
  for (const row of stored) {
    const wanted = world.rows.find(({ key }) => key === row.key);
    const word = wordOf[row.state];
    const own = payments.filter((one) => folded(one) === row.tag || one.reference === wanted?.reference);
    for (const fault of rowFaults(row, word, own)) say('hidden', `row ${row.key} (${row.state}) ${fault}`);
    if (own.some(({ amount }) => amount !== wanted?.amount))
      say('double', `row ${row.key} has a payment of another amount`);
  }
  const document = documentOf(ran);
  // Where no result could be written the run says so, and an older one may lie there.
  if (document?.result != null) findings.push(...judgeResult(world, document.result, stored));
  return findings;
}

function rowFaults(row: StoredRow, word: RowWord, payments: readonly Payment[]): string[] {
  const ids = payments.map(({ id }) => String(id));
  const faults: string[] = [];
  if ((word === 'not sent' || word === 'unpaid') && ids.length > 0)
    faults.push(`is shown ${word}, and has ${ids.join()}`);
  if ((word === 'paid' || word === 'pending') && (ids.length !== 1 || ids[0] !== row.paymentId))
    faults.push(`is shown ${word} by ${row.paymentId}, and the service has ${ids.join() || 'nothing'}`);
  // A row that is just being sent has its reason in the result alone.
  if ((word === 'in doubt' || word === 'held') && row.state !== 'sending' && (row.reason ?? '') === '')
    faults.push('gives no reason for its doubt');
  return faults;
}

function judgeResult(world: World, path: string, stored: readonly StoredRow[]): Finding[] {
  const findings: Finding[] = [];
  const say = (words: string) => findings.push({ kind: 'wrong file', words });
  let rows: Record<string, string>[] | null;
  try {
    rows = resultRows(path);
  } catch (error) {
    return [{ kind: 'wrong file', words: `the result cannot be read: ${String(error)}` }];
  }
  if (rows === null) return [{ kind: 'wrong file', words: 'the result is named, and is not there' }];
  const keys = rows.map(({ row_id: key }) => key).join();
  if (keys !== world.rows.map(({ key }) => key).join()) say(`the result has the rows ${keys}`);
  for (const record of rows) {
    const row = stored.find(({ key }) => key === record.row_id);
    if (row === undefined) continue;
    const told = [record.payrun_status, record.payment_id, record.payrun_tag];
    const known = [wordOf[row.state], row.paymentId ?? '', row.tag];
    if (told.join() !== known.join()) say(`row ${row.key}: the result says ${told.join()}, the ledger ${known.join()}`);
    if (record.payrun_status === 'in doubt' && record.payrun_reason === '')
      say(`row ${row.key}: a doubt without a reason`);
  }
  return findings;
}

/** After the last run, which nothing disturbed: everything that can be finished is, and nothing is left lying. */
export async function judgeFinish(world: World, ran: Ran, listed: ReadonlySet<string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  const say = (kind: FindingKind, words: string) => findings.push({ kind, words });
  const told = `exit ${ran.exit}: ${ran.out.slice(0, 600)} ${ran.err.slice(0, 600)}`;
  if (![0, 21, 22, 23].includes(ran.exit ?? -1)) say('stuck', told);
  const stored = storedRows(world);
  for (const { key, state, tag } of stored) {
    if (wordOf[state] === 'not sent') say('stuck', `row ${key} is still not sent; ${told}`);
    if (wordOf[state] === 'in doubt' && listed.has(tag))
      say('stuck', `row ${key} is in doubt, though the service listed it before the last run`);
    if (state === 'sending') say('stuck', `row ${key} is still being sent`);
    if (wordOf[state] === 'paid twice') say('double', `row ${key} is shown as paid twice`);
  }
  for (const name of leftovers(world)) say('litter', `${name} was left behind`);
  findings.push(...(await judgeTrail(world)));
  return findings;
}

async function judgeTrail(world: World): Promise<Finding[]> {
  const ledger = openLedger(world.ledger, systemClock);
  try {
    let head = genesis;
    let entries = 0;
    for (const { seq, text, hash } of ledger.trail.eachTrail()) {
      entries += 1;
      head = link(head, text);
      if (seq !== entries || hash !== head) return [{ kind: 'trail', words: `entry ${seq} does not follow` }];
    }
    return [];
  } finally {
    await ledger.close();
  }
}
