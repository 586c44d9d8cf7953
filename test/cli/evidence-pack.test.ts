/** The evidence of a batch in one file: whole anywhere, the same twice, and whatever is changed in it is found where it is. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../src/audit/findings.ts';
import { sha256 } from '../../src/base/digest.ts';
import { type Entry, zip } from '../sheet/zip-builder.ts';
import { command, deskFor, newFolder, newService, type Ran } from '../support.ts';

vi.mock('../../src/sheet/reader.ts', () => import('../sheet/here.ts'));

const approved = join(import.meta.dirname, '../golden/cases/approved-by-two');
let folder = '';
let answered = '';
let pack = '';
let exported: Ran;
/** The same batch after a second plan, which had nothing left to send. */
let twice = '';
const policy = ['--policy', 'payrun.policy.json'];

/** A batch that two people approved, and its pack. */
beforeAll(async () => {
  folder = newFolder();
  cpSync(approved, folder, { recursive: true });
  const [XDG_STATE_HOME, XDG_DATA_HOME] = [join(folder, 'state'), join(folder, 'data')];
  // Of the keys of that case.
  const PAYRUN_PASSPHRASE = 'a passphrase of the golden cases';
  const desk = { folder, env: { XDG_STATE_HOME, XDG_DATA_HOME, PAYRUN_PASSPHRASE } };
  const run = async (...argv: string[]) => await command(desk, argv);
  const asked = ['--batch', '2026-11', '--confirm-repeat', 'The bank asked'];
  await run('plan', 'sheet.csv', '--sandbox', ...asked, '--maker', 'Ama Mensah');
  for (const name of ['Kofi Boateng', 'Thandi Mokoena'])
    await run('approve', 'sheet.plan.json', '--key', `${name}.key`);
  expect(await run('run', 'sheet.csv', '--sandbox', ...asked, '--require-approval')).toMatchObject({
    exit: 0,
    err: '',
  });
  exported = await run('audit', 'export', '2026-11', '--sandbox');
  pack = join(folder, '2026-11.evidence.zip');
  expect((await run('audit', 'export', '2026-11', '--sandbox', '--out', 'again.zip')).exit).toBe(0);
  cpSync(join(folder, 'sheet.csv'), join(folder, 'other.csv'));
  await run('plan', 'other.csv', '--sandbox', '--batch', '2026-11', '--maker', 'Ama Mensah');
  for (const name of ['Kofi Boateng', 'Thandi Mokoena'])
    await run('approve', 'other.plan.json', '--key', `${name}.key`);
  expect(await run('run', 'other.csv', '--sandbox', '--require-approval')).toMatchObject({ exit: 0, err: '' });
  expect((await run('audit', 'export', '2026-11', '--sandbox', '--out', 'twice.zip')).exit).toBe(0);
  twice = join(folder, 'twice.zip');
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
    findings: Finding[];
    signatures: string;
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
  parts.set(name, after);
  const manifest = parts.get('manifest.json')!.toString('utf8');
  const fits = manifest
    .replace(sha256(before), sha256(after))
    .replace(`"bytes": ${before.length},`, `"bytes": ${after.length},`);
  parts.set('manifest.json', Buffer.from(fits));
  return repacked(parts);
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
  it('is whole on another machine, by its digest the one that was made, and twice the same', async () => {
    expect([exported.exit, exported.err]).toEqual([0, '']);
    const bytes = readFileSync(pack);
    expect(readFileSync(join(folder, 'again.zip')).equals(bytes)).toBe(true);
    const { exit, findings, signatures, sha256: digest, plan } = await verify(bytes, ...policy);
    expect([exit, findings]).toEqual([0, []]);
    expect(digest).toBe(sha256(bytes));
    expect(exported.out).toContain(`The file's SHA-256: ${digest}\n`);
    expect(exported.out).toMatch(/^ {2}paid: \d+ rows?, \d{1,3}(,\d{3})+ [A-Z]{3}$/m);
    expect(exported.out).toContain(`Plan: sha256:${plan}`);
    expect(signatures).toMatch(/^Approved by 'Kofi Boateng' and 'Thandi Mokoena'; their signatures were checked/);
    expect((await verify(bytes)).signatures).toMatch(/were not checked against keys/);
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
    for (const at of around.filter((_, nth) => nth % 17 === 0)) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 4;
      expect((await verify(changed)).exit, `byte ${at}`).toBe(27);
    }
  });

  it('has the sheet and the signed plan under which its payments left, also where a later one had nothing to send', async () => {
    const { exit, findings, signatures } = await verify(readFileSync(twice), ...policy);
    expect([exit, findings]).toEqual([0, []]);
    expect(signatures).toMatch(/their signatures were checked.*\n.*plan-1\.json.*Kofi Boateng.*were checked/s);
    const [first, both] = [partsOf(readFileSync(pack)), partsOf(readFileSync(twice))];
    for (const [name, earlier] of [
      ['sheet.csv', 'sheet-1.csv'],
      ['plan.json', 'plan-1.json'],
      ['approvals.json', 'approvals-1.json'],
    ] as const)
      expect(both.get(earlier)?.toString(), earlier).toBe(first.get(name)!.toString());
    expect(both.get('plan.json')!.equals(first.get('plan.json')!)).toBe(false);
    const repeat = { what: 'pays again what looks paid', by: 'Ama Mensah', why: 'The bank asked' };
    expect(JSON.parse(both.get('decisions.json')!.toString())).toMatchObject([repeat]);
  });

  it.each([
    ['plan-1.json', (text: string) => text.replace('2026-11', '2026-12')],
    ['approvals-1.json', (text: string) => text.replaceAll('Kofi Boateng', 'Thandi Mokoena')],
    ['approvals-1.json', (text: string) => text.replace(/"signature": "./, '"signature": "_')],
  ])('is not whole with a forged %s of before, though the manifest fits (%#)', async (name, change) => {
    const { exit, places } = await verify(forged(name, change, twice), ...policy);
    expect([exit, places]).toEqual([27, expect.arrayContaining([name])]);
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
    ['how-to-check.html', (text: string) => text.replace('Kofi', 'Thandi')],
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
    const cases: readonly (readonly [string, Buffer, RegExp])[] = [
      ['more', repacked(new Map([...parts, ['more.txt', Buffer.from('x')]])), /does not name/],
      ['less', repacked(less), /missing/],
      ['renamed', repacked(withName('totals.json', 'sums.json')), /missing/],
      ['climbing', repacked(withName('totals.json', '../totals.json')), /points outside/],
      ['in a folder', repacked(withName('totals.json', 'a/totals.json')), /no pack has/],
      ['twice', zip([...entries, entries[1]!]), /twice/],
      ['no manifest', repacked(withName('manifest.json', 'manifesto.json')), /no manifest/],
      ['a bomb', zip([...entries, { name: 'bomb.txt', content: Buffer.alloc(4 * 1024 * 1024) }]), /unpacks to/],
      ['no archive', Buffer.from('nothing'), /directory is missing/],
    ];
    for (const [what, bytes, words] of cases) {
      const { exit, findings } = await verify(bytes);
      expect(exit, what).toBe(27);
      expect(findings.map(({ message }) => message).join('\n'), what).toMatch(words);
      expect(findings.map(({ message }) => message).join('\n'), what).not.toMatch(/workbook|Excel/i);
    }
  });
});
