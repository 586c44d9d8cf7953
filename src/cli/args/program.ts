/** Finds out how the program was started, so that printed commands start it in the same way. */
import { shellWord } from '../../base/words.ts';
import type { Streams } from '../render/screen.ts';

/** Returns `payrun` for an installed program; for a source checkout, the command that started the program. */
export function programOf(
  file: string,
  { argv0, npmScript }: { readonly argv0: string; readonly npmScript: string | undefined },
): string {
  if (!file.endsWith('.ts')) return 'payrun';
  return npmScript === 'start' ? 'npm start --' : `${shellWord(argv0)} ${shellWord(file)}`;
}

/** Matches `payrun` in printed commands. Quoted text matches too, so that `renamed` can leave it unchanged. */
const printed = /(?<=^|[\s(=])'(?:[^'\n]|'\\'')*'|(?<=^|[\s("`])payrun (?=[a-z-]+(?![\w./-]))/gm;

export function withProgramName(streams: Streams, program: string, on: 'stderr' | 'both'): Streams {
  if (program === 'payrun') return streams;
  const { out, err } = streams;
  const renamed = (text: string) =>
    text.replaceAll(printed, (match) => (match.startsWith("'") ? match : `${program} `));
  return {
    ...streams,
    out: on === 'stderr' ? out : { write: (text) => out.write(renamed(text)) },
    err: { write: (text) => err.write(renamed(text)), isTTY: err.isTTY },
  };
}
