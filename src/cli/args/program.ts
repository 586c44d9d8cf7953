/** Finds out how the program was started, so that printed commands start it in the same way. */
import { shellWord } from '../../base/words.ts';

/** Returns `payrun` for an installed program; for a source checkout, the command that started the program. */
export function programOf(
  file: string,
  { argv0, npmScript }: { readonly argv0: string; readonly npmScript: string | undefined },
): string {
  if (!file.endsWith('.ts')) return 'payrun';
  return npmScript === 'start' ? 'npm start --' : `${shellWord(argv0)} ${shellWord(file)}`;
}
