/** A page of the docs, walked as it stands there: its commands in their order, each with the exit code that the page says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { command, type Desk } from './support.ts';

interface Step {
  readonly line: string;
  readonly argv: readonly string[];
  readonly exit: number;
}

export interface Walk {
  readonly page: string;
  /** The next commands of the page, all of which begin so; what they printed. */
  next(desk: Pick<Desk, 'env' | 'folder'>, ...beginnings: string[]): Promise<string>;
  /** That nothing of the page was left out. */
  end(): void;
}

export function walkPage(name: string): Walk {
  const page = readFileSync(join(import.meta.dirname, '..', 'docs', name), 'utf8');
  const steps = [...page.matchAll(/^payrun (.*?)(?: # (\d+))?$/gm)].map(([, line, exit = '0']): Step => {
    const argv = [...line!.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
    return { line: argv.join(' '), argv, exit: Number(exit) };
  });
  let walked = 0;
  return {
    page,
    async next(desk, ...beginnings) {
      let printed = '';
      for (const beginning of beginnings) {
        const { line, argv, exit } = steps[walked++]!;
        expect(line).toMatch(new RegExp(`^${beginning}`));
        const ran = await command(desk, argv);
        expect([line, ran.exit, exit === 0 ? ran.err : ''], ran.out + ran.err).toEqual([line, exit, '']);
        printed += ran.out + ran.err;
      }
      return printed;
    },
    end() {
      expect(walked).toBe(steps.length);
    },
  };
}
