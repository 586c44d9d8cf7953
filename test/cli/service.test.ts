/** `payrun service`: the payout service by itself, a process of its own. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openClient, Secret } from '../../src/client/client.ts';
import { mainFile } from '../program.ts';
import { addTenant, addUser } from '../service/started.ts';
import { command, newFolder, start, until } from '../support.ts';

/** Its stdin is at its end from the start, as in cron and under systemd. */
function service(data: string, ...more: string[]) {
  return start({ env: {}, folder: data }, ['service', '--json', '--port', '0', '--data', data, ...more]);
}

it('--until-eof ends where stdin is at its end from the start', async () => {
  const { exit, out, err } = await service(newFolder(), '--until-eof').ended;
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  expect(out).toContain('"url":"http://127.0.0.1:');
});

it('--public-url is where documents are, behind a proxy', async () => {
  const { child, ended } = service(newFolder(), '--public-url', 'https://pay.example/v1');
  const { url } = JSON.parse(String((await once(child.stdout!, 'data'))[0])) as { url: string };
  const description = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: unknown };
  expect(description.servers).toEqual([{ url: 'https://pay.example/v1' }]);
  child.kill('SIGTERM');
  await ended;
});

it('what a profile and a tenant may have is set where it starts', async () => {
  const data = newFolder();
  const { child, ended } = service(data, '--momo-accounts', '1', '--uploads', '2', '--upload-space', '1');
  const { url } = JSON.parse(String((await once(child.stdout!, 'data'))[0])) as { url: string };
  const { apiKey, apiSecret } = await addTenant({ dataDir: data }, 'Acme');
  const { userId } = await addUser({ dataDir: data }, apiKey, { email: 'a@example.com', name: 'A' });
  const client = openClient({
    baseUrl: url,
    apiKey: new Secret(apiKey),
    apiSecret: new Secret(apiSecret),
    userId,
    concurrency: 1,
    timeoutMs: 60_000,
  });
  const upload = (size: number) =>
    client.uploadKycDocument(userId, 'other', { name: 'a.pdf', type: '', content: Buffer.alloc(size, '%PDF-') });
  await expect(upload(1024 * 1024 + 1)).rejects.toMatchObject({ status: 422 });
  await upload(10);
  await upload(10);
  await expect(upload(10)).rejects.toMatchObject({ status: 422, outcome: 'refused' });
  const account = { mobileNetwork: 'MOMO', countryCode: 'KE' } as const;
  await client.addMomoAccount({ ...account, phoneNumber: '+254712345678' });
  const second = client.addMomoAccount({ ...account, phoneNumber: '+254712345679' });
  await expect(second).rejects.toMatchObject({ status: 422, message: expect.stringContaining('may have 1 momo') });
  client.close();
  child.kill('SIGTERM');
  await ended;
});

it('a second one on the same data is refused and told who holds it, until that one is dead', async () => {
  const data = newFolder();
  const first = service(data);
  await once(first.child.stdout!, 'data');
  const second = await service(data, '--until-eof').ended;
  expect(second.exit).toBe(2);
  expect(second.err).toContain(data);
  expect(second.err).toContain(`process ${first.child.pid}, since `);
  expect(second.err).toContain('--data');
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await service(data, '--until-eof').ended).toMatchObject({ exit: 0, err: '' });
});

it('a fault for a route that does not exist is refused with those that do: it would never strike', async () => {
  const data = newFolder();
  const faults = join(data, 'faults.json');
  writeFileSync(faults, '[{"route":"POST /payment","action":{"kind":"drop","at":"after"}}]');
  const { exit, err } = await command({ env: {}, folder: data }, ['service', '--faults', faults]);
  expect(exit).toBe(2);
  expect(err).toMatch(/'POST \/payment', .*POST \/payments, /);
});

const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/call-the-service.md'), 'utf8');

it.skipIf(spawnSync('curl', ['--version']).status !== 0)(
  'docs/how-to/call-the-service.md: its reader has verified a user, paid with a document and got a webhook',
  async () => {
    const folder = newFolder();
    const { child, ended } = service(folder);
    const windows: ChildProcess[] = [];
    try {
      const { url } = JSON.parse(String((await once(child.stdout!, 'data'))[0])) as { url: string };
      const [second, third] = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script]) =>
        script!
          .replace('http://127.0.0.1:8080', url)
          .replaceAll('./service-data', folder)
          .replaceAll(/^payrun /gm, `${process.execPath} ${mainFile} `),
      );
      const env = { ...process.env, XDG_STATE_HOME: folder, XDG_DATA_HOME: folder };
      const ear = spawn('sh', ['-euc', second!.replace('9000', '0')], { cwd: folder, env, detached: true });
      windows.push(ear);
      let heard = '';
      ear.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text));
      await until('the second window listens', () => heard.includes('/\n'));
      const port = /:(\d+)\/\n/.exec(heard)![1]!;
      const { stdout } = await promisify(execFile)('sh', ['-euc', third!.replace('9000', port)], { cwd: folder, env });
      expect(stdout).toContain('"documentType":"passport"');
      expect(stdout).toContain(' is verified.');
      expect(stdout).toContain('"defaultMomoAccountId":"');
      expect(stdout).toContain('"presignedUrlExpiresInSeconds":900');
      expect(stdout).toMatch(/"fromCountry":"Kenya".*"status":"success"|"status":"success".*"fromCountry":"Kenya"/);
      await until('the second window hears of the end', () =>
        / {2}success {2}25000 NGN {2}Invoice 7 {2}payment /.test(heard),
      );
    } finally {
      for (const { pid } of windows) process.kill(-pid!, 'SIGKILL');
      child.kill('SIGTERM');
      await ended;
    }
  },
);

it.each([
  ['postgres://payrun:secret@127.0.0.1/payrun', 'PAYRUN_SERVICE_DATABASE'],
  ['mysql://127.0.0.1/payrun', 'postgres://'],
])('--database %s is refused with what to do', async (url, words) => {
  const { exit, err } = await command({ env: {}, folder: newFolder() }, ['service', '--database', url]);
  expect(exit).toBe(2);
  expect(err).toContain(words);
  expect(err).not.toContain('secret');
});
