/** A hot folder for tests: what is put in, a pass of the watcher, and what it answered. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Independent } from '../independent/service.ts';
import { handClock } from '../protocol/desk.ts';
import { command, type Desk, deskFor, newService, type SheetRow } from '../support.ts';

export interface HotClock extends Clock {
  /** How often somebody began to sleep. */
  sleeps: number;
}

/** No wait for the service takes any time; files rest for real, since a disk has its own clock. */
export function hotClock(): HotClock {
  const { sleep, ...others } = handClock();
  const clock: HotClock = {
    ...others,
    sleeps: 0,
    async sleep(delayMs, signal) {
      clock.sleeps += 1;
      await (delayMs < 500 ? systemClock.sleep(delayMs, signal) : sleep(delayMs));
    },
  };
  return clock;
}

export interface Hot {
  readonly desk: Desk;
  readonly folder: string;
  /** Where it is not there. */
  make(): void;
  put(name: string, text: string): string;
  /** `--once`, on files that stood still for a moment. */
  once(...more: string[]): ReturnType<typeof command>;
  /** An answer as it stands in `out`; null where there is none. */
  answer(name: string): Record<string, unknown> | null;
  out(): string[];
  /** The time passes until what is open is tried again. */
  later(name: string): void;
}

export function hotFolder(desk: Desk): Hot {
  const folder = join(desk.folder, 'hot');
  const make = () => void mkdirSync(folder, { recursive: true });
  make();
  const inside = (...names: string[]) => join(folder, ...names);
  return {
    desk,
    folder,
    make,
    put(name, text) {
      writeFileSync(inside(name), text);
      return inside(name);
    },
    async once(...more) {
      const wait = more.includes('--wait') ? [] : ['--wait', '5s'];
      return await command(desk, ['watch', folder, '--once', '--still', '20ms', ...wait, ...more]);
    },
    answer(name) {
      const path = inside('out', name);
      return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>) : null;
    },
    out: () =>
      readdirSync(inside('out'))
        .filter((name) => name !== '.payrun-files.jsonl')
        .sort(),
    later(name) {
      const record = inside('taken', name, 'taken.json');
      writeFileSync(record, readFileSync(record, 'utf8').replace(/"again_at": ".*"/, '"again_at": null'));
    },
  };
}

export async function newHotFolder(
  rows: readonly SheetRow[],
  env: Record<string, string> = {},
): Promise<{ readonly service: Independent; readonly hot: Hot; readonly clock: HotClock }> {
  const clock = hotClock();
  const service = await newService(clock);
  return { service, clock, hot: hotFolder({ ...deskFor(service, rows, env), clock }) };
}
