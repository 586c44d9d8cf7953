/** The example of docs/reference/client.md, run as it stands there: only the package's name leads to what was built for the tests. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { startService } from '../../src/service/service.ts';
import { mainFile } from '../program.ts';
import { newFolder } from '../support.ts';

const root = join(import.meta.dirname, '../..');

it('the example of docs/reference/client.md pays, attaches, lists and tells its errors apart', async () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, { default: string }>;
  };
  const built = exports['./client']!.default;
  const client = pathToFileURL(join(dirname(mainFile), basename(built))).href;
  const [, example = ''] =
    /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/reference/client.md'), 'utf8')) ?? [];
  expect(example).toContain("from 'payrun/client'");
  const folder = newFolder();
  writeFileSync(join(folder, 'example.mts'), example.replace("'payrun/client'", `'${client}'`));
  writeFileSync(join(folder, 'invoice.pdf'), '%PDF-1.7');
  const service = await startService({ dataDir: join(folder, 'service') });
  try {
    const { apiKey, apiSecret } = await service.tenants.add('Acme');
    const env = { PAYRUN_BASE_URL: service.url, PAYRUN_API_KEY: apiKey, PAYRUN_API_SECRET: apiSecret };
    const child = spawn(process.execPath, ['example.mts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    const exit = await new Promise((done) => child.once('close', done));
    expect([exit, out.split('\n')]).toEqual([
      0,
      [
        'merchant Thandi Mokoena',
        expect.stringMatching(/^payment (?:pending|processing|success), documents 1$/),
        expect.stringMatching(/^refused \(400\): POST \/merchants answered 400: .*No Bank/),
        '',
      ],
    ]);
  } finally {
    await service.close();
  }
});
