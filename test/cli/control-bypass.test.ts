/** How two controls would be got around together, or one by what another leaves behind; and what stops it. */
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/digest.ts';
import { dayStart, hourMs, inJohannesburg } from '../../src/domain/calendar/johannesburg.ts';
import { openArchive } from '../../src/sheet/sheet.ts';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  kenyanRows,
  pay,
  refusalOf,
  type SheetRow,
  southAfrican,
} from '../support.ts';
import { deskFor, newService, type OwnTime } from './own-time.ts';

const configured = (desk: Desk, settings: object) =>
  writeFileSync(join(desk.folder, 'payrun.config.json'), JSON.stringify(settings));

/** Until the next Saturday at ten in Johannesburg, by a desk's clock and its service's. */
function waitForSaturday({ clock }: { readonly clock: OwnTime }): void {
  const start = dayStart(clock.now());
  const ahead = ((12 - inJohannesburg(start).getUTCDay()) % 7) + 1;
  clock.pass(start + ahead * 24 * hourMs + 10 * hourMs - clock.now());
}

const resume = async (desk: Desk, ...more: string[]) =>
  documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '0', ...more]));

describe('a row that its rail does not take on a Saturday', () => {
  it('goes by no other command, name, file or spelling of its amount before Monday', async () => {
    const service = await newService();
    const big = { ...southAfrican, amount: '250001', documents: 'a.pdf' };
    const desk = deskFor(service, [big, ...kenyanRows(1)]);
    writeFileSync(join(desk.folder, 'a.pdf'), '%PDF-1.4\n%%EOF\n');
    configured(desk, { rails: 'hold' });
    waitForSaturday(desk);
    const run = async (...more: string[]) => (await pay(desk, '--batch', 'nov', ...more)).document;
    expect(await run()).toMatchObject({ exit: 23, sent: 1, stopped: { code: 'RAIL_SHUT' } });
    const held = { sent: 0, rows: { not_sent: 1 }, stopped: { code: 'RAIL_SHUT' } };
    expect(await resume(desk)).toMatchObject(held);
    expect(await run()).toMatchObject(held);
    writeFileSync(desk.sheet, csvOf([{ ...big, amount: 'R250 001.00' }, ...kenyanRows(1)]));
    expect(await run()).toMatchObject(held);
    expect(documentOf(await command(desk, ['retry', 'nov', '--json', '--wait', '0']))).toMatchObject(held);
    desk.clock.pass(24 * hourMs);
    expect(await resume(desk), 'on Sunday').toMatchObject(held);
    expect(service.payments).toHaveLength(1);
    desk.clock.pass(23 * hourMs);
    expect(await resume(desk), 'on Monday').toMatchObject({ sent: 1, stopped: null });
  });
});

describe('sending that stopped by itself', () => {
  const windowed = { payWindow: { open: '08:00-16:00' }, breaker: { refusals: 3 } };

  it('is not begun again by a run outside the pay window; in it, the refusals are counted anew', async () => {
    const service = await newService();
    service.fault = ({ route }) =>
      route === 'POST /payments'
        ? { kind: 'answer', status: 422, body: { message: 'the limit is reached' } }
        : undefined;
    const desk = deskFor(service, kenyanRows(8));
    configured(desk, windowed);
    waitForSaturday(desk);
    const first = (await pay(desk, '--batch', 'nov', '--concurrency', '1')).document;
    expect(first).toMatchObject({ exit: 25, rows: { unpaid: 3 }, stopped: { code: 'REFUSED_IN_A_ROW' } });
    desk.clock.pass(7 * hourMs);
    for (const ran of [await resume(desk), (await pay(desk, '--batch', 'nov')).document])
      expect(ran).toMatchObject({ rows: { unpaid: 3, not_sent: 5 }, stopped: { code: 'OUTSIDE_PAY_WINDOW' } });
    const retried = documentOf(await command(desk, ['retry', 'nov', '--json', '--wait', '0']));
    expect(retried).toMatchObject({ sent: 0, stopped: { code: 'OUTSIDE_PAY_WINDOW' } });
    expect(service.calls.get('POST /payments')).toBe(3);
    desk.clock.pass(16 * hourMs);
    expect(await resume(desk, '--concurrency', '1')).toMatchObject({ exit: 25, stopped: { code: 'REFUSED_IN_A_ROW' } });
    expect(service.calls.get('POST /payments')).toBe(6);
  });

  it('tries no row to see whether the service is well again once the window has closed', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(8));
    configured(desk, windowed);
    waitForSaturday(desk);
    desk.clock.pass(5.5 * hourMs);
    service.fault = ({ route, nth }) => {
      if (route !== 'POST /payments' || nth < 2) return;
      if (nth === 4) desk.clock.pass(hourMs);
      return { kind: 'answer', status: 502, after: false };
    };
    const ran = (await pay(desk, '--batch', 'nov', '--concurrency', '1')).document;
    expect([ran.exit, ran.rows.in_doubt, service.calls.get('POST /payments')]).toEqual([22, 3, 4]);
  });
});

/** The parts of a pack, as anybody who has the file reads them. */
async function partOf(path: string, name: string): Promise<string> {
  const handle = await open(path);
  try {
    const archive = openArchive(handle, (await handle.stat()).size);
    const chunks: Buffer[] = [];
    for await (const chunk of archive.read(archive.parts.get(name)!)) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    await handle.close();
  }
}

describe('a signature that stands in the trail and in the evidence pack', () => {
  it('lets no other plan be paid, whatever is written around it', async () => {
    const service = await newService();
    const env = { PAYRUN_PASSPHRASE: 'a passphrase of the golden cases' };
    const desk = deskFor(service, kenyanRows(1), env);
    const golden = join(import.meta.dirname, '../golden/cases/approved-by-two');
    for (const file of ['payrun.policy.json', 'Kofi Boateng.key', 'Thandi Mokoena.key'])
      copyFileSync(join(golden, file), join(desk.folder, file));
    const plan = async (batch: string) =>
      documentOf(await command(desk, ['plan', desk.sheet, '--batch', batch, '--maker', 'Ama Mensah', '--json']));
    const run = async (...more: string[]) => await command(desk, ['run', desk.sheet, '--json', '--wait', '0', ...more]);
    const first = await plan('nov');
    for (const name of ['Kofi Boateng', 'Thandi Mokoena'])
      expect((await command(desk, ['approve', first.plan!, '--key', join(desk.folder, `${name}.key`)])).exit).toBe(0);
    expect((await run()).exit).toBe(23);

    const pack = join(desk.folder, 'pack.zip');
    expect((await command(desk, ['audit', 'export', 'nov', '--out', pack])).exit).toBe(0);
    const { approvals } = JSON.parse(await partOf(pack, 'approvals.json')) as { approvals: Record<string, string>[] };
    const trail = await partOf(pack, 'trail.jsonl');
    expect(approvals).toHaveLength(2);
    for (const one of approvals) expect(trail).toContain(one.signature);

    writeFileSync(desk.sheet, csvOf([{ ...kenyanRows(1)[0]!, row_id: 'x', amount: '99999', reference: 'Mine' }]));
    const mine = await plan('mine');
    const lift = (digest: string, change: object = {}) => {
      for (const one of approvals) {
        const text = JSON.stringify({
          payrun: 'signature',
          version: 1,
          purpose: 'approve plan',
          digest,
          ...one,
          ...change,
        });
        writeFileSync(mine.plan!.replace(/json$/, `${one.approver}.sig.json`), text);
      }
    };
    const made = readFileSync(mine.plan!);
    for (const [what, digest, change] of [
      ['as they are', first.plan_digest!, {}],
      ['under the other digest', mine.plan_digest!, {}],
      ['and made later', mine.plan_digest!, { at: new Date().toISOString() }],
      ['for another purpose', mine.plan_digest!, { purpose: 'release row' }],
    ] as const) {
      lift(digest, change);
      const ran = await run('--approve', mine.plan_digest!);
      const tooFew = { code: 'APPROVALS_TOO_FEW', facts: { signed: [], needed: 2 } };
      expect([what, ran.exit, refusalOf(ran)]).toMatchObject([what, 26, tooFew]);
    }
    // The plan that they are of, in the place of the one that was not approved.
    renameSync(mine.plan!, `${mine.plan!}.mine`);
    writeFileSync(mine.plan!, await partOf(pack, 'plan.json'));
    lift(first.plan_digest!);
    for (const digest of [first.plan_digest!, `sha256:${sha256(made)}`])
      expect((await run('--approve', digest)).exit).toBe(26);
    expect(service.payments).toHaveLength(1);
  });
});

const [one, two] = kenyanRows(2) as [SheetRow, SheetRow];

describe('an amount that is written otherwise', () => {
  it('is the same money to caps, totals, plan and history: a fraction of zeros is none, and any other is refused', async () => {
    const service = await newService();
    const desk = deskFor(service, [one]);
    const sheet = (...amounts: string[]) =>
      writeFileSync(desk.sheet, csvOf(amounts.map((amount, at) => ({ ...(at === 0 ? one : two), amount }))));
    const run = async (...more: string[]) => await command(desk, ['run', desk.sheet, '--wait', '0', ...more]);
    configured(desk, { caps: { KES: { row: '100' } } });
    for (const [amount, exit] of [
      ['100.01', 20],
      ['100.5', 20],
      ['101.00', 26],
      ['1e2', 20],
    ] as const) {
      sheet(amount);
      expect([amount, (await run()).exit]).toEqual([amount, exit]);
    }
    sheet('100.00');
    const difference = { of: 'money', money: 'KES', expected: '99', found: '100' };
    expect(refusalOf(await run('--expect', 'KES=99', '--json'))).toMatchObject({
      code: 'TOTALS_DIFFER',
      facts: { differences: [difference] },
    });
    expect((await run('--expect', 'KES=100.00')).exit).toBe(2);
    const planned = documentOf(await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json']));
    sheet('KES 100');
    expect((await run('--approve', planned.plan_digest!)).exit, 'the same money').toBe(23);
    sheet('100.00');
    expect((await run('--batch', 'again')).exit, 'paid a moment ago').toBe(22);
    expect(service.payments).toHaveLength(1);
  });
});

describe('a name that is written otherwise', () => {
  it('is the same payee to the caps and to the payee control: case, accents, spaces and stops', async () => {
    const service = await newService();
    const known = { ...one, name: 'Zoe Muller' };
    const desk = deskFor(service, [known]);
    expect((await pay(desk, '--batch', 'oct', '--wait', '20s')).exit).toBe(0);
    const otherPhone = { ...two, row_id: 'n1', reference: 'Nov' };
    for (const [name, outcome] of [
      ['ZOE MULLER', { exit: 22, rows: { held: 1 } }],
      ['zoe-muller.', { exit: 22, rows: { held: 1 } }],
      ['Dr Zoe  Muller', { exit: 22, rows: { held: 1 } }],
      // No service takes it; its plain spelling is what is proposed, and that is held.
      ['Zoë Müller', { exit: 20, problems: [{ code: 'NAME_CHARACTERS', suggestion: 'Zoe Muller' }] }],
    ] as const) {
      writeFileSync(desk.sheet, csvOf([{ ...otherPhone, name }]));
      expect((await pay(desk, '--batch', 'nov')).document, name).toMatchObject(outcome);
    }
    configured(desk, { caps: { KES: { payee: '150' } } });
    writeFileSync(
      desk.sheet,
      csvOf([
        { ...one, reference: 'a', name: 'Jose Ng' },
        { ...two, name: 'JOSE NG.' },
      ]),
    );
    const ran = await command(desk, ['run', desk.sheet, '--json', '--batch', 'dec']);
    const payee = { of: 'payee', money: 'KES', cap: '150', row: 2 };
    const over = [
      { ...payee, rows: 2, accounts: 2, amount: '201' },
      { ...payee, rows: 1, accounts: 1, amount: '200' },
    ];
    expect([ran.exit, refusalOf(ran)]).toMatchObject([26, { code: 'OVER_CAP', facts: { over } }]);
    expect(service.payments).toHaveLength(1);
  });
});
