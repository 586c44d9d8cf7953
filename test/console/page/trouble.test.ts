/** The console's page while its server is stopped, killed and started again. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Batch } from '../../../src/console/api.ts';
import { quickPasswords, stretchCheaply } from '../../stretched-once.ts';
import { deskFor, expectOnePaymentEach, kenyanRows, newService } from '../../support.ts';
import { answer, elsewhere, openBrowser, type Served, seatOffice, serve, tellOfWindows } from './browser.ts';
import { finish, goOn, wholeWay } from './steps.ts';

stretchCheaply();

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

async function open(env: Readonly<Record<string, string>>, folder: string, port = '0'): Promise<Served> {
  const server = await serve(folder, env, '--port', port);
  servers.push(server);
  return server;
}

/** How soon a doubt can be settled, and a password is stretched. */
const quick = {
  ...quickPasswords,
  PAYRUN_HTTP_TIMEOUT: '3s',
  PAYRUN_DOUBT_HORIZON: '0',
  PAYRUN_DOUBT_CONFIRM: '0',
  PAYRUN_DOUBT_POLICY: 'resend',
};

describe.skipIf(elsewhere)('the page', () => {
  it('is stopped and goes on; says when the server is gone, connects again by itself, and goes on where it was', async () => {
    const rows = kenyanRows(26);
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
    await page.locator('header + .failure').waitFor();
    second.release();
    await open(desk.env, desk.folder, new URL(served.url).port);
    await page.locator('header + .failure').waitFor({ state: 'detached' });
    await finish(page, '26 of 26 rows paid.');
    expectOnePaymentEach(service, rows);
  });
});
