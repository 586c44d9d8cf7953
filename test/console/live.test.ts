/** What one starts the other shows: runs at a terminal seen on the page's routes as they go, and a console that was killed and started again. */
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { Batch, BatchLine, ErrorAnswer, Review, Upload } from '../../src/console/api.ts';
import { driverAddress } from '../../src/ledger/ledger.ts';
import { atEnd } from '../endings.ts';
import type { Independent } from '../independent/service.ts';
import { newPlace } from '../ledger/stores.ts';
import { quick } from '../protocol/desk.ts';
import { quickPasswords, stretchCheaply } from '../stretched-once.ts';
import {
  command,
  csvOf,
  expectOnePaymentEach,
  kenyanRows,
  newFolder,
  newService,
  refusalOf,
  type SheetRow,
  start,
} from '../support.ts';
import { eventually, type Office, openOffice, password, payingAt } from './office.ts';
import { type Session, seatAt } from './seated.ts';

stretchCheaply();

/** What is sent, as a page listens. */
function listenTo(office: Office, who: string, path: string) {
  const batches: Batch[] = [];
  let text = '';
  const asking = get(`http://127.0.0.1:${office.port}${path}`, { headers: { 'x-person': who } }, (response) => {
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const data = /^event: batch\ndata: (.*)$/m.exec(part)?.[1];
        if (data !== undefined) batches.push(JSON.parse(data) as Batch);
      }
    });
  });
  asking.on('error', () => undefined);
  return { batches, end: () => asking.destroy() };
}

/** Payments after so many are held, and with them their run, until they are let go. `after`: they are made, and unanswered. */
function holdAfter(service: Independent, most: number, after = false): () => void {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > most ? { kind: 'hold', until, after } : undefined;
  return () => {
    service.fault = () => undefined;
    resolve();
  };
}

/** No call that is held is given up. */
const patient = { ...quick, ...quickPasswords, PAYRUN_HTTP_TIMEOUT: '60s' };

describe('a run at a terminal', () => {
  it('appears, moves and ends on the page’s routes, and then has nothing to stop', async () => {
    const office = await openOffice();
    const sheet = join(office.folder, 'payroll.csv');
    writeFileSync(sheet, csvOf(kenyanRows(20)));
    const run = start(office, ['run', sheet, '--batch', 'terminal', '--sandbox', '--concurrency', '1', '--wait', '2m']);
    const seen = await eventually('the batch appears', async () => {
      const { body } = await office.get<BatchLine[]>('Vusi', '/api/batches');
      return body.find(({ batch }) => batch === 'terminal') ?? null;
    });
    expect(seen.rows.total).toBe(20);
    const live = listenTo(office, 'Vusi', '/api/batches/terminal/events');
    expect((await run.ended).exit).toBe(0);
    const stop = await office.post<ErrorAnswer>('Ada', '/api/batches/terminal/stop');
    expect([stop.status, stop.body.code]).toEqual([409, 'NOTHING_TO_STOP']);
    await eventually('the end of the batch', async () => (live.batches.at(-1)?.rows.paid === 20 ? true : null));
    live.end();
    const counts = live.batches.map(({ rows }) => rows.paid);
    expect(counts, 'never back').toEqual([...counts].sort((a, b) => a - b));
    const { body } = await office.get<Batch>('Nomsa', '/api/batches/terminal');
    expect(body).toMatchObject({ upload: null, plan: null, job: null, rows: { paid: 20 } });
    await office.press('Nomsa', '/api/batches/terminal/resume');
    const refused = await eventually('what nobody approved is not gone on with here', async () => {
      const { body: now } = await office.get<Batch>('Nomsa', '/api/batches/terminal');
      return now.job?.state === 'failed' ? now.job : null;
    });
    expect(refused.code).toBe('BATCH_UNAPPROVED');
    await office.close();
  });
});

describe('a console that was killed while it paid', () => {
  it('shows when it is started again where everything stands, and goes on by a button', async () => {
    const folder = newFolder();
    const service = await newService();
    const env = {
      ...patient,
      ...payingAt(service),
      PAYRUN_LEDGER: join(folder, 'ledger.db'),
      XDG_STATE_HOME: join(folder, 'state'),
    };
    const many = kenyanRows(28, 3);
    const { Nomsa: nomsa, Thabo: thabo } = await seatAt(env.PAYRUN_LEDGER, password, 'Nomsa', 'Thabo');
    const first = await startConsole(folder, env);
    const waiting = await handIn(first, nomsa, 'waiting.csv', [{ ...kenyanRows(1)[0]!, amount: '12.50' }]);
    const { rows } = await first.get<{ rows: { cells: string[] }[] }>(nomsa, `/api/uploads/${waiting.id}/rows`);
    const column = rows[0]!.cells.indexOf('12.50');
    await first.post(nomsa, `/api/uploads/${waiting.id}/corrections`, { row: 2, column, from: '12.50', to: '13' });
    const paying = await handIn(first, nomsa, 'paying.csv', many);
    const { standing } = await first.get<Upload>(nomsa, `/api/uploads/${paying.id}`);
    const order = { standing, batch: 'big', skipInvalid: false, expect: [] };
    await first.post(nomsa, `/api/uploads/${paying.id}/plan`, order);
    const { digest } = await eventually('the plan stands', async () => {
      const upload = await first.get<Upload>(nomsa, `/api/uploads/${paying.id}`);
      return upload.state === 'planned' ? await first.get<Review>(thabo, `/api/uploads/${paying.id}/plan`) : null;
    });
    await first.post(thabo, `/api/uploads/${paying.id}/approve`, { digest, password });
    const letFirstGo = holdAfter(service, 5, true);
    await first.post(nomsa, `/api/uploads/${paying.id}/pay`, { digest });
    const moving = await eventually('some are paid', async () => {
      const batch = await first.get<Batch>(nomsa, '/api/batches/big').catch(() => null);
      return batch !== null && batch.rows?.paid + batch.rows?.pending > 4 ? batch : null;
    });
    expect(moving.rows.in_doubt, 'what is under way is no doubt').toBe(0);
    // A kill before the service has a call leaves a doubt that no list settles while the test runs.
    await eventually('all eight calls under way are made', async () => service.payments.length === 5 + 8 || null);
    first.child.kill('SIGKILL');
    await first.ended;
    letFirstGo();

    const second = await startConsole(folder, env);
    const uploads = await second.get<Upload[]>(nomsa, '/api/uploads');
    expect(Object.fromEntries(uploads.map(({ file, state }) => [file, state]))).toMatchObject({
      'paying.csv': 'batch',
    });
    const corrections = await second.get<unknown[]>(nomsa, `/api/uploads/${waiting.id}/corrections`);
    expect(corrections).toMatchObject([{ rows: [2], from: '12.50', to: '13', by: 'Nomsa' }]);
    const died = await second.get<Batch>(nomsa, '/api/batches/big');
    expect(died.rows).toMatchObject({ total: 28, being_sent: 0 });
    expect(died.rows.not_sent).toBeGreaterThan(10);
    expect(died.job).toMatchObject({
      kind: 'pay',
      by: 'Nomsa',
      state: 'failed',
      message: expect.stringContaining('was ended'),
    });
    expect(died.next.map(({ action }) => action)).toContain('resume');
    const letSecondGo = holdAfter(service, (service.calls.get('POST /payments') ?? 0) + 4, true);
    await second.post(nomsa, '/api/batches/big/resume', { standing: died.standing, turn: died.turn });
    await eventually('more are sent', async () => {
      const { rows: now } = await second.get<Batch>(nomsa, '/api/batches/big');
      return died.rows.not_sent - now.not_sent > 4 ? true : null;
    });
    // As when its terminal is closed: what is in flight ends, and whoever is there still reads what waits.
    second.child.kill('SIGHUP');
    await eventually('it says so', async () => (second.warned().includes('first finishes') ? true : null));
    letSecondGo();
    expect(await second.ended).toMatchObject({ exit: 0, err: expect.stringMatching(/first finishes.*batch big/) });

    const third = await startConsole(folder, env);
    const stopped = await third.get<Batch>(nomsa, '/api/batches/big');
    expect(stopped.rows.being_sent).toBe(0);
    expect(stopped.rows.in_doubt, 'the stop leaves no new doubt').toBeLessThanOrEqual(died.rows.in_doubt);
    expect(stopped.job?.code).toBe('JOB_STOPPED');
    await third.post(nomsa, '/api/batches/big/resume', { standing: stopped.standing, turn: stopped.turn });
    await eventually('all are paid', async () => {
      const batch = await third.get<Batch>(nomsa, '/api/batches/big');
      return batch.rows.paid === many.length && batch.job?.state === 'done' ? batch : null;
    });
    third.child.kill('SIGTERM');
    expect((await third.ended).exit).toBe(0);
    expectOnePaymentEach(service, many);
  });
});

describe('a console on Postgres', () => {
  it('goes on whichever of its connections was cut, knows who is logged in, and is the only one', async () => {
    const folder = newFolder();
    const place = await newPlace('Postgres');
    const network = await networkTo(place);
    const env = { PAYRUN_LEDGER: network.place, PAYRUN_LEDGER_FILES: join(folder, 'files'), XDG_STATE_HOME: folder };
    const { Nomsa: nomsa } = await seatAt(place, password, 'Nomsa', 'Thabo');
    const served = await startConsole(folder, env);
    const { id } = await handIn(served, nomsa, 'waiting.csv', kenyanRows(2));
    // In this process, which cannot wait for its own network.
    const beside = { folder, env: { ...env, PAYRUN_LEDGER: place } };
    const another = await command(beside, ['console', '--sandbox', '--port', '0', '--json']);
    const holder = { fault: 'held-by-name', name: expect.stringContaining(`payrun process ${served.child.pid} `) };
    expect([another.exit, refusalOf(another)]).toMatchObject([2, { code: 'CONSOLE_BUSY', facts: { holder } }]);
    const answers = async () =>
      await eventually('it answers again', async () => {
        const uploads = await served.get<Upload[]>(nomsa, '/api/uploads').catch(() => null);
        const batches = await served.get<BatchLine[]>(nomsa, '/api/batches').catch(() => null);
        return batches !== null && uploads?.some((upload) => upload.id === id) ? true : null;
      });
    await answers();

    const client = new pg.Client({ connectionString: driverAddress(place, null) });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1',
      [`payrun process ${served.child.pid} on %`],
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { pid } of rows) {
      await client.query('SELECT pg_terminate_backend($1)', [pid]);
      await answers();
    }
    await client.end();

    let said = '';
    served.child.stderr?.on('data', (text: string) => (said += text));
    network.drop();
    await eventually('the server holds its lock for it', async () => (said.includes('It tries again') ? true : null));
    network.end();
    await answers();
    const { standing } = await served.get<Upload>(nomsa, `/api/uploads/${id}`);
    await served.post(nomsa, `/api/uploads/${id}/plan`, { standing, batch: 'nov', skipInvalid: false, expect: [] });
    await eventually('the plan stands', async () =>
      (await served.get<Upload>(nomsa, `/api/uploads/${id}`)).state === 'planned' ? true : null,
    );
    served.child.kill('SIGTERM');
    expect(await served.ended).toMatchObject({ exit: 0, err: expect.stringContaining('It starts again.') });
  });
});

/** A network that may drop its connections without a word to the server, which ends them when it sees that. */
async function networkTo(place: string) {
  const url = new URL(place);
  const server = { port: Number(url.port), host: url.hostname };
  const pairs: (readonly [Socket, Socket])[] = [];
  const dropped: Socket[] = [];
  const proxy = createServer((near) => {
    const far = connect(server);
    pairs.push([near, far]);
    near.pipe(far);
    far.pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    far.on('close', () => near.destroy());
    near.on('close', () => {
      if (!dropped.includes(far)) far.destroy();
    });
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  atEnd(() => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    proxy.close();
  });
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    place: url.href,
    drop() {
      for (const [near, far] of pairs.splice(0)) {
        near.unpipe();
        far.unpipe();
        dropped.push(far);
        near.resetAndDestroy();
      }
    },
    end() {
      for (const far of dropped.splice(0)) far.destroy();
    },
  };
}

/** `payrun console`, a process of its own. */
async function startConsole(folder: string, env: Record<string, string>) {
  const { child, ended } = start({ folder, env }, [
    'console',
    ...(env.PAYRUN_BASE_URL === undefined ? ['--sandbox'] : []),
    '--port',
    '0',
    '--json',
  ]);
  let said = '';
  let warned = '';
  child.stdout?.on('data', (text: string) => (said += text));
  child.stderr?.on('data', (text: string) => (warned += text));
  const url = await eventually('it listens', async () => /"url":"([^"]+)"/.exec(said)?.[1] ?? null);
  const answer = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await fetch(`${url}${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const own = ({ cookie, csrf }: Session) => ({
    cookie,
    'x-payrun-csrf': csrf,
    origin: url,
    'sec-fetch-site': 'same-origin',
  });
  return {
    child,
    ended,
    said: () => said,
    warned: () => warned,
    get: async <T>(seat: Session, path: string) => await answer<T>(path, { headers: { cookie: seat.cookie } }),
    post: async <T>(seat: Session, path: string, body: object = {}) =>
      await answer<T>(path, {
        method: 'POST',
        headers: { ...own(seat), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async send<T>(seat: Session, path: string, name: string, content: string): Promise<T> {
      const form = new FormData();
      form.append('file', new Blob([content]), name);
      return await answer<T>(path, { method: 'POST', headers: own(seat), body: form });
    },
  };
}

type Served = Awaited<ReturnType<typeof startConsole>>;

async function handIn(
  { get: look, send }: Served,
  seat: Session,
  name: string,
  rows: readonly SheetRow[],
): Promise<Upload> {
  const { id } = await send<Upload>(seat, '/api/uploads', name, csvOf(rows));
  return await eventually(`${name} is looked at`, async () => {
    const upload = await look<Upload>(seat, `/api/uploads/${id}`);
    return upload.state === 'reading' ? null : upload;
  });
}
