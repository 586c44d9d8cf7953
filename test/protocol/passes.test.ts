/** Passes and first payments at their edges: what a list may do between two looks, and who stops whom. */
import { EventEmitter } from 'node:events';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { ShownOutcome } from '../../src/cli/render/outcome-document.ts';
import type { Call, Fault, Shape, StoredPayment } from '../independent/service.ts';
import { command, csvOf, type Desk, deskFor, kenyanRows, noted, type SheetRow, southAfrican } from '../support.ts';
import {
  daysAgo,
  expectNoDouble,
  machine,
  patient,
  posts,
  reasonsOf,
  reconcile,
  run,
  told,
  twiceIn,
  type Watched,
  wallOnly,
  watched,
} from './desk.ts';

const rows = kenyanRows(4, 2);
const last = 'k4';
const added: SheetRow = { ...rows[0]!, row_id: 'k9', amount: '909', reference: 'Ref 9' };
const one = ['--concurrency', '1'];

/** What the ledger knows of a row's payment. */
function askedFor({ ledger }: Desk, key: string): Pick<StoredPayment, 'tag' | 'amount' | 'reference'> {
  const db = new DatabaseSync(ledger);
  const row = db
    .prepare(
      `SELECT tag, amount, merchant_id AS merchantId, json_extract(content, '$.reference') AS reference
       FROM payout JOIN payout_content ON payout = id WHERE key = ?`,
    )
    .get(key);
  db.close();
  return { ...row } as unknown as Pick<StoredPayment, 'tag' | 'amount' | 'reference'>;
}

/** A payment that the service makes without having said so. */
function made({ service, clock }: Watched, payment: object, id: string = `late-${service.payments.length}`): void {
  service.payments.push({ createdAtMs: clock.now(), ...payment, id, madeBy: 'tenant' } as unknown as StoredPayment);
}

const losing =
  (...references: string[]) =>
  ({ route, body }: Call): Fault | undefined =>
    route === 'POST /payments' && references.includes(String(body.reference)) ? { kind: 'drop' } : undefined;

/** `run` with a keyboard: Ctrl-C is pressed while it waits, once it has called the service so. */
async function runWithKeyboard(
  seen: Watched,
  desk: Desk,
  when: (call: Call) => boolean,
  ...more: string[]
): Promise<ShownOutcome> {
  const keyboard = new EventEmitter();
  const { clock } = seen;
  let called = false;
  let stoppedAt: number | null = null;
  seen.fault = (call) => {
    called ||= when(call);
    return undefined;
  };
  clock.onSleep = () => {
    if (!called || stoppedAt !== null) return;
    stoppedAt = clock.moved;
    keyboard.emit('SIGINT');
  };
  const { exit, out } = await command(
    desk,
    ['run', desk.sheet, '--batch', 'nov', '--wait', '0', '--json', ...more],
    keyboard,
  );
  expect([exit, clock.moved], 'it ends with the signal, and waits for nothing more').toEqual([130, stoppedAt]);
  seen.fault = () => undefined;
  return JSON.parse(out) as ShownOutcome;
}

describe.concurrent('the pass before sending', () => {
  it('where passes are restricted is left out once nothing speaks for one', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows, { PAYRUN_SCAN_PRESEND: 'suspect' });
    await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s');
    writeFileSync(desk.sheet, csvOf([...rows, added]));
    const order: string[] = [];
    seen.fault = ({ route }) => {
      if (route.endsWith(' /payments')) order.push(route);
      return undefined;
    };
    const { exit, document } = await run(desk, '--add');
    expect([exit, document.sent, order[0]]).toEqual([23, 1, 'POST /payments']);
    expect(document.notes).toContainEqual(noted('not-scanned'));
    // The scan of another batch saw that somebody else pays this one.
    const db = new DatabaseSync(desk.ledger);
    db.prepare('UPDATE batch SET quiet_until = ?').run(seen.clock.now() + 60_000);
    db.close();
    writeFileSync(desk.sheet, csvOf([...rows, added, { ...added, row_id: 'k8', reference: 'Ref 8' }]));
    const quiet = await run(desk, '--add');
    expect([quiet.exit, quiet.document.stopped?.code, posts(seen.service)]).toEqual([23, 'PAID_ELSEWHERE', 5]);
    expectNoDouble(seen.service);
  });

  it('proves nothing while an item bears a tag of ours and no id', async () => {
    const seen = await watched({ foreign: [{ tag: 'q0123456789abcdefghj' }] });
    const { exit, document } = await run(machine(seen.service, rows));
    expect([exit, posts(seen.service)]).toEqual([25, 0]);
    const why = { fault: 'list-items-lack-ids', items: 1 };
    expect(document.stopped).toMatchObject({ code: 'PASS_INCOMPLETE', facts: { why } });
  });

  it('ends the run where the credentials are refused in the middle of it', async () => {
    const seen = await watched({ pageSize: 2 });
    const desk = machine(seen.service, rows);
    await run(desk);
    writeFileSync(desk.sheet, csvOf([...rows, added]));
    let pages = 0;
    seen.fault = ({ route }) => {
      if (route === 'GET /payments') pages += 1;
      return pages > 1 && ['GET /payments', 'POST /token'].includes(route)
        ? { kind: 'answer', status: 401 }
        : undefined;
    };
    const { exit, document } = await run(desk, '--add');
    expect([exit, document.stopped?.code, posts(seen.service)]).toEqual([25, 'CREDENTIALS_REFUSED', 4]);
  });

  it('finds a later revision of a lost ledger by its tag alone', async () => {
    const seen = await watched({ expires: new Set(['Ref 4']) });
    const desk = machine(seen.service, rows);
    await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s');
    expect((await told(desk, 'retry', 'nov', '--wait', '0')).document.sent).toBe(1);
    const { payments } = seen.service;
    // The service forgets expired payments, and the machine its ledger.
    payments.splice(
      payments.findIndex(({ reference }) => reference === 'Ref 4'),
      1,
    );
    await daysAgo(seen.service, [], 1);
    const other = machine(seen.service, rows);
    const { document } = await run(other);
    expect([document.sent, document.rows.total - document.rows.not_sent]).toEqual([0, 4]);
    expectNoDouble(seen.service);
  });
});

describe.concurrent('what a pass shows', () => {
  it('two rows with two payments each are counted', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    await run(desk);
    for (const key of ['k1', 'k2']) made(seen, askedFor(desk, key));
    writeFileSync(desk.sheet, csvOf([...rows, added]));
    const { exit, document } = await run(desk, '--add');
    expect([exit, twiceIn(document), posts(seen.service)]).toEqual([27, 2, 4]);
    expect(document.stopped).toMatchObject({ code: 'PAID_TWICE', facts: { rows: { total: 2 } } });
  });

  it('two rows that another ledger paid in the middle of this run stop it', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    let theirs: Promise<unknown> | null = null;
    seen.fault = ({ route, nth }) => {
      if (route !== 'POST /payments' || nth !== 1 || theirs !== null) return undefined;
      // The other machine is a moment ahead: it pays two rows while this one waits for its first answer.
      for (const key of ['k3', 'k4']) made(seen, askedFor(desk, key));
      theirs = Promise.resolve();
      return undefined;
    };
    const { exit, document } = await run(desk);
    expect([exit, posts(seen.service)]).toEqual([23, 1]);
    expect(document.stopped).toMatchObject({ code: 'PAID_ELSEWHERE', facts: { rows: 2 } });
    expect((await run(desk)).document.stopped?.code, 'and the next one waits as well').toBe('PAID_ELSEWHERE');
  });

  it('an older payment from elsewhere, found later, does not shorten the wait', async () => {
    const seen = await watched();
    const desk = patient(machine(seen.service, rows));
    seen.fault = ({ route }) => {
      if (route === 'POST /payments' && seen.service.payments.length === 0) made(seen, askedFor(desk, last));
      return undefined;
    };
    const untilOf = ({ stopped }: ShownOutcome) => stopped?.code === 'PAID_ELSEWHERE' && stopped.facts.until;
    const { document: first } = await run(desk);
    expect(untilOf(first)).toBeGreaterThan(0);
    // Half a horizon is left of it; a whole one must show nothing more.
    const createdAtMs = seen.clock.now() - 15 * 60_000;
    made(seen, { ...askedFor(desk, 'k3'), createdAtMs });
    const { document } = await run(desk);
    expect([document.rows.pending, posts(seen.service)]).toEqual([3, 1]);
    expect(untilOf(document)).toBe(untilOf(first));
  });

  it.each<[string, Fault, string]>([
    ['which was in doubt', { kind: 'drop' }, 'held'],
    ['which was refused', { kind: 'answer', status: 422 }, 'held'],
  ])('a payment that the service named for one row, and lists for another: %s', async (_title, fault, word) => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = ({ route, body }) => {
      if (route !== 'POST /payments') return undefined;
      if (body.reference === 'Ref 3') return { kind: 'answer', status: 201, body: { id: 'X' } };
      return body.reference === 'Ref 4' ? fault : undefined;
    };
    await run(desk, ...one);
    seen.fault = () => undefined;
    made(seen, askedFor(desk, last), 'X');
    for (const _ of [1, 2]) {
      const { document } = await reconcile(desk);
      expect(document.rows).toMatchObject({ pending: 3, [word]: 1 });
      // By its tag it is the other row's; whether this one has a payment nobody knows.
      if (word === 'held')
        expect(await reasonsOf(desk, 'k3')).toMatchObject([{ kind: 'wrong-payment', paymentId: 'X' }]);
    }
    expect(posts(seen.service)).toBe(4);
  });
});

describe.concurrent('the first payment of a kind', () => {
  const both = [...kenyanRows(2, 2), southAfrican, { ...southAfrican, row_id: 'za2', reference: 'Second' }];

  it('of a second country, in doubt once the list was proven, hands its role on', async () => {
    const seen = await watched();
    seen.fault = losing('Salary Nov');
    const { exit, document } = await run(machine(seen.service, both));
    expect([exit, document.rows]).toMatchObject([22, { in_doubt: 1, pending: 3 }]);
    expectNoDouble(seen.service);
  });

  it('that cannot be read for a moment is asked for again', async () => {
    const seen = await watched();
    seen.fault = ({ route, nth }) =>
      route === 'GET /payments/:id' && nth === 1 ? { kind: 'answer', status: 409 } : undefined;
    expect((await run(machine(seen.service, rows))).document.rows.pending).toBe(4);
  });

  it('while the credentials are refused is the only one', async () => {
    const seen = await watched();
    seen.fault = ({ route }) =>
      posts(seen.service) > 0 && ['GET /payments/:id', 'POST /token'].includes(route)
        ? { kind: 'answer', status: 401 }
        : undefined;
    const { exit, document } = await run(machine(seen.service, rows));
    expect([exit, document.stopped?.code, posts(seen.service)]).toEqual([25, 'CREDENTIALS_REFUSED', 1]);
    expect(document.rows).toMatchObject({ pending: 1, not_sent: 3 });
  });

  it('that came to stand in the list and is gone from it at the second look is the only one', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows, { PAYRUN_DOUBT_VISIBLE: '1500ms' });
    let held = 0;
    seen.fault = ({ route }) => {
      if (route !== 'GET /payments' || posts(seen.service) === 0) return undefined;
      held += 1;
      return held > 1 ? { kind: 'answer', status: 200, body: { items: [], offsetMarker: null } } : undefined;
    };
    const { exit, document } = await run(desk);
    expect([exit, posts(seen.service)]).toEqual([25, 1]);
    expect(document.stopped).toMatchObject({
      code: 'PASS_INCOMPLETE',
      facts: { why: { fault: 'list-lost-payment', payment: seen.service.payments[0]?.id } },
    });
  });
});

describe.concurrent('Ctrl-C', () => {
  it.each<[string, Shape, Record<string, string>, (call: Call) => boolean]>([
    [
      'before the first payment can be read',
      { readableAfterMs: 3_600_000 },
      {},
      ({ route }) => route === 'GET /payments/:id',
    ],
    ['before it is listed', { listedAfterMs: 3_600_000 }, {}, ({ route }) => route === 'GET /payments'],
    [
      'before what others made is listed',
      {},
      { PAYRUN_DOUBT_VISIBLE: '10m' },
      ({ route }) => route === 'GET /payments',
    ],
  ])('%s: no second one is sent', async (_title, shape, env, when) => {
    const seen = await watched(shape);
    const desk = machine(seen.service, rows, env);
    const { rows: counts } = await runWithKeyboard(seen, desk, (call) => posts(seen.service) > 0 && when(call));
    expect([counts, posts(seen.service)]).toMatchObject([{ pending: 1, not_sent: 3 }, 1]);
  });

  it('before the last pass of a run leaves that to the next', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    await run(desk);
    writeFileSync(desk.sheet, csvOf([...rows, added]));
    const waiting = { ...desk, env: { ...desk.env, PAYRUN_DOUBT_VISIBLE: '10m' } };
    const { rows: counts } = await runWithKeyboard(seen, waiting, ({ route }) => route === 'POST /payments', '--add');
    expect(counts).toMatchObject({ pending: 5 });
  });
});

describe.concurrent('the breaker', () => {
  const statuses = [500, 502, 503, 504];

  it('that opens at the last rows has none left to send alone', async () => {
    const seen = await watched();
    seen.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: statuses[nth % 4]! } : undefined;
    const { exit, document } = await run(machine(seen.service, rows), ...one);
    expect([exit, document.rows, document.stopped]).toMatchObject([22, { in_doubt: 3, pending: 1 }, null]);
    expect(posts(seen.service)).toBe(4);
  });

  it('whose lone row is turned away twice ends the run', async () => {
    const seen = await watched();
    let lists = 0;
    seen.fault = ({ route, nth }) => {
      if (route === 'GET /payments') lists += 1;
      if (route !== 'POST /payments' || nth === 1) return undefined;
      lists = 0;
      return { kind: 'answer', status: nth > 4 ? 401 : statuses[nth % 4]! };
    };
    const { exit, document } = await run(machine(seen.service, kenyanRows(8, 2)), ...one);
    expect([exit, document.stopped?.code]).toEqual([22, 'CREDENTIALS_REFUSED']);
    expect([document.rows, posts(seen.service)]).toMatchObject([{ in_doubt: 3, pending: 1, not_sent: 4 }, 6]);
    expect(lists, 'only the last look of a run follows').toBe(1);
  });
});

it('a witness that cannot be written is told, and paying goes on', async () => {
  const seen = await watched();
  const desk = machine(seen.service, rows);
  mkdirSync(join(desk.folder, 'data', 'payrun'), { recursive: true });
  writeFileSync(join(desk.folder, 'data', 'payrun', 'witness'), 'a file where a folder should be');
  const { exit, err } = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
  expect([exit, posts(seen.service)]).toEqual([23, 4]);
  expect(err.match(/^.*\bwitness\b/gm)).toHaveLength(1);
});

it('what the sheet says beside the money is sent with it', async () => {
  const seen = await watched();
  const bodies: object[] = [];
  seen.fault = ({ route, body }) => {
    if (route === 'POST /payments') bodies.push(body);
    return undefined;
  };
  const desk = machine(seen.service, rows);
  const [first, second] = rows;
  const lines = [
    'row_id,name,country,contact_number,amount,reference,type,slow,tag',
    `k1,${first?.name},Kenya,${first?.contact_number},100,Ref 1,PAYROLL,yes,HR 7`,
    `k2,${second?.name},Kenya,${second?.contact_number},101,Ref 2,,no,`,
  ];
  writeFileSync(desk.sheet, `${lines.join('\n')}\n`);
  writeFileSync(join(desk.folder, 'payrun.config.json'), '{"payments":{"types":["PAYROLL"]}}');
  const { exit, err } = await run(desk, ...one);
  expect(exit, err).toBe(23);
  const plain = { merchantId: expect.any(String) as string, tag: expect.any(String) as string };
  expect(bodies).toEqual([
    { ...plain, amount: 100, reference: 'Ref 1', type: 'PAYROLL', isSlowPayment: true, meta: '{"ownTag":"HR 7"}' },
    { ...plain, amount: 101, reference: 'Ref 2' },
  ]);
});

it('in the sandbox, where nothing comes late, one look is enough: a row that died before it was sent is sent', async () => {
  const desk = deskFor(null, rows.slice(0, 3));
  const sandbox = async (...more: string[]) =>
    await told(desk, 'run', desk.sheet, '--batch', 'nov', '--sandbox', '--wait', '0', ...more);
  await sandbox();
  const service = `${desk.ledger}.sandbox`;
  cpSync(service, `${service}.before`, { recursive: true });
  writeFileSync(desk.sheet, csvOf(rows));
  expect((await sandbox('--add')).document.sent).toBe(1);
  // As if it had died between the intent and the request, a minute ago.
  rmSync(service, { recursive: true });
  cpSync(`${service}.before`, service, { recursive: true });
  const db = new DatabaseSync(desk.ledger);
  db.exec(`UPDATE payout SET state = 'sending', payment_id = NULL, payment_status = NULL,
    sent_moment = ${wallOnly('submitted_at - 60000')}, submitted_at = submitted_at - 60000 WHERE key = '${last}'`);
  db.close();
  const { document } = await sandbox();
  expect([document.sent, document.rows.in_doubt, document.rows.total]).toEqual([1, 0, 4]);
  expect(document.notes).not.toContainEqual(noted('payments-found'));
});
