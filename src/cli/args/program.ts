/** How the program was started, and so how a printed command starts it again. */
import { shellWord } from '../../pipeline/outcome.ts';
import type { Streams } from '../render/screen.ts';

/** `payrun` where it is installed; in a source checkout that is no command, and the way that was taken is told. */
export function programOf(
  file: string,
  { argv0, npmScript }: { readonly argv0: string; readonly npmScript: string | undefined },
): string {
  if (!file.endsWith('.ts')) return 'payrun';
  return npmScript === 'start' ? 'npm start --' : `${shellWord(argv0)} ${shellWord(file)}`;
}

/** Replaces `payrun` in printed commands by how it was started. Ledgers, results and `--json` keep `payrun`; quoted names stay. */
const printed = /(?<=^|[\s(=])'(?:[^'\n]|'\\'')*'|(?<=^|[\s("`])payrun (?=[a-z-]+(?![\w./-]))/gm;

export function spoken(streams: Streams, program: string, json: boolean): Streams {
  if (program === 'payrun') return streams;
  const { out, err } = streams;
  const said = (text: string) => text.replaceAll(printed, (match) => (match.startsWith("'") ? match : `${program} `));
  return {
    ...streams,
    out: json ? out : { write: (text) => out.write(said(text)) },
    err: { write: (text) => err.write(said(text)), isTTY: err.isTTY },
  };
}
