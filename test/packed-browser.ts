/** The Chromium that comes compressed with a package, unpacked once for this checkout. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { keptOnce } from './kept-once.ts';

export const canRun = process.platform === 'linux' && process.arch === 'x64';

/** The package unpacks into the temporary folder of its process: it gets a process whose temporary folder is ours. */
const unpack = `await (await import('@sparticuz/chromium')).default.executablePath()`;

export async function packedBrowser(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const sources = [join(dirname(dirname(entry)), 'package.json')];
  const folder = await keptOnce('payrun-browser', sources, async (made) => {
    const env = { ...process.env, TMPDIR: made };
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], {
      cwd: import.meta.dirname,
      env,
    });
  });
  return join(folder, 'chromium');
}
