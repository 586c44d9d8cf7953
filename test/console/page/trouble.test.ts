/** The console's page when things go wrong, or are large: faults of the service, cut connections, a kill of the server, 100,000 rows. */
import { createServer, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Batch } from '../../../src/console/api.ts';
import { pageWords } from '../../../src/messages/next-actions.ts';
import type { StoredPayment } from '../../independent/service.ts';
import { csvOf, deskFor, expectOnePaymentEach, kenyanRows, newFolder, newService } from '../../support.ts';
import {
  answer,
  becomeFirst,
  elsewhere,
  handIn,
  invite,
  openBrowser,
  password,
  rowHere,
  type Served,
  seatOffice,
  serve,
  sit,
  tellOfWindows,
} from './browser.ts';
import { approve, finish, goOn, payIt, plan, rowsOf, wholeWay } from './steps.ts';

let browser: Browser | null = null;
const servers: Served[] = [];
beforeAll(async () => {
  browser = await openBrowser();
});
afterEach((context) => tellOfWindows(context, browser));
afterAll(async () => {
  await browser?.close();
  for (const server of servers) await server.kill('SIGKILL');
});

/** There is always one on the systems that the packages bring it for. */
function chrome(): Browser {
  if (browser === null) throw new Error('this machine has no Chromium');
  return browser;
}

async function open(
  env: Readonly<Record<string, string>>,
  folder: string,
  ...flags: readonly string[]
): Promise<Served> {
  const server = await serve(folder, env, ...(flags.includes('--port') ? [] : ['--port', '0']), ...flags);
  servers.push(server);
  return server;
}

/** How soon a doubt can be settled. */
const quick = {
  PAYRUN_HTTP_TIMEOUT: '3s',
  PAYRUN_DOUBT_HORIZON: '0',
  PAYRUN_DOUBT_CONFIRM: '0',
  PAYRUN_DOUBT_POLICY: 'resend',
};

describe.skipIf(elsewhere)('the page', () => {
  it('shows progress while the service fails now and then, and each payment is made once', {
    tags: ['long'],
  }, async () => {
    const rows = kenyanRows(40);
    const service = await newService();
    const desk = deskFor(service, rows, quick);
    // Some answers are lost after the payment was made, some calls fail before.
    service.fault = ({ route, nth }) => {
      if (route !== 'POST /payments') return undefined;
      if (nth === 4) return { kind: 'drop', after: true };
      return nth === 17 ? { kind: 'answer', status: 503 } : undefined;
    };
    const seats = await seatOffice(chrome(), desk.ledger);
    const served = await open(desk.env, desk.folder);
    const office = await seats(served.url);
    await wholeWay(office, served.url, rows, 'faults');
    const { page } = office.preparer;
    // What was lost before the service had it is proven absent, and sent again once an approver says so.
    await finish(page, pageWords({ action: 'explain-row', batch: 'faults', row: '', why: null }));
    expect((await answer<Batch>(page, '/api/batches/faults')).next).toContainEqual(
      expect.objectContaining({ action: 'resolve', at: expect.objectContaining({ status: 'in doubt' }) }),
    );
    await page.getByRole('button', { name: 'in doubt: show these rows' }).click();
    const doubt = page.getByRole('region', { name: 'Rows', exact: true }).getByRole('link');
    await expect.poll(() => doubt.count()).toBe(1);
    const { page: approver } = office.approver;
    await approver.goto(new URL((await doubt.getAttribute('href')) ?? '', served.url).href);
    expect(await rowHere(approver)).toMatchObject({ status: 'in doubt', action: 'resolve', decides: 'absent' });
    await approver.getByRole('button', { name: 'Release this row' }).click();
    await approver.getByLabel('Reason').fill('The service answered 503 and has no payment.');
    await approver.getByLabel('Your password').fill(password);
    await approver.getByRole('button', { name: 'Release it' }).click();
    await approver.getByRole('dialog').waitFor({ state: 'detached' });
    await finish(page, '40 of 40 rows paid.');
    expectOnePaymentEach(service, rows);
    await page.getByRole('img', { name: 'Payments over time' }).waitFor();
    expect(office.preparer.alarms).toEqual([]);
  });

  it('is stopped and goes on; says when the server is gone, connects again by itself, and goes on where it was', async () => {
    const rows = kenyanRows(30);
    const service = await newService();
    const desk = deskFor(service, rows, quick);
    // The service makes the payments beyond `most` and does not answer, so the run hangs.
    const holdAfter = (most: number) => {
      let release = () => {};
      const held = new Promise<void>((done) => {
        release = done;
      });
      let hanging = 0;
      service.fault = ({ route, nth }) => {
        if (route !== 'POST /payments' || nth <= most) return undefined;
        hanging += 1;
        return { kind: 'hold', until: held, after: true };
      };
      return {
        // All 8 calls that a run makes at a time: a kill then cuts no call that the service does not have.
        reached: () => expect.poll(() => hanging).toBe(8),
        release: () => {
          service.fault = () => undefined;
          release();
        },
      };
    };
    const first = holdAfter(5);
    const seats = await seatOffice(chrome(), desk.ledger);
    // No call that is held is given up, however long the page takes meanwhile.
    const served = await open({ ...desk.env, PAYRUN_HTTP_TIMEOUT: '60s' }, desk.folder);
    const office = await seats(served.url);
    await wholeWay(office, served.url, rows, 'killed');
    const { page } = office.preparer;
    await first.reached();
    await page.getByRole('button', { name: 'being sent: show these rows' }).waitFor();
    expect(await page.getByRole('button', { name: 'in doubt: show these rows' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.notice strong', { hasText: 'Petra Preparer' }).waitFor();
    const { job, running } = await answer<Batch>(page, '/api/batches/killed');
    expect([running, job]).toMatchObject([true, { state: 'stopping', code: 'JOB_STOPPING' }]);
    expect(await page.getByRole('main').getByRole('progressbar').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    first.release();
    await page.getByText(/Stopped by \w+/).waitFor();
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    const sent = service.calls.get('POST /payments') ?? 0;
    expect(sent).toBeLessThan(rows.length);
    const second = holdAfter(sent + 2);
    await goOn(page);
    await second.reached();
    await served.kill('SIGKILL');
    await page.locator('.lost').waitFor();
    second.release();
    await open(desk.env, desk.folder, '--port', new URL(served.url).port);
    await page.locator('.lost').waitFor({ state: 'detached' });
    await finish(page, '30 of 30 rows paid.');
    expectOnePaymentEach(service, rows);
  });

  it('does once what the browser sends again, since its connection was cut before the answer', {
    tags: ['long'],
  }, async () => {
    const folder = newFolder();
    const served = await open({ PAYRUN_LEDGER: join(folder, 'ledger.db') }, folder, '--sandbox');
    await using way = await cuttingProxy('/api/people');
    const admin = await sit(chrome(), { proxy: { server: way.url, bypass: '<-loopback>' } });
    await becomeFirst(admin, served.link ?? '', 'Ada Admin');
    // What goes out on a new connection is not sent again.
    const names: string[] = [];
    for (; way.cut.length === 0 && names.length < 20; names.push(`Petra ${names.length}`))
      expect(await invite(admin, served.url, `Petra ${names.length}`, 'preparer')).toMatch(/\/join#/);
    expect([way.cut, way.sent]).toEqual([[201], names.length + 1]);
    const invited = admin.page.getByRole('row', { name: 'link not used' });
    await expect.poll(() => invited.count()).toBe(names.length);
  });

  it('holds the row that a payment made elsewhere repeats, says which payment, and ends without the row', {
    tags: ['long'],
  }, async () => {
    const rows = kenyanRows(3);
    const service = await newService();
    const desk = deskFor(service, rows, quick);
    const seats = await seatOffice(chrome(), desk.ledger);
    const served = await open(desk.env, desk.folder);
    const office = await seats(served.url);
    const { page } = office.preparer;
    await wholeWay(office, served.url, rowsOf('Before', 5000, 3), 'before');
    await page.getByText('3 of 3 rows paid.').first().waitFor();
    await handIn(office.preparer, served.url, 'nov.csv', csvOf(rows));
    await plan(office.preparer, 'nov');
    await approve(office.approver, served.url, 'nov.csv', 'nov');
    const { tag: _tag, ends: _ends, ...like } = service.payments.find(({ reference }) => reference === 'Before 1')!;
    const said = { id: 'hand', createdAtMs: Date.now(), ends: 'success', reference: 'Ref 1', amount: 100 };
    service.payments.push({ ...like, ...said } as unknown as StoredPayment);
    await payIt(office.preparer, served.url, 'nov.csv');
    await page.getByRole('link', { name: /^Open row 2, / }).click();
    await page.locator('.warning', { hasText: 'payment hand' }).waitFor();
    expect(await rowHere(page)).toMatchObject({ status: 'held', action: 'resolve', decides: 'repeat', mayDrop: true });
    const { rows: standing, next, goOn } = await answer<Batch>(page, '/api/batches/nov');
    expect([standing, goOn]).toMatchObject([{ paid: 2, held: 1, not_sent: 0 }, null]);
    expect(next).toMatchObject([{ action: 'resolve', at: { status: 'held', number: 2 } }]);
    await page.getByRole('button', { name: 'Do not pay this row' }).click();
    const reason = 'Paid by hand.';
    await page.getByLabel('Reason').fill(reason);
    await page.getByRole('button', { name: 'It is not to be paid' }).click();
    await page.getByText(reason).first().waitFor();
    expect(await page.getByRole('button', { name: 'Do not pay this row' }).count()).toBe(0);
    expect(office.preparer.alarms).toEqual([]);
  });

  it('100,000 rows are scrolled, filtered and searched, with what is in view fetched alone', {
    tags: ['long'],
  }, async () => {
    // A window of its own, which is watched from its first script on.
    const folder = newFolder();
    const env = { PAYRUN_LEDGER: join(folder, 'ledger.db'), XDG_STATE_HOME: join(folder, 'state') };
    const seats = await seatOffice(chrome(), env.PAYRUN_LEDGER);
    const served = await open(env, folder, '--sandbox');
    const { preparer } = await seats(served.url);
    const page = await preparer.page.context().newPage();
    const rows = kenyanRows(100_000, 90).map((row, index) => (index % 50 === 7 ? { ...row, country: 'Keyna' } : row));
    await page.addInitScript(() => {
      const long: number[] = [];
      Object.assign(globalThis, { long });
      new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
        buffered: true,
      });
    });
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/rows?')) asked += 1;
    });
    await handIn({ page, alarms: [] }, served.url, 'large.csv', csvOf(rows));
    await page.locator('.notice', { hasText: 'To fix.' }).waitFor();
    const grid = page.getByRole('grid');
    await grid.getByRole('gridcell').first().waitFor();
    // Until here the test itself made a file of 10 MB within the page.
    await page.evaluate(() => {
      (globalThis as unknown as { long: number[] }).long.length = 0;
    });
    await page.getByLabel('Show', { exact: true }).selectOption('all');
    await page.getByText('100,000 rows.').or(page.getByText('100 000 rows.')).first().waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('100001');
    for (let step = 1; step <= 40; step += 1) {
      // Until it is drawn there.
      await grid.evaluate(async (element, part) => {
        element.scrollTop = (element.scrollHeight * part) / 40;
        const frame = async () => await new Promise(requestAnimationFrame);
        await frame().then(frame);
      }, step);
    }
    await grid.getByRole('rowheader', { name: /^100001:/ }).waitFor();
    expect(await grid.getByRole('row').count()).toBeLessThan(60);
    expect(asked).toBeLessThan(150);
    await page.getByLabel('Show', { exact: true }).selectOption('to_fix');
    await page.getByText(/^2.000 rows\.$/).waitFor();
    await page.getByLabel('Search in the rows').fill('Ref 99958');
    await page.getByText(/^1 row\.$/).waitFor();
    const long = await page.evaluate(() => (globalThis as unknown as { long: number[] }).long.filter((ms) => ms > 100));
    // Told, not asserted: how long a task takes says as much of the machine as of the page.
    console.log(
      `100,000 rows: ${long.length} tasks of the page took over 100 ms${long.length === 0 ? '' : ` (${long.map(Math.round).join(', ')} ms)`}; ${asked} requests for rows`,
    );
  });
});

/** On the way to the console: cuts a connection, where the answer to the first request to this path should come that it was not made for. */
async function cuttingProxy(path: string) {
  const used = new WeakSet<Socket>();
  const way = { cut: [] as number[], sent: 0 };
  const proxy = createServer((asked, reply) => {
    const { method, url = '', headers, socket } = asked;
    const isMeant = method === 'POST' && new URL(url).pathname === path;
    const cuts = isMeant && used.has(socket) && way.cut.length === 0;
    if (isMeant) way.sent += 1;
    used.add(socket);
    const carryBack = (status: number, answered: OutgoingHttpHeaders, body: Buffer) => {
      if (cuts) {
        way.cut.push(status);
        socket.destroy();
      } else reply.writeHead(status, answered).end(body);
    };
    const further = request(url, { method, headers }, (answer) => {
      buffer(answer).then(
        (body) => carryBack(answer.statusCode ?? 0, answer.headers, body),
        () => socket.destroy(),
      );
    });
    further.on('error', () => socket.destroy());
    asked.pipe(further);
  });
  proxy.keepAliveTimeout = 60_000;
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  return Object.assign(way, {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((closed) => proxy.close(closed));
    },
  });
}
