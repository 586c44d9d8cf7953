/** The evidence of a batch in one file: an audit on any machine finds it whole, and finds each change in its place. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKey, publicLine, publicOf, sign, signatureText } from '../../src/approval/approval.ts';
import { entryText, genesis, link, readEntry, type TrailEntry } from '../../src/audit/chain.ts';
import type { AuditFinding } from '../../src/audit/findings.ts';
import { sha256 } from '../../src/base/digest.ts';
import { decisionsOf } from '../../src/cli/evidence/decisions.ts';
import { findingLine } from '../../src/messages/findings.ts';
import { type Entry, zip } from '../sheet/zip-builder.ts';
import { command, csvOf, documentOf, kenyanRows, newFolder, type Ran } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const approved = join(import.meta.dirname, '../golden/cases/approved-by-two');
const both = ['Kofi Boateng', 'Thandi Mokoena'];
const signed = { approved: both, signatures: 'checked' };

let folder = '';
let answered = '';
let pack = '';
let exported: Ran;
/** The same batch after a second plan, which had nothing left to send. */
let twice = '';
/** The same pack, made after the copy of the earlier sheet was lost. */
let lost = '';
/** Its payments left without a plan, and the approved one that came after had nothing left to send. */
let unplanned = '';
/** Two of three payments were refused, and were sent again under a plan that somebody else approved. */
let retried = '';
let toldOfRetry = { plans: [''], audit: '', status: '', rows: [''], later: [''] };
let retriedPolicy: readonly string[] = [];
const policy = ['--policy', 'payrun.policy.json'];

/** A folder with that case's sheet, keys and policy, and a ledger of its own. */
function approvers() {
  const own = newFolder();
  cpSync(approved, own, { recursive: true });
  const [XDG_STATE_HOME, XDG_DATA_HOME] = [join(own, 'state'), join(own, 'data')];
  // Of the keys of that case.
  const PAYRUN_PASSPHRASE = 'a passphrase of the golden cases';
  const desk = { folder: own, env: { XDG_STATE_HOME, XDG_DATA_HOME, PAYRUN_PASSPHRASE } };
  const run = async (...argv: string[]) => await command(desk, [...argv, '--sandbox']);
  /** The sheet under another name, planned and approved in the batch, and run. */
  const runPlanned = async (sheet: string, ...asked: string[]) => {
    if (sheet !== 'sheet') cpSync(join(own, 'sheet.csv'), join(own, `${sheet}.csv`));
    await run('plan', `${sheet}.csv`, '--batch', '2026-11', ...asked, '--maker', 'Ama Mensah');
    for (const name of ['Kofi Boateng', 'Thandi Mokoena'])
      await command(desk, ['approve', `${sheet}.plan.json`, '--key', `${name}.key`]);
    const order = ['run', `${sheet}.csv`, '--batch', '2026-11', ...asked];
    expect(await run(...order)).toMatchObject({ exit: 0, err: '' });
  };
  const exportTo = async (name: string) => {
    const ran = await run('audit', 'export', '2026-11', '--out', name);
    expect([ran.exit, ran.err]).toEqual([0, '']);
    return { ran, path: join(own, name) };
  };
  return { own, run, runPlanned, exportTo };
}

/** A batch that two people approved, and its pack. */
beforeAll(async () => {
  const { own, run, runPlanned, exportTo } = approvers();
  folder = own;
  await runPlanned('sheet', '--confirm-repeat', 'The bank asked');
  ({ ran: exported, path: pack } = await exportTo('pack.zip'));
  await exportTo('again.zip');
  await runPlanned('other');
  ({ path: twice } = await exportTo('twice.zip'));
  const kept = readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((name) => /sheets\/[^/]*$/.test(name));
  const sent = readFileSync(join(own, 'sheet.plan.json'));
  const plan = kept.find((name) => name.endsWith('.plan.json') && readFileSync(join(own, name)).equals(sent));
  rmSync(join(own, plan!.replace(/\.plan\.json$/, '')));
  expect((await run('audit', 'export', '2026-11', '--out', 'lost.zip')).exit).toBe(27);
  lost = join(own, 'lost.zip');
});

beforeAll(async () => {
  const { own, run, runPlanned, exportTo } = approvers();
  // Before there was a policy.
  rmSync(join(own, 'payrun.policy.json'));
  expect((await run('run', 'sheet.csv', '--batch', '2026-11')).exit).toBe(0);
  cpSync(join(approved, 'payrun.policy.json'), join(own, 'payrun.policy.json'));
  await runPlanned('other');
  ({ path: unplanned } = await exportTo('unplanned.zip'));
});

beforeAll(async () => {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(3));
  const run = async (...argv: string[]) => await command(desk, argv);
  const people = { 'Kofi Boateng': makeKey(), 'Thandi Mokoena': makeKey() };
  const approvers = Object.entries(people).map(([name, key]) => ({ name, keys: [publicLine(publicOf(name, key))] }));
  retriedPolicy = ['--policy', join(desk.folder, 'payrun.policy.json')];
  writeFileSync(retriedPolicy[1]!, JSON.stringify({ version: 1, approvers, currencies: [], otherwise: 1 }));
  const planned = async (approver: keyof typeof people, ...more: string[]) => {
    const made = await run('plan', desk.sheet, '--batch', 'nov', '--maker', 'Ama Mensah', '--json', ...more);
    expect([made.exit, made.err]).toEqual([0, '']);
    const { plan, plan_digest: digest } = documentOf(made) as { plan: string; plan_digest: string };
    const signature = sign(people[approver], {
      purpose: 'approve plan',
      digest,
      approver,
      at: new Date().toISOString(),
    });
    writeFileSync(plan.replace(/json$/, `${approver}.sig.json`), signatureText(signature));
    return digest;
  };
  let refusals = 2;
  service.fault = ({ route }) =>
    route === 'POST /payments' && refusals-- > 0
      ? { kind: 'answer', status: 422, body: { message: 'not today' } }
      : undefined;
  const first = await planned('Kofi Boateng');
  expect((await run('run', desk.sheet, '--batch', 'nov', '--wait', '5s', '--approve', first)).exit).toBe(21);
  const second = await planned('Thandi Mokoena', '--retry');
  const again = await run('run', desk.sheet, '--batch', 'nov', '--wait', '5s', '--json', '--approve', second);
  expect([again.exit, again.err]).toEqual([0, '']);
  toldOfRetry = {
    plans: [first, second],
    audit: (await run('audit', 'verify', '--json')).out,
    status: (await run('status', 'nov')).out,
    rows: await Promise.all(['k1', 'k2', 'k3'].map(async (key) => (await run('explain', 'nov', key)).out)),
    later: [],
  };
  retried = join(desk.folder, 'nov.evidence.zip');
  const { exit, err } = await run('audit', 'export', 'nov');
  expect([exit, err]).toEqual([0, '']);
  // One more row comes later, with a plan of its own.
  writeFileSync(desk.sheet, csvOf(kenyanRows(4)));
  const third = await planned('Kofi Boateng', '--add');
  expect((await run('run', desk.sheet, '--batch', 'nov', '--add', '--wait', '5s', '--approve', third)).exit).toBe(0);
  const later = await Promise.all(['k1', 'k2', 'k3', 'k4'].map(async (key) => (await run('explain', 'nov', key)).out));
  toldOfRetry = { ...toldOfRetry, plans: [first, second, third], later };
});

/** A file of payments whose sums moved, and a payee whose account changed: with reasons that people gave. */
beforeAll(async () => {
  const desk = deskFor(await newService(), []);
  const run = async (...argv: string[]) => await command(desk, argv);
  const file = (name: string, text: string) => writeFileSync(join(desk.folder, name), text);
  const sample = readFileSync(join(import.meta.dirname, '../corpus/payments/minimal.xml'), 'utf8');
  file('october.xml', sample);
  expect((await run('run', 'october.xml', '--batch', 'oct', '--series', 'pay')).exit).toBe(0);
  file('november.xml', sample.replace('001321676', '10004291601').replace('SAL-0001', 'SAL-0002'));
  const more = ['--batch', 'nov', '--series', 'pay', '--confirm-variance', 'A <b>new</b> supplier'];
  const held = await run('run', 'november.xml', ...more, '--confirm-repeat', 'Rent is the same each month');
  expect([held.exit, held.out]).toEqual([22, expect.stringContaining('release nov --row')]);
  const key = /release nov --row (\S+)/.exec(held.out)?.[1] ?? '';
  expect((await run('release', 'nov', '--row', key, '--by', 'Kofi', '--reason', 'Called "her" & asked')).exit).toBe(23);
  expect((await run('resume', 'nov')).exit).toBe(0);
  answered = join(desk.folder, 'nov.evidence.zip');
  expect((await run('audit', 'export', 'nov')).exit).toBe(0);
  expect((await run('audit', 'export', 'nov', '--out', 'again.zip')).exit).toBe(0);
  expect(readFileSync(join(desk.folder, 'again.zip')).equals(readFileSync(answered))).toBe(true);
});

/** On another machine: no ledger, and nothing but the pack. */
async function verify(bytes: Uint8Array, ...more: string[]) {
  const elsewhere = newFolder();
  mkdirSync(join(elsewhere, 'state'));
  writeFileSync(join(elsewhere, 'pack.zip'), bytes);
  cpSync(join(approved, 'payrun.policy.json'), join(elsewhere, 'payrun.policy.json'));
  const desk = { folder: elsewhere, env: { XDG_STATE_HOME: join(elsewhere, 'state') } };
  const { exit, out, err } = await command(desk, ['audit', 'verify', 'pack.zip', '--json', ...more]);
  const document = JSON.parse(out === '' ? err : out) as {
    findings: AuditFinding[];
    sheets: object[];
    sha256: string;
    plan: string;
  };
  return { exit, ...document, places: (document.findings ?? []).map(({ where }) => where.file?.replace(/.*\//, '')) };
}

/** The parts of a pack as its archive stores them: none is packed. */
function partsOf(bytes: Buffer): Map<string, Buffer> {
  const parts = new Map<string, Buffer>();
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const [size, name] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26)];
    parts.set(bytes.toString('utf8', at + 30, at + 30 + name), bytes.subarray(at + 30 + name, at + 30 + name + size));
    at += 30 + name + size;
  }
  return parts;
}

/** With a file changed, and the manifest made to fit, as whoever changes evidence would. */
function forged(name: string, change: (text: string) => string, of = pack): Buffer {
  const parts = partsOf(readFileSync(of));
  const before = parts.get(name)!;
  const after = Buffer.from(change(before.toString('utf8')));
  expect(after.equals(before), name).toBe(false);
  return refitted(parts.set(name, after));
}

/** A whole archive of these parts, with the manifest made to fit. */
function refitted(parts: Map<string, Buffer>, changes: object = {}): Buffer {
  const manifest = JSON.parse(parts.get('manifest.json')!.toString('utf8')) as object;
  const files = Array.from(parts, ([name, content]) => ({ name, bytes: content.length, sha256: sha256(content) }));
  const fits = { ...manifest, ...changes, files: files.filter(({ name }) => name !== 'manifest.json') };
  return repacked(parts.set('manifest.json', Buffer.from(`${JSON.stringify(fits, null, 2)}\n`)));
}

function _without(name: string) {
  return (data: TrailEntry['data']) => Object.fromEntries(Object.entries(data).filter(([key]) => key !== name));
}

/** With what the trail's entries of a kind hold changed, and its chain and the manifest made to fit. */
function retold(
  parts: Map<string, Buffer>,
  what: string,
  change: (data: TrailEntry['data']) => TrailEntry['data'],
  version = 2,
): Buffer {
  let head = genesis;
  const lines = parts.get('trail.jsonl')!.toString().trimEnd().split('\n');
  const told = lines.map((line) => {
    const { seq, text } = JSON.parse(line) as { seq: number; text: string };
    const { data, ...entry } = readEntry(text);
    const again = entryText({ ...entry, data: entry.what === what ? change(data) : data });
    head = link(head, again);
    return `${JSON.stringify({ seq, text: again, hash: head })}\n`;
  });
  parts.set('trail.jsonl', Buffer.from(told.join('')));
  return refitted(parts, { version, trail: { entries: lines.length, head } });
}

/** As the product's writer makes them: names as UTF-8, the first day that an archive knows. */
function repacked(parts: ReadonlyMap<string, Uint8Array>): Buffer {
  const bytes = zip(Array.from(parts, ([name, content]): Entry => ({ name, content, stored: true, flags: 0x0800 })));
  const end = bytes.length - 22;
  const directoryAt = bytes.readUInt32LE(end + 16);
  for (let at = 0; at < directoryAt; at += 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt32LE(at + 18)) {
    bytes.writeUInt16LE(20, at + 4);
    bytes.writeUInt16LE(0x0021, at + 12);
  }
  for (let at = directoryAt; at < end; at += 46 + bytes.readUInt16LE(at + 28)) {
    bytes.writeUInt16LE(20, at + 6);
    bytes.writeUInt16LE(0x0021, at + 14);
  }
  return bytes;
}

describe('an evidence pack', () => {
  it('lists each entry with a reason of a person, and none of Payrun alone', () => {
    const entries: readonly (readonly [what: string, data: object, why: string | null])[] = [
      ['paused', { by: 'Ama', reason: 'Ask the bank' }, 'Ask the bank'],
      ['paused', { by: 'Payrun', reason: { fault: 'command-stopped' } }, null],
      ['pause ended', { by: 'Ama', reason: 'It agreed' }, 'It agreed'],
      ['note', { said: 'deposit known', why: 'Called them' }, 'Called them'],
      ['note', { said: 'closed' }, null],
      ['move', { from: 'withheld', to: 'ready', said: 'not a repeat', by: 'Kofi', why: 'It is owed' }, 'It is owed'],
      ['move', { from: 'ready', to: 'withheld', reason: [] }, null],
      ['person', { by: 'Ama', did: 'retry-asked', reason: 'Fixed', rows: null, batch: 'nov' }, 'Fixed'],
      ['person', { by: 'Ama', did: 'resumed', batch: 'nov' }, null],
      ['variance', { confirmed: 'A bonus' }, 'A bonus'],
      ['rebind', { by: 'Ama', reason: 'A new key' }, 'A new key'],
      ['stop', { code: 'PLAN_DECLINED', reason: 'No' }, null],
    ];
    const lines = entries.map(([what, data], nth) => ({
      seq: nth + 1,
      text: JSON.stringify([nth, 'nov', null, what, data]),
      hash: '',
    }));
    const expected = entries.flatMap(([what, data, why], at) => (why === null ? [] : [{ at, what, data, why }]));
    expect(decisionsOf(lines, 'nov')).toMatchObject(expected);
    expect(decisionsOf(lines, 'nov')).toHaveLength(expected.length);
    expect(decisionsOf(lines, 'dec')).toEqual([]);
  });

  it('is whole on another machine, by its digest the one that was made, and twice the same', async () => {
    expect([exported.exit, exported.err]).toEqual([0, '']);
    const bytes = readFileSync(pack);
    expect(readFileSync(join(folder, 'again.zip')).equals(bytes)).toBe(true);
    const { exit, findings, sheets, sha256: digest, plan } = await verify(bytes, ...policy);
    expect([exit, findings]).toEqual([0, []]);
    expect(digest).toBe(sha256(bytes));
    expect(exported.out).toContain(`The file's SHA-256: ${digest}\n`);
    expect(exported.out).toMatch(/^ {2}paid: \d+ rows?, \d{1,3}(,\d{3})+ [A-Z]{3}$/m);
    expect(exported.out).toContain(`Plan: sha256:${plan}`);
    const sheet = { sheet: 'sheet.csv', file: 'sheet.csv', sent: true, plan, plan_file: 'plan.json', approved: both };
    expect(sheets).toMatchObject([{ ...sheet, signatures: 'checked' }]);
    expect((await verify(bytes)).sheets).toMatchObject([{ ...sheet, signatures: 'not-checked' }]);
    const parts = partsOf(bytes);
    expect(repacked(parts).equals(bytes), 'the test packs as the product does').toBe(true);
    expect([...parts.keys()]).toEqual([
      'manifest.json',
      'sheet.csv',
      'plan.json',
      'approvals.json',
      'rows.jsonl',
      'totals.json',
      'documents.json',
      'decisions.json',
      'result.csv',
      'trail.jsonl',
      'how-to-check.html',
    ]);
    expect(parts.get('sheet.csv')!.equals(readFileSync(join(folder, 'sheet.csv')))).toBe(true);
    expect(parts.get('rows.jsonl')!.toString(), 'no account number').not.toMatch(/"accountNumber"|10004291601/);
  });

  it('is not whole with any byte of it flipped, and says in which file', async () => {
    const bytes = readFileSync(pack);
    for (const [name, content] of partsOf(bytes)) {
      const changed = Buffer.from(bytes);
      changed[content.byteOffset - bytes.byteOffset + Math.floor(content.length / 2)]! ^= 1;
      const { exit, places } = await verify(changed);
      expect([exit, places], name).toEqual([27, expect.arrayContaining([name])]);
    }
    // What stands around the files: headers, names, times, the directory and its end.
    const content = new Set(Array.from(partsOf(bytes).values(), (part) => part.byteOffset - bytes.byteOffset));
    const around: number[] = [];
    for (let at = 0; at < bytes.length; at += 1) {
      const part = content.has(at)
        ? [...partsOf(bytes).values()].find((one) => one.byteOffset - bytes.byteOffset === at)!
        : null;
      if (part !== null) at += Math.max(part.length - 1, 0);
      else around.push(at);
    }
    for (const at of around.filter((_, nth) => nth % 53 === 0)) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 4;
      expect((await verify(changed)).exit, `byte ${at}`).toBe(27);
    }
  });

  it('has the sheet and the signed plan under which its payments left, also where a later one had nothing to send', async () => {
    const { exit, findings, sheets } = await verify(readFileSync(twice), ...policy);
    expect([exit, findings]).toEqual([0, []]);
    expect(sheets).toMatchObject([
      { sheet: 'sheet.csv', file: 'sheet-1.csv', sent: true, plan_file: 'plan-1.json', ...signed },
      { sheet: 'other.csv', file: 'sheet.csv', sent: false, plan_file: 'plan.json', ...signed },
    ]);
    const [once, later] = [partsOf(readFileSync(pack)), partsOf(readFileSync(twice))];
    for (const [name, earlier] of [
      ['sheet.csv', 'sheet-1.csv'],
      ['plan.json', 'plan-1.json'],
      ['approvals.json', 'approvals-1.json'],
    ] as const)
      expect(later.get(earlier)?.toString(), earlier).toBe(once.get(name)!.toString());
    expect(later.get('plan.json')!.equals(once.get('plan.json')!)).toBe(false);
    const repeat = { what: 'sheet', by: 'Ama Mensah', why: 'The bank asked' };
    expect(JSON.parse(later.get('decisions.json')!.toString())).toMatchObject([repeat]);
  });

  it('has the plan of an earlier sheet whose own copy was lost', async () => {
    expect(await verify(readFileSync(lost), ...policy)).toMatchObject({ exit: 27, places: ['sheet-1.csv'] });
    const [less, whole] = [partsOf(readFileSync(lost)), partsOf(readFileSync(twice))];
    expect(less.get('plan-1.json')).toEqual(whole.get('plan-1.json'));
  });

  it('says of payments that left without a plan that nobody approved them, whoever approved a later plan', async () => {
    const { exit, findings, sheets } = await verify(readFileSync(unplanned), ...policy);
    expect([exit, findings]).toEqual([0, []]);
    expect(sheets).toMatchObject([
      { sheet: 'sheet.csv', file: 'sheet-1.csv', sent: true, plan: null, approved: [], signatures: null },
      { sheet: 'other.csv', file: 'sheet.csv', sent: false, ...signed },
    ]);
    const parts = partsOf(readFileSync(unplanned));
    parts.set('plan-1.json', parts.get('plan.json')!).set('approvals-1.json', parts.get('approvals.json')!);
    expect(await verify(refitted(parts), ...policy)).toMatchObject({
      exit: 27,
      places: ['plan-1.json', 'approvals-1.json'],
    });
  });

  const edited = (change: (text: string) => string) => change;
  it.each([
    ['plan-1.json', edited((text) => text.replace('2026-11', '2026-12'))],
    ['plan-1.json', () => '{"lie":1}\n'],
    ['approvals-1.json', edited((text) => text.replaceAll('Kofi Boateng', 'Thandi Mokoena'))],
    ['approvals-1.json', edited((text) => text.replace(/"signature": "./, '"signature": "_'))],
    ['approvals-1.json', edited((text) => text.replace('Ama Mensah', 'Somebody Else'))],
    ['approvals-1.json', edited((text) => text.replace('"expires_at": "20', '"expires_at": "21'))],
    ['approvals-1.json', () => '{"lie":'],
    ['sheet-1.csv', () => 'a,b\n1,2\n'],
    ['sheet.csv', edited((text) => `${text}\n`)],
    ['approvals.json', edited((text) => text.replace('Ama Mensah', 'Somebody Else'))],
  ])('is not whole with a forged %s of one of two sheets, though the manifest fits (%#)', async (name, change) => {
    const { exit, places } = await verify(forged(name, change, twice), ...policy);
    expect([exit, places]).toEqual([27, expect.arrayContaining([name])]);
  });

  it('is not whole with any file of it taken out, nor with one put in, though the manifest fits', async () => {
    for (const name of partsOf(readFileSync(twice)).keys()) {
      if (name === 'manifest.json') continue;
      const parts = partsOf(readFileSync(twice));
      parts.delete(name);
      const { exit, places } = await verify(refitted(parts), ...policy);
      expect([exit, places], name).toEqual([27, expect.arrayContaining([name])]);
    }
    const parts = partsOf(readFileSync(twice));
    for (const name of ['sheet-1.csv', 'plan-1.json', 'approvals-1.json']) parts.delete(name);
    const thinned = await verify(refitted(parts), ...policy);
    expect([thinned.exit, thinned.places]).toEqual([27, ['sheet-1.csv', 'plan-1.json', 'approvals-1.json']]);
    expect(thinned.sheets[0]).toMatchObject({ sent: true, plan_file: null, approved: both, signatures: 'missing' });
    for (const name of ['more.txt', 'plan-7.json', 'approvals-7.json', 'sheet-7.csv']) {
      const more = partsOf(readFileSync(twice)).set(name, Buffer.from('{"lie":1}\n'));
      expect(await verify(refitted(more), ...policy), name).toMatchObject({ exit: 27, places: [name] });
    }
    const answer = partsOf(readFileSync(answered));
    answer.delete('answer.xml');
    expect(await verify(refitted(answer))).toMatchObject({ exit: 27, places: ['answer.xml'] });
  });

  it('says under which plan unpaid rows were sent again, and who approved that', async () => {
    const { exit, findings, sheets } = await verify(readFileSync(retried), ...retriedPolicy);
    expect([exit, findings]).toEqual([0, []]);
    const sent = { sheet: 'november.csv', sent: true, signatures: 'checked' };
    expect(sheets).toMatchObject([
      { ...sent, plan_file: 'plan-1.json', approved: ['Kofi Boateng'] },
      { ...sent, plan_file: 'plan.json', approved: ['Thandi Mokoena'] },
    ]);
    const parts = partsOf(readFileSync(retried));
    expect(parts.get('plan-1.json')!.equals(parts.get('plan.json')!)).toBe(false);
  });

  it('an audit, the status and each row say it too', () => {
    const [first, second] = toldOfRetry.plans;
    const at = expect.stringMatching(/^\d{4}-\S+Z$/) as string;
    const nov = { batch: 'nov', approved_at: [at] };
    expect((JSON.parse(toldOfRetry.audit) as { plans: object[] }).plans).toEqual([
      { ...nov, plan: first!.slice(7), rows: 3, approved: ['Kofi Boateng'] },
      { ...nov, plan: second!.slice(7), rows: 2, approved: ['Thandi Mokoena'] },
    ]);
    expect(toldOfRetry.status).toMatch(new RegExp(`^  Runs under plan ${second},`, 'm'));
    const ran = (under: string | undefined, now: string | undefined) =>
      new RegExp(`^  Ran under plan ${under}, .*\n.* plan ${now},`, 'm');
    const which = (rows: readonly string[], pattern: RegExp) => rows.map((row) => pattern.test(row));
    expect(which(toldOfRetry.rows, ran(first, second))).toEqual([false, false, true]);
    // Also once a later sheet has come with another plan.
    const third = toldOfRetry.plans[2];
    expect(which(toldOfRetry.later, ran(second, third))).toEqual([true, true, false, false]);
    expect(which(toldOfRetry.later, ran(first, third))).toEqual([false, false, true, false]);
    expect(toldOfRetry.later[3]).toMatch(new RegExp(`^  Runs under plan ${third},`, 'm'));
  });

  it.each([
    ['plan.json', edited((text) => text.replace('2026', '2027'))],
    ['plan.json', () => partsOf(readFileSync(retried)).get('plan-1.json')!.toString()],
    ['approvals.json', () => partsOf(readFileSync(retried)).get('approvals-1.json')!.toString()],
    ['approvals.json', edited((text) => text.replaceAll('Thandi Mokoena', 'Kofi Boateng'))],
    ['approvals.json', edited((text) => text.replace(/"signature": "./, '"signature": "_'))],
    ['approvals.json', edited((text) => text.replace(/"approvals": \[[^\]]*\]/, '"approvals": []'))],
  ])('is not whole with a forged %s of rows that were sent again (%#)', async (name, change) => {
    const { exit, places } = await verify(forged(name, change, retried), ...retriedPolicy);
    expect([exit, places]).toEqual([27, expect.arrayContaining([name])]);
  });

  it.each<[what: string, change: (data: TrailEntry['data']) => TrailEntry['data'], files: readonly string[]]>([
    ['approval', (data) => ({ ...data, signature: '_' }), ['approvals.json']],
    ['approval', (data) => ({ ...data, approver: 'Somebody Else' }), ['approvals.json']],
    ['plan', (data) => ({ ...data, plan: '0'.repeat(64) }), ['plan.json', 'approvals.json']],
    ['plan', (data) => ({ ...data, maker: 'Somebody Else' }), ['approvals.json']],
  ])('is not whole where the trail has another %s, though the chain fits (%#)', async (what, change, files) => {
    const { exit, places } = await verify(retold(partsOf(readFileSync(retried)), what, change), ...retriedPolicy);
    expect([exit, places]).toEqual([27, expect.arrayContaining([...files])]);
  });

  it('is not whole without the plan of rows that were sent again', async () => {
    const parts = partsOf(readFileSync(retried));
    for (const name of ['plan.json', 'approvals.json']) {
      const less = new Map(parts);
      less.delete(name);
      expect(await verify(refitted(less), ...retriedPolicy), name).toMatchObject({ exit: 27, places: [name] });
    }
  });

  it.each([
    ['trail.jsonl', (text: string) => text.replace('succeeded', 'in_doubt'), ['trail.jsonl']],
    ['trail.jsonl', (text: string) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1), ['trail.jsonl']],
    ['rows.jsonl', (text: string) => text.replace('"state":"succeeded"', '"state":"refused"'), ['rows.jsonl']],
    ['rows.jsonl', (text: string) => text.replace(/"amount":(\d+)/, '"amount":1$1'), ['rows.jsonl']],
    ['rows.jsonl', (text: string) => text.slice(text.indexOf('\n') + 1), ['rows.jsonl']],
    ['totals.json', (text: string) => text.replace('"amount": "', '"amount": "1'), ['totals.json']],
    ['result.csv', (text: string) => text.replace(',paid,', ',unpaid,'), ['result.csv']],
    ['plan.json', (text: string) => text.replace('2026-11', '2026-12'), ['plan.json']],
    ['approvals.json', (text: string) => text.replaceAll('Kofi Boateng', 'Thandi Mokoena'), ['approvals.json']],
    ['approvals.json', (text: string) => text.replace(/"signature": "./, '"signature": "_'), ['approvals.json']],
  ])('is not whole with a forged %s, though the manifest fits (%#)', async (name, change, places) => {
    const { exit, places: found, findings } = await verify(forged(name, change), ...policy);
    expect(exit).toBe(27);
    for (const place of places)
      expect(
        found.includes(place) || findings.some(({ where }) => where.entry !== undefined),
        JSON.stringify(findings),
      ).toBe(true);
  });

  it('has the reasons that people gave on its page, and the answer to a file of payments', async () => {
    expect(await verify(readFileSync(answered))).toMatchObject({ exit: 0, findings: [] });
    const parts = partsOf(readFileSync(answered));
    const page = parts.get('how-to-check.html')!.toString();
    for (const words of [
      'A &lt;b&gt;new&lt;/b&gt; supplier',
      'Kofi',
      'Called &quot;her&quot; &amp; asked',
      'Rent is the same',
    ])
      expect(page).toContain(words);
    expect(parts.get('answer.xml')!.toString()).toMatch(/<OrgnlEndToEndId>.*<TxSts>ACSC<\/TxSts>/);
  });

  it.each([
    ['decisions.json', (text: string) => text.replace('Kofi', 'Thandi')],
    ['decisions.json', () => '[]\n'],
    ['answer.xml', (text: string) => text.replace('ACSC</TxSts>', 'RJCT</TxSts>')],
    ['answer.xml', (text: string) => text.replace(/<TxInfAndSts>.*<\/TxInfAndSts>/, '')],
  ])('is not whole with a forged %s, though the manifest fits, beside the trail (%#)', async (name, change) => {
    const { exit, places } = await verify(forged(name, change, answered));
    expect([exit, places]).toEqual([27, expect.arrayContaining([name])]);
  });

  it('is refused with a file more, less, renamed or twice, with names that climb, and as a bomb', async () => {
    const parts = partsOf(readFileSync(pack));
    const withName = (from: string, to: string) =>
      new Map(Array.from(parts, ([name, content]) => [name === from ? to : name, content]));
    const less = new Map(parts);
    less.delete('documents.json');
    const entries = Array.from(parts, ([name, content]): Entry => ({ name, content, stored: true }));
    const inFile = (code: string, file: string, found?: string) => ({
      code,
      where: { file: expect.stringMatching(new RegExp(`(^|/)${file}$`)) },
      ...(found === undefined ? {} : { found }),
    });
    const inPack = (code: string, found?: string) => inFile(code, 'pack\\.zip', found);
    const cases: readonly (readonly [string, Buffer, object])[] = [
      ['more', repacked(new Map([...parts, ['more.txt', Buffer.from('x')]])), inFile('unexpected', 'more.txt')],
      ['less', repacked(less), inFile('missing', 'documents.json')],
      ['renamed', repacked(withName('totals.json', 'sums.json')), inFile('missing', 'totals.json')],
      ['climbing', repacked(withName('totals.json', '../totals.json')), inPack('unreadable')],
      ['in a folder', repacked(withName('totals.json', 'a/totals.json')), inPack('unexpected', 'a/totals.json')],
      ['twice', zip([...entries, entries[1]!]), inPack('unreadable')],
      ['no manifest', repacked(withName('manifest.json', 'manifesto.json')), inFile('missing', 'manifest.json')],
      ['a bomb', zip([...entries, { name: 'bomb.txt', content: Buffer.alloc(4 * 1024 * 1024) }]), inPack('unreadable')],
      ['no archive', Buffer.from('nothing'), inPack('unreadable')],
    ];
    for (const [what, bytes, finding] of cases) {
      const { exit, findings } = await verify(bytes);
      expect(exit, what).toBe(27);
      expect(findings, what).toContainEqual(expect.objectContaining(finding));
      expect(findings.map(findingLine).join('\n'), what).not.toMatch(/workbook|Excel/i);
    }
  });
});
