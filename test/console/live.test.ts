/** What one starts the other shows: runs at a terminal seen on the page's routes as they go, and a console that was killed and started again. */
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Batch, BatchLine, ErrorAnswer, Review, TrailPage, Upload } from '../../src/console/api.ts';
import { driverAddress, openLedger } from '../../src/ledger/ledger.ts';
import { atEnd } from '../endings.ts';
import type { Independent } from '../independent/service.ts';
import { newPlace, stores } from '../ledger/stores.ts';
import { quick } from '../protocol/desk.ts';
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
import { eventually, hasty, type Office, openOffice, password, payingAt } from './office.ts';
import { type Session, seatAt } from './seated.ts';

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
const patient = { ...quick, PAYRUN_HTTP_TIMEOUT: '60s' };

describe('a run at a terminal', () => {
  it('appears, moves and ends on the page’s routes, and then has nothing to stop', async () => {
    const office = await openOffice();
    const sheet = join(office.folder, 'payroll.csv');
    writeFileSync(sheet, csvOf(kenyanRows(60)));
    const run = start(office, ['run', sheet, '--batch', 'terminal', '--sandbox', '--concurrency', '1', '--wait', '2m']);
    const seen = await eventually('the batch appears', async () => {
      const { body } = await office.get<BatchLine[]>('Vusi', '/api/batches');
      return body.find(({ batch }) => batch === 'terminal') ?? null;
    });
    expect(seen.rows.total).toBe(60);
    const live = listenTo(office, 'Vusi', '/api/batches/terminal/events');
    expect((await run.ended).exit).toBe(0);
    const stop = await office.post<ErrorAnswer>('Ada', '/api/batches/terminal/stop');
    expect([stop.status, stop.body.code]).toEqual([409, 'NOTHING_TO_STOP']);
    await eventually('its end is told', async () => (live.batches.at(-1)?.rows.paid === 60 ? true : null));
    live.end();
    const counts = live.batches.map(({ rows }) => rows.paid);
    expect(counts, 'never back').toEqual([...counts].sort((a, b) => a - b));
    const { body } = await office.get<Batch>('Nomsa', '/api/batches/terminal');
    expect(body).toMatchObject({ upload: null, plan: null, job: null, rows: { paid: 60 } });
    await office.press('Nomsa', '/api/batches/terminal/resume');
    const refused = await eventually('what nobody approved is not gone on with here', async () => {
      const { body: now } = await office.get<Batch>('Nomsa', '/api/batches/terminal');
      return now.job?.state === 'failed' ? now.job : null;
    });
    expect(refused.code).toBe('BATCH_UNAPPROVED');
    await office.close();
  });

  it('is paused from there where others may send beside it, and goes on by a word of the page', {
    tags: ['long'],
  }, async () => {
    const service = await newService();
    const letGo = holdAfter(service, 4);
    const folder = newFolder();
    const place = { PAYRUN_LEDGER: await newPlace('Postgres'), PAYRUN_LEDGER_FILES: join(folder, 'files') };
    const office = await openOffice(folder, { ...patient, ...place, ...payingAt(service) });
    const sheet = join(folder, 'payroll.csv');
    writeFileSync(sheet, csvOf(kenyanRows(12, 3)));
    const words = ['--concurrency', '1', '--wait', '2m'];
    const run = start(office, ['run', sheet, '--batch', 'fleet', ...words]);
    const batch = async () => (await office.get<Batch>('Nomsa', '/api/batches/fleet')).body;
    await eventually('some are sent', async () => (service.calls.get('POST /payments') === 5 ? true : null));
    const stop = await office.post<Batch>('Ada', '/api/batches/fleet/stop');
    letGo();
    const stopped = expect.stringMatching(/^Ada stopped/) as string;
    expect([stop.status, stop.body.stopped]).toEqual([200, stopped]);
    expect((await run.ended).exit).toBe(23);
    const { rows, next, turn } = await batch();
    expect(rows.not_sent).toBe(7);
    expect(next.map(({ action }) => action)).toContain('resume');
    expect((await office.post('Ada', '/api/batches/fleet/stop')).status, 'a second Stop').toBe(409);
    const goOn = async (seen: object) => {
      await office.press('Nomsa', '/api/batches/fleet/resume', seen);
      return await eventually('the job has ended', async () => {
        const { job } = await batch();
        return job?.state === 'running' ? null : job;
      });
    };
    const pause = async (...argv: string[]) => await command(office, ['pause', 'fleet', ...argv]);
    expect(await goOn({ turn: turn - 1 })).toMatchObject({ state: 'failed', code: 'LEAD_MOVED' });
    expect(await goOn({})).toMatchObject({ state: 'failed', code: 'BATCH_UNAPPROVED' });
    expect(await batch(), 'and is stopped as before').toMatchObject({ stopped, rows: { not_sent: rows.not_sent } });

    // What somebody paused at a terminal no preparer goes on with, and no viewer reads an account of.
    const call = 'the bank called';
    await pause('--reason', `${call} of +254712345610`);
    const kept = { state: 'failed', code: 'PAUSED', message: expect.stringContaining(call) };
    expect(await goOn({})).toMatchObject(kept);
    const { body: seen } = await office.get<Batch>('Vusi', '/api/batches/fleet');
    expect(seen.paused).toMatchObject([{ what: 'batch', reason: expect.not.stringContaining('712345610') }]);
    const reason = 'asked the bank';
    const endPause = async (id: number) =>
      await office.post<Batch>('Thabo', '/api/batches/fleet/end-pause', { pause: id, reason });
    expect((await endPause(seen.paused[0]!.id - 1)).status, 'another one that was seen').toBe(409);
    const end = await endPause(seen.paused[0]!.id);
    expect([end.status, end.body.paused]).toEqual([200, []]);
    expect((await office.get<TrailPage>('Nomsa', '/api/trail?limit=1')).body.entries[0]).toMatchObject({
      by: 'Thabo',
      words: expect.stringContaining(reason),
    });
    // The console's policy is in force since it was asked to go on: what was begun without approval stays.
    expect((await command({ ...office, clock: hasty }, ['resume', 'fleet', ...words])).exit).toBe(26);
    expect((await batch()).rows.not_sent).toBe(rows.not_sent);
    await office.close();
  });
});

describe('Go on after Stop', () => {
  it('leaves the batch stopped for all while another run holds the ledger, and ends the Stop once it goes on', {
    tags: ['long'],
  }, async () => {
    const service = await newService();
    const letGo = holdAfter(service, 4);
    const folder = newFolder();
    const place = await newPlace('Postgres');
    const files = { PAYRUN_LEDGER: place, PAYRUN_LEDGER_FILES: join(folder, 'files') };
    const office = await openOffice(folder, { ...patient, ...files, ...payingAt(service) }, { threads: true });
    const batch = async () => (await office.get<Batch>('Nomsa', '/api/batches/nov')).body;
    const { id } = await office.upload('Nomsa', 'nov.csv', csvOf(kenyanRows(30)));
    await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
    await office.settled(id);
    const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
    await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password });
    await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest });
    await eventually('some are sent', async () => service.payments.length === 4 || null);
    await command(office, ['pause', 'nov', '--reason', 'a word']);
    letGo();
    await eventually('it has stopped', async () => (await batch()).job?.state !== 'running' || null);
    await command(office, ['pause', 'nov', '--end']);
    const { turn, stopped } = await batch();
    expect(stopped).not.toBeNull();
    const goOn = async () => await office.press('Nomsa', '/api/batches/nov/resume', { turn });
    const stood = service.payments.length;
    const other = openLedger(place, systemClock);
    await other.hold();
    await goOn();
    await eventually('it is refused', async () => (await batch()).job?.code === 'LEDGER_BUSY' || null);
    expect([(await batch()).stopped, service.payments.length]).toEqual([stopped, stood]);
    await other.close();
    await goOn();
    await eventually('it is paid', async () => (await batch()).rows.paid === 30 || null);
    expect((await batch()).stopped).toBeNull();
    await office.close();
  });
});

it.each(stores)(
  'Stop while a look for doubts is under way stops it, and pauses the batch: %s',
  {
    tags: ['long'],
  },
  async (store) => {
    const service = await newService();
    const folder = newFolder();
    const files = { PAYRUN_LEDGER: await newPlace(store), PAYRUN_LEDGER_FILES: join(folder, 'files') };
    const office = await openOffice(folder, { ...quick, ...files, ...payingAt(service) }, { threads: true });
    const sheet = join(folder, 'nov.csv');
    writeFileSync(sheet, csvOf(kenyanRows(3)));
    service.fault = ({ route, nth }) => (route === 'POST /payments' && nth === 2 ? { kind: 'drop' } : undefined);
    expect((await start(office, ['run', sheet, '--batch', 'nov', '--wait', '0']).ended).exit).toBe(22);
    const { promise: answer, resolve: go } = Promise.withResolvers<void>();
    const { promise: asked, resolve: waits } = Promise.withResolvers<void>();
    service.fault = ({ route }) => {
      if (route !== 'GET /payments') return undefined;
      waits();
      return { kind: 'hold', until: answer };
    };
    const looks = office.post('Nomsa', '/api/batches/nov/reconcile');
    await asked;
    const stop = await office.post<Batch>('Ada', '/api/batches/nov/stop');
    expect([stop.status, stop.body.rows.in_doubt, stop.body.job]).toMatchObject([200, 1, { state: 'stopping' }]);
    expect(stop.body.stopped).toMatch(/^Ada stopped/);
    go();
    await looks;
    await office.close();
  },
);

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
    const many = kenyanRows(60, 3);
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
    const letFirstGo = holdAfter(service, 25, true);
    await first.post(nomsa, `/api/uploads/${paying.id}/pay`, { digest });
    const moving = await eventually('some are paid', async () => {
      const batch = await first.get<Batch>(nomsa, '/api/batches/big').catch(() => null);
      return batch !== null && batch.rows?.paid + batch.rows?.pending > 20 ? batch : null;
    });
    expect(moving.rows.in_doubt, 'what is under way is no doubt').toBe(0);
    // A kill before the service has a call leaves a doubt that no list settles while the test runs.
    await eventually('all eight calls under way are made', async () => service.payments.length === 25 + 8 || null);
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
    expect(died.rows).toMatchObject({ total: 60, being_sent: 0 });
    expect(died.rows.not_sent).toBeGreaterThan(20);
    expect(died.job).toMatchObject({
      kind: 'pay',
      by: 'Nomsa',
      state: 'failed',
      message: expect.stringContaining('was ended'),
    });
    expect(died.next.map(({ action }) => action)).toContain('resume');
    const letSecondGo = holdAfter(service, (service.calls.get('POST /payments') ?? 0) + 10, true);
    await second.post(nomsa, '/api/batches/big/resume', { standing: died.standing, turn: died.turn });
    await eventually('more are sent', async () => {
      const { rows: now } = await second.get<Batch>(nomsa, '/api/batches/big');
      return died.rows.not_sent - now.not_sent > 10 ? true : null;
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

  it('prints a link for the first administrator that works, once its database is back', {
    tags: ['long'],
  }, async () => {
    const folder = newFolder();
    const place = await newPlace('Postgres');
    const env = { PAYRUN_LEDGER: place, PAYRUN_LEDGER_FILES: join(folder, 'files'), XDG_STATE_HOME: folder };
    const served = await startConsole(folder, env);
    const client = new pg.Client({ connectionString: driverAddress(place, null) });
    await client.connect();
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE $1', [
      `payrun process ${served.child.pid} on %`,
    ]);
    await client.end();
    const links = () => [...served.said().matchAll(/"first_link":"([^"]+)"/g)].map(([, link]) => link!);
    const link = await eventually('another link is printed', async () => links()[1] ?? null);
    const token = link.split('#').at(-1)!;
    await served.post({ cookie: '', csrf: '' }, '/api/invitation', { token });
    served.child.kill('SIGTERM');
    expect((await served.ended).err).toContain('The console continues.');
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
