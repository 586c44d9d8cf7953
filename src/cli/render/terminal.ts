/** Asks for a secret at the terminal, and does not show the typed letters. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { usage } from '../compose/command-context.ts';

export async function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  const stopped = new AbortController();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = createInterface({ input: stdin, output: nowhere, terminal: true });
  for (const end of ['SIGINT', 'close']) line.once(end, () => stopped.abort());
  stderr.write(question);
  try {
    return await line.question('', { signal: stopped.signal });
  } catch {
    throw usage('no passphrase was given; nothing was written');
  } finally {
    line.close();
    stderr.write('\n');
  }
}
