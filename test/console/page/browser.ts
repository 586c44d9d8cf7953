/** A console in a process of its own, and people before it in a real Chromium: what the page's tests and pictures are made with. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';
import { expect, type TestContext } from 'vitest';
import type { Role, RowLife, Upload } from '../../../src/console/api.ts';
import { canRun, packedBrowser } from '../../packed-browser.ts';
import { mainFile, ownEnv } from '../../program.ts';
import { seatAt } from '../seated.ts';

export const password = 'wild geese over the dam';

/** Where the packages bring no Chromium: there the page is tested where an installed Chrome may be used. */
export const elsewhere = !canRun && process.env.PAYRUN_TEST_CHROME === undefined;

/** The one that comes with the packages where it can run; elsewhere an installed Chrome, or null. */
export async function openBrowser(): Promise<Browser | null> {
  const quiet = ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  if (canRun) return chromium.launch({ executablePath: await packedBrowser(), args: ['--no-sandbox', ...quiet] });
  return chromium.launch({ channel: 'chrome', args: quiet }).catch(() => null);
}

/** What each console of this file has told on its error output. */
const tellings: (() => string)[] = [];

/** The last calls of each window, and how each of them ended. */
const lately = new WeakMap<Page, { readonly request: Request; readonly at: number; end: string }[]>();
const mostCalls = 12;

function noteCalls(page: Page): void {
  const calls: { readonly request: Request; readonly at: number; end: string }[] = [];
  lately.set(page, calls);
  const ended = (request: Request, how: string) => {
    const call = calls.find((one) => one.request === request);
    if (call !== undefined) call.end = `${how} after ${Math.round(performance.now() - call.at)} ms`;
  };
  page.on('request', (request) => {
    calls.push({ request, at: performance.now(), end: 'no answer yet' });
    if (calls.length > mostCalls) calls.shift();
  });
  page.on('response', (response) => {
    const request = response.request();
    // A browser sends once more, and tells nobody, what went out on a connection that was cut before it had an answer.
    const isNew = request.timing().connectStart >= 0;
    ended(request, `${response.status()}${isNew ? ' on a new connection' : ''}`);
  });
  page.on('requestfailed', (request) => ended(request, request.failure()?.errorText ?? 'failed'));
}

function tellCalls(page: Page): string {
  const now = performance.now();
  return (lately.get(page) ?? [])
    .map(({ request, at, end }) => `${request.method()} ${request.url()} ${Math.round(now - at)} ms ago: ${end}`)
    .join('\n');
}

/** What windows show and consoles told stands beside the error of a test that failed: they say why something was refused. */
export async function tellOfWindows({ task }: TestContext, browser: Browser | null): Promise<void> {
  const [error] = task.result?.errors ?? [];
  if (error === undefined) return;
  for (const page of browser?.contexts().flatMap((context) => context.pages()) ?? []) {
    const shown = await page
      .evaluate(() => ({
        text: document.body.innerText,
        typed: [...document.querySelectorAll('input, select, textarea')].map((field) =>
          'value' in field && 'type' in field && field.type !== 'password' ? field.value : '',
        ),
      }))
      .catch(String);
    error.message += `\n\n${page.url()}: ${JSON.stringify(shown)}\n${tellCalls(page)}`;
  }
  error.message += `\n\n${tellings.map((told) => told()).join('\n')}`;
}

export interface Served {
  readonly url: string;
  /** Of the first start: makes the first administrator. */
  readonly link: string | null;
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
}

/** `payrun console` until it says where it is. */
export function serve(
  folder: string,
  env: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<Served> {
  const argv = [mainFile, 'console', '--json', ...flags];
  const child = spawn(process.execPath, argv, {
    cwd: folder,
    env: { ...ownEnv, HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  let told = '';
  let out = '';
  tellings.push(() => told);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  return new Promise((served, failed) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (!out.endsWith('\n')) return;
      const { url, first_link: link } = JSON.parse(out) as { url: string; first_link: string | null };
      served({ url, link, kill });
    });
    child.once('error', failed);
    void ended.then(() => failed(new Error(`the console ended: ${told}${out}`)));
  });
}

/** One person's browser window, and everything in it that must never happen. */
export interface Seat {
  readonly page: Page;
  /** Scripts that ran where text should stand, refusals of the content policy, errors of the page. */
  readonly alarms: string[];
}

export async function sit(browser: Browser, options: BrowserContextOptions = {}): Promise<Seat> {
  const context = await browser.newContext({ locale: 'en-ZA', viewport: { width: 1280, height: 900 }, ...options });
  // A machine with other work on it is slow; what has not come by then does not come.
  context.setDefaultTimeout(80_000);
  const page = await context.newPage();
  noteCalls(page);
  const alarms: string[] = [];
  page.on('dialog', (dialog) => {
    alarms.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => alarms.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Content-Security-Policy/i.test(message.text())) alarms.push(message.text());
  });
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`Content Security Policy: ${event.violatedDirective}`),
    );
    // What is said at the foot goes again, or gives way to the next words: a look now and then may miss it.
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    const listen = () => {
      const words = document.querySelector('.said')?.textContent ?? '';
      if (words !== '' && words !== heard.at(-1)) heard.push(words);
    };
    new MutationObserver(listen).observe(document, { subtree: true, childList: true, characterData: true });
    // What the page does every few seconds a test may have done at once.
    const looks = new Map<unknown, () => void>();
    const { setInterval, clearInterval } = globalThis;
    Object.assign(globalThis, {
      looks,
      setInterval: (look: () => void, ms: number) => {
        const timer = setInterval(look, ms);
        looks.set(timer, look);
        return timer;
      },
      clearInterval: (timer: ReturnType<typeof setInterval>) => {
        looks.delete(timer);
        clearInterval(timer);
      },
    });
  });
  return { page, alarms };
}

/** Returns a route's answer to the person who is logged in at this window. */
export const answer = async <T>(page: Page, path: string): Promise<T> =>
  (await (await page.request.get(new URL(path, page.url()).href)).json()) as T;

/** The server's answer about the sheet that this window shows, or whose plan it shows. */
export const sheetHere = async <T = Upload>(page: Page, what = ''): Promise<T> =>
  await answer(page, `/api/uploads/${new URL(page.url()).pathname.split('/')[2]}${what}`);

/** The server's answer about the row whose page this window shows. */
export const rowHere = async (page: Page): Promise<RowLife> =>
  await answer(page, `/api${new URL(page.url()).pathname}`);

/** Opens the folded part of the page that has this field. */
export const unfold = async (page: Page, label: string) =>
  await page
    .locator('details', { has: page.getByLabel(label) })
    .locator(':scope > summary')
    .click();

/** What changed elsewhere the page sees now, and not with its next look some seconds later. */
export const lookNow = async (page: Page) =>
  await page.evaluate(() => {
    for (const look of (globalThis as unknown as { looks: Map<unknown, () => void> }).looks.values()) look();
  });

/** Until the page has said it, since it was loaded: what was said before, or is said no more, counts too. */
export async function hear(page: Page, words: string): Promise<void> {
  const heard = () => page.evaluate(() => (globalThis as unknown as { heard: readonly string[] }).heard.join('\n'));
  await expect.poll(heard).toContain(words);
}

/** By the link of the first start. */
export async function becomeFirst({ page }: Seat, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await setPassword(page, 'Make the account');
}

/** An administrator's invitation, as the link that is handed over. */
export async function invite({ page }: Seat, base: string, name: string, role: Role): Promise<string> {
  await page.goto(`${base}/people`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Role').first().selectOption(role);
  await page.getByRole('button', { name: 'Make the invitation' }).click();
  return (await page.locator('.notice code').textContent()) ?? '';
}

export async function joinBy({ page }: Seat, link: string): Promise<void> {
  await page.goto(link);
  await setPassword(page, 'Set the password');
}

async function setPassword(page: Page, button: string): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('The same password again').fill(password);
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}

export interface Office {
  readonly admin: Seat;
  readonly preparer: Seat;
  readonly approver: Seat;
}

/** The three that a month needs, each in a browser of their own. */
export async function fillOffice(browser: Browser, { url, link }: Served): Promise<Office> {
  if (link === null) throw new Error('somebody has an account already');
  const [admin, preparer, approver] = await Promise.all([sit(browser), sit(browser), sit(browser)]);
  await becomeFirst(admin, link, 'Ada Admin');
  await joinBy(preparer, await invite(admin, url, 'Petra Preparer', 'preparer'));
  await joinBy(approver, await invite(admin, url, 'Anton Approver', 'approver'));
  return { admin, preparer, approver };
}

/** Two of them, as if they had joined and logged in before: on the ledger of a console that is not started yet. */
export async function seatOffice(
  browser: Browser,
  ledger: string,
): Promise<(base: string) => Promise<Omit<Office, 'admin'>>> {
  const sessions = await seatAt(ledger, password, 'Petra Preparer', 'Anton Approver');
  return async (base) => {
    const seat = async (name: keyof typeof sessions) => {
      const one = await sit(browser);
      const [cookie = '', value = ''] = sessions[name].cookie.split('=');
      await one.page.context().addCookies([{ name: cookie, value, url: base }]);
      return one;
    };
    return { preparer: await seat('Petra Preparer'), approver: await seat('Anton Approver') };
  };
}

/** Hands in a sheet on the home page; the sheet's own page is open and its check has ended. */
export async function handIn({ page }: Seat, base: string, name: string, content: string | Buffer): Promise<void> {
  await page.goto(`${base}/`);
  await page.getByLabel('Drop a CSV or XLSX file here').setInputFiles({
    name,
    mimeType: 'text/csv',
    buffer: typeof content === 'string' ? Buffer.from(content) : content,
  });
  const heading = page.getByRole('heading', { name, level: 1 });
  await heading.waitFor().catch(async (error: unknown) => {
    throw new Error(`${name} was not taken in; the page says: ${await page.locator('body').innerText()}`, {
      cause: error,
    });
  });
  await settled(page);
}

/** Until the sheet is neither being read nor checked. */
export async function settled(page: Page): Promise<void> {
  const isBusy = /Being (?:read|checked)/;
  await page.locator('.notice').filter({ hasNotText: isBusy }).first().waitFor();
  await page.locator('.notice').filter({ hasText: isBusy }).waitFor({ state: 'detached' });
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page as it is, a line each; by all its rules, or by those that are named. */
export async function axe(page: Page, ...rules: readonly string[]): Promise<readonly string[]> {
  // Each document takes it in once: that takes longer than to look.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(async (named) => {
    const { axe } = globalThis as unknown as { axe: { run: (what: Document, by: object) => Promise<AxeFound> } };
    const found = await axe.run(document, {
      resultTypes: ['violations'],
      preload: false,
      ...(named.length === 0 ? {} : { runOnly: named }),
    });
    return found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, rules);
}

interface AxeFound {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
