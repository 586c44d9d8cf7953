/**
 * The fleet's long run: one batch, several workers as real processes, a service on Postgres that fails on purpose, a worker killed every
 * few seconds and started again, whoever leads included, and the database itself killed and started again in the middle.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type FaultRule, type Service, startService } from '../../src/service/service.ts';
import { type Campaign, type CampaignOrder, chance } from '../kill/campaign.ts';
import { postgresFolder, startPostgres } from '../postgres-server.ts';
import { mainFile, ownEnv } from '../program.ts';
import { temporary } from '../temporary.ts';

export interface FleetTrial {
  readonly seed: number;
  readonly rows: number;
  readonly workers: number;
  readonly kills: Kills;
  /** How often the database is killed and started again. */
  readonly restarts: number;
  /** Each payment takes the service so long. */
  readonly latencyMs: number;
  /** Long enough for a request to be carried out that its client no longer waits for. */
  readonly horizon: string;
  /** The batch has to end in this time. */
  readonly mostMs: number;
}

/** Then it is left in peace: a batch whose leaders die more often than they get to sending goes on slowly. */
export type Kills =
  | { readonly everyMs: number; readonly forMs: number }
  /** One after each so many payments, and so many in all: whatever the machine is good for. */
  | { readonly everyRows: number; readonly most: number };

export interface FleetTold {
  readonly kills: number;
  /** Of these, of the process that led the batch. */
  readonly leaders: number;
  readonly restarts: number;
  /** How often the fleet had stopped for a person: too many answers were lost, and that of a row which was sent alone as well. */
  readonly resumed: number;
  /** How many rows were in doubt at some time, and how many calls failed on purpose. */
  readonly doubts: number;
  readonly faults: number;
  readonly seconds: number;
  /** Rows a second while there were kills, and after them; and for how many seconds at most nothing was sent. */
  readonly rates: { readonly killed: number; readonly peace: number | null; readonly longestGap: number };
  /** Workers that ended with another exit than 0 when they were stopped. */
  readonly badEnds: number;
  readonly paidTwice: number;
  readonly notEnded: number;
  readonly inDoubt: number;
  readonly audit: string;
  /** What the processes said, for a finding. */
  readonly story: readonly string[];
}

const batch = 'fleet';
const callMs = 2000;

/** One call in twenty. */
function faultsOf(seed: number, latencyMs: number): FaultRule[] {
  const often = (probability: number, kind: string) => ({
    route: 'POST /payments',
    probability,
    seed: `${seed} ${kind}`,
  });
  return [
    { route: 'POST /payments', action: { kind: 'delay', at: 'before', ms: latencyMs } },
    { ...often(0.02, 'lost answer'), action: { kind: 'drop', at: 'after', how: 'reset' } },
    { ...often(0.013, 'refused'), action: { kind: 'answer', at: 'before', status: 500, headers: {} } },
    { ...often(0.01, 'failed'), action: { kind: 'answer', at: 'after', status: 500, headers: {} } },
    { ...often(0.005, 'hang'), action: { kind: 'hang', at: 'after' } },
    { ...often(0.002, 'busy'), action: { kind: 'answer', at: 'before', status: 429, headers: { 'retry-after': '0' } } },
  ];
}

/** A process of the program, which is started again with the same words each time that it was killed. */
class Member {
  child: ChildProcess;
  leads = false;
  ended = false;
  readonly words: readonly string[];
  readonly #begin: () => ChildProcess;

  constructor(words: readonly string[], begin: (words: readonly string[]) => ChildProcess) {
    this.words = words;
    this.#begin = () => {
      const child = begin(words);
      this.leads = words[0] === 'run';
      child.once('exit', () => {
        if (this.child !== child) return;
        this.ended = true;
        this.leads = false;
      });
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes(`leads batch ${batch} (resume)`)) this.leads = true;
        else if (text.includes(`Batch ${batch}, resume`)) this.leads = false;
      });
      return child;
    };
    this.child = this.#begin();
  }

  async kill(): Promise<void> {
    await endOf(this.child, 'SIGKILL');
    this.again();
  }

  again(): void {
    this.ended = false;
    this.child = this.#begin();
  }

  stop(signal: NodeJS.Signals): Promise<number | null> {
    return endOf(this.child, signal);
  }
}

async function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  return await new Promise((done) => {
    child.once('exit', (code) => done(code));
    child.kill(signal);
  });
}

export async function fleetTrial(trial: FleetTrial): Promise<FleetTold> {
  const folder = mkdtempSync(join(temporary, 'payrun-fleet-'));
  const postgres = await startPostgres({ durable: true, folder: postgresFolder([temporary]) });
  try {
    for (const name of ['ledger', 'service']) await onServer(postgres.url, `CREATE DATABASE ${name}`);
    const service = await startService({
      dataDir: join(folder, 'service'),
      database: placeOf(postgres.url, 'service'),
      tokensPerMinute: 0,
      railLimits: null,
      faults: faultsOf(trial.seed, trial.latencyMs),
      settle: { afterMs: 500 },
    });
    try {
      return await play(trial, folder, postgres, service);
    } finally {
      await service.close();
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function play(
  { seed, rows, workers, kills: order, restarts, horizon, mostMs }: FleetTrial,
  folder: string,
  postgres: Awaited<ReturnType<typeof startPostgres>>,
  service: Service,
): Promise<FleetTold> {
  const began = performance.now();
  const draw = chance(seed);
  const sheet = join(folder, 'sheet.csv');
  writeFileSync(sheet, sheetOf(rows));
  const ledger = placeOf(postgres.url, 'ledger');
  const ask = async <T extends object>(text: string): Promise<T[]> => await onServer<T>(ledger, text).catch(() => []);
  const { apiKey, apiSecret } = await service.tenants.add('fleet');
  const env = {
    ...ownEnv,
    HOME: folder,
    PAYRUN_LEDGER: ledger,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_DATA_HOME: join(folder, 'data'),
    PAYRUN_BASE_URL: service.url,
    PAYRUN_API_KEY: apiKey,
    PAYRUN_API_SECRET: apiSecret,
    PAYRUN_HTTP_TIMEOUT: `${callMs}ms`,
    PAYRUN_DOUBT_VISIBLE: '0',
    PAYRUN_DOUBT_CONFIRM: '0',
    PAYRUN_DOUBT_HORIZON: horizon,
    PAYRUN_DOUBT_POLICY: 'resend',
  };
  const story: string[] = [];
  const tell = (words: string) => story.push(`${((performance.now() - began) / 1000).toFixed(1)} s: ${words}`);
  const begin = (words: readonly string[]) => {
    const child = spawn(process.execPath, [mainFile, ...words], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const hear = (text: string) => {
      for (const line of text.split('\n')) if (line.trim() !== '') tell(`${child.pid} ${line.slice(0, 300)}`);
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    return child;
  };
  const width = ['--concurrency', '16'];
  const members = [new Member(['run', sheet, '--batch', batch, '--json', '--concurrency', '32'], begin)];
  for (let one = 0; one < workers; one += 1) members.push(new Member(['worker', ...width], begin));
  const sent = () => service.stats().requests['POST /payments'] ?? 0;
  const isLate = () => performance.now() - began > mostMs;
  const left = async () =>
    (await ask<{ n: number }>("SELECT count(*)::int AS n FROM payrun.payout WHERE state IN ('planned', 'ready')"))[0]
      ?.n;

  let kills = 0;
  let leaders = 0;
  let restarted = 0;
  let resumed = 0;
  try {
    // Until the batch is opened nobody but its own process may lead it.
    while ((await ask('SELECT 1 FROM payrun.opening')).length === 0 && !isLate()) await sleep(100);
    const opened = performance.now();
    const sentBefore = sent();
    let stood = { sent: sentBefore, at: opened };
    let peace: { readonly sent: number; readonly at: number } | null = null;
    let longestGap = 0;
    /** Of payments, or of milliseconds. */
    const every = 'everyMs' in order ? order.everyMs : order.everyRows;
    const gone = () => ('everyMs' in order ? performance.now() - opened : sent() - sentBefore);
    let next = every;
    while (!isLate()) {
      await sleep('everyMs' in order ? 100 : 10);
      const now = { sent: sent(), at: performance.now() };
      if (now.sent > stood.sent) stood = now;
      else longestGap = Math.max(longestGap, now.at - stood.at);
      // However slow the machine is, a leader is among the killed.
      const isOver =
        leaders > 0 &&
        ('everyMs' in order ? now.at - opened > order.forMs : kills >= order.most && restarted >= restarts);
      if (isOver) peace ??= now;
      if (now.sent >= rows && (await left()) === 0) break;
      if (restarted < restarts && sent() > ((restarted + 1) * rows) / (restarts + 1)) {
        tell('the database is killed and started again');
        await postgres.restart();
        restarted += 1;
      }
      if (
        now.at - stood.at > 60_000 &&
        (await ask(`SELECT 1 FROM payrun.opening WHERE closed LIKE '%"ended"%'`)).length > 0
      ) {
        tell('nothing was sent for a minute: a person goes on');
        members.push(new Member(['resume', batch, '--json', '--wait', '0', ...width], begin));
        stood = now;
        resumed += 1;
      }
      const isNext = gone() >= next && !isOver;
      // One that was started while the database was away has ended, as systemd would see; a run has not to be given again.
      if (isNext || 'everyRows' in order)
        for (const member of members) if (member.ended && member.words[0] === 'worker') member.again();
      if (!isNext) continue;
      next = gone() + every;
      const living = members.filter(({ ended }) => !ended);
      const leading = living.filter(({ leads }) => leads);
      const isLeaders = draw(2) === 0 || ('everyRows' in order && leaders === 0);
      const from = leading.length > 0 && isLeaders ? leading : living;
      const victim = from[draw(from.length)];
      if (victim === undefined) continue;
      kills += 1;
      if (victim.leads) leaders += 1;
      tell(`${victim.child.pid} (${victim.words[0]}${victim.leads ? ', which leads' : ''}) is killed`);
      await victim.kill();
    }
    const turn = peace ?? stood;
    const perSecond = (from: typeof stood, to: typeof stood) =>
      Math.round((1000 * (to.sent - from.sent)) / Math.max(1, to.at - from.at));
    const rates = {
      killed: perSecond({ sent: sentBefore, at: opened }, turn),
      peace: peace === null ? null : perSecond(peace, stood),
      longestGap: Math.round(longestGap / 1000),
    };
    // What a person would do whom the fleet waits for, and nothing where it does not.
    for (let exit: number | null = null; exit !== 0 && exit !== 21 && !isLate(); ) {
      // A doubt that was looked at a moment ago is one still.
      await sleep(exit === 22 ? 5000 : 1000);
      exit = await new Promise((done) =>
        begin(['resume', batch, '--json', '--wait', '10s', ...width]).once('exit', done),
      );
      // The last row that was sent has no younger payment to prove it absent: twice the horizon is a person's to go by.
      const release = ['resolve', batch, '--release-absent', '--reason', 'not there after twice the horizon'];
      if (exit === 22) await new Promise((done) => begin(release).once('exit', done));
    }
    let badEnds = 0;
    for (const member of members) {
      const early = member.ended;
      const exit = await member.stop('SIGTERM');
      if (member.words[0] !== 'worker' || exit === 0) continue;
      tell(`${member.child.pid} ended with ${exit}`);
      // One that was started while the database was away.
      if (!early || exit !== 2) badEnds += 1;
    }
    const audit = begin(['audit', 'verify']);
    let verdict = '';
    audit.stdout.on('data', (text: string) => (verdict += text));
    await new Promise((done) => audit.once('close', done));
    const twice = await onServer(
      placeOf(postgres.url, 'service'),
      'SELECT tag FROM payrun_service.payments GROUP BY tag HAVING count(*) > 1',
    );
    const [paid] = await onServer<{ n: number }>(
      placeOf(postgres.url, 'service'),
      'SELECT count(DISTINCT tag)::int AS n FROM payrun_service.payments',
    );
    const states = await ask<{ state: string; n: number }>(
      'SELECT state, count(*)::int AS n FROM payrun.payout GROUP BY state',
    );
    const rowsOf = (wanted: readonly string[]) =>
      states.filter(({ state }) => wanted.includes(state)).reduce((sum, { n }) => sum + n, 0);
    tell(`${paid?.n} tags at the service; ${states.map(({ state, n }) => `${n} ${state}`).join(', ')}`);
    const [doubts] = await ask<{ n: number }>(
      `SELECT count(DISTINCT payout)::int AS n FROM payrun.trail WHERE entry LIKE '%"to":"in_doubt"%'`,
    );
    const { stats } = service;
    return {
      kills,
      leaders,
      restarts: restarted,
      resumed,
      doubts: doubts?.n ?? 0,
      faults: Object.entries(stats().faults).reduce((sum, [kind, n]) => sum + (kind === 'delay' ? 0 : n), 0),
      seconds: (performance.now() - began) / 1000,
      rates,
      badEnds,
      paidTwice: twice.length,
      notEnded: rows - Math.min(rowsOf(['succeeded']), paid?.n ?? 0),
      inDoubt: rowsOf(['sending', 'in_doubt', 'absent', 'withheld', 'held', 'duplicate', 'duplicate_paid']),
      audit: verdict.trim(),
      story,
    };
  } finally {
    for (const member of members) await member.stop('SIGKILL');
  }
}

/** Rows that are all of one kind, to a hundred payees. */
function sheetOf(rows: number): string {
  const lines = ['row_id,name,country,contact_number,amount,reference'];
  for (let row = 1; row <= rows; row += 1) {
    const payee = row % 100;
    lines.push(
      `k${row},Payee ${payee},Kenya,+2547123456${String(payee).padStart(2, '0')},${100 + (row % 400)},Ref ${row}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function placeOf(address: string, database: string): string {
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer<T extends object>(address: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: address });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Batches of so many rows until the time is over; the one that is under way then still has to end. */
export async function fleetCampaign({ seed, minutes, rows = 100_000 }: CampaignOrder): Promise<Campaign> {
  const end = performance.now() + minutes * 60_000;
  const found = { 'paid twice': 0, 'not ended': 0, 'in doubt': 0, 'broken audits': 0, 'bad ends': 0 };
  const sums = { kills: 0, restarts: 0, resumed: 0, doubts: 0, faults: 0 };
  let next = seed;
  do {
    const killForMs = Math.max(30_000, end - performance.now());
    const told = await fleetTrial({
      seed: next,
      rows,
      workers: 4,
      kills: { everyMs: 10_000, forMs: killForMs },
      restarts: 2,
      latencyMs: 20,
      horizon: '12s',
      // Each payment is sent, and then asked after by its id.
      mostMs: 2 * killForMs + 5 * 60_000 + 30 * rows,
    });
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += told[name];
    const isWhole = told.audit.includes('Whole: ');
    found['paid twice'] += told.paidTwice;
    found['not ended'] += told.notEnded;
    found['in doubt'] += told.inDoubt;
    found['broken audits'] += isWhole ? 0 : 1;
    found['bad ends'] += told.badEnds;
    const sound = isWhole && told.paidTwice + told.notEnded + told.inDoubt + told.badEnds === 0;
    process.stdout.write(`seed ${next}: ${JSON.stringify({ ...told, story: undefined })}\n`);
    if (!sound) process.stdout.write(`  ${told.story.join('\n  ')}\n`);
    next += 1;
  } while (performance.now() < end);
  const trials = next - seed;
  const { kills, restarts, resumed, doubts, faults } = sums;
  const what = `${trials} batches of ${rows} rows: ${faults} failed calls, ${kills} kills, ${restarts} restarts, ${doubts} rows in doubt, ${resumed} resumes`;
  return { lastSeed: next - 1, trials, what, found };
}
