/** Writes commands as the reader types them: with the name of the program that the reader started. */
import { AsyncLocalStorage } from 'node:async_hooks';

const programs = new AsyncLocalStorage<string>();

/** Calls `act`, in which `typed` writes commands of this program. */
export const inProgram = <T>(name: string, act: () => T): T => programs.run(name, act);

/** Calls `act`, which writes for other readers: files and `--json` have the name of the installed program. */
export const forOthers = <T>(act: () => T): T => inProgram('payrun', act);

export const programName = (): string => programs.getStore() ?? 'payrun';

export const typed = (command: string): string => `${programName()} ${command}`;
