/** One trial: a run is killed, the same command is run until it ends by itself, perhaps killed again, then judged. */
import { wordOf } from '../../src/domain/rows/row-states.ts';
import { type Finding, folded, judgeDeath, judgeEnd, judgeFinish, judgePayments, judgeRows } from './judge.ts';
import { begin, type SceneName, sceneOf, settleLate, well } from './scenes.ts';
import { newWorld, type Ran, run, storedRows, type World } from './world.ts';

export interface Death {
  readonly at: string;
  readonly k: number;
}

export interface Trial {
  readonly scene: SceneName;
  /** The first death, and those of the runs that mend it. */
  readonly deaths: readonly Death[];
  readonly rows: number;
  readonly concurrency: number;
  readonly documents: number;
}

export interface Struck {
  readonly trial: Trial;
  /** Which of the deaths came about: a run may end before its moment comes. */
  readonly kills: number;
  readonly findings: readonly Finding[];
  /** Every run, with the states of the rows after it: what a person needs to see what went wrong. */
  readonly story: readonly string[];
}

export async function strike(trial: Trial): Promise<Struck> {
  const scene = sceneOf(trial.scene);
  const world = await newWorld({
    ...trial,
    ...(scene.shape === undefined ? {} : { shape: scene.shape }),
    ...(scene.env === undefined ? {} : { env: scene.env }),
  });
  try {
    await begin(world, scene);
    const findings: Finding[] = [];
    const story = [tell(world, 'begins')];
    let kills = 0;
    const command = scene.command?.(world);
    for (const [index, { at, k }] of trial.deaths.entries()) {
      const ran = await run(world, { POINT: `${at}:${k}` }, index === 0 ? command : undefined);
      world.service.fault = well;
      story.push(tell(world, `${at}:${k}`, ran));
      findings.push(...(await judgePayments(world)));
      if (ran.signal === 'SIGKILL') kills += 1;
      if (ran.signal === 'SIGKILL') findings.push(...judgeDeath(world));
      else findings.push(...judgeEnd(ran), ...(await judgeRows(world, ran)));
    }
    if (command !== undefined) {
      const again = await run(world, {}, command);
      story.push(tell(world, command[0]!, again));
      findings.push(...judgeEnd(again), ...(await judgePayments(world)));
    }
    findings.push(...(await mend(world, story)));
    if (scene.fault !== undefined) {
      await settleLate(world);
      findings.push(...(await mend(world, story)));
    }
    return { trial, kills, findings, story };
  } finally {
    await world.close();
  }
}

/** The same command until nothing is left to do, at most three times; then everything must be as it should. */
export async function mend(world: World, story: string[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let runs = 1; ; runs += 1) {
    // What is made late, after the last look, no look can find.
    const listed = new Set((await world.payments()).map(folded));
    const ran = await run(world);
    story.push(tell(world, 'again', ran));
    findings.push(...judgeEnd(ran), ...(await judgePayments(world)), ...(await judgeRows(world, ran)));
    const open = storedRows(world).some(({ state }) => wordOf[state] === 'not sent');
    if (runs < 3 && (open || ![0, 21, 22, 23].includes(ran.exit ?? -1))) continue;
    return [...findings, ...(await judgeFinish(world, ran, listed))];
  }
}

export function tell(world: World, what: string, ran?: Ran): string {
  const rows = storedRows(world).map(({ key, state }) => `${key}:${state}`);
  const made = world.service.payments.map(({ reference }) => reference.replace('Ref ', 'k'));
  const end = ran === undefined ? '' : ` -> ${ran.signal ?? `exit ${ran.exit}`}`;
  return `${what}${end} | ledger: ${rows.join(' ')} | service: ${made.join(' ')}`;
}
