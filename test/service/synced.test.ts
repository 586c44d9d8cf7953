/** Before an answer tells that something was done, it is on the disk, and so is every name that leads there. */
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canLook, toldOf, watched } from '../synced.ts';
import { newFormWith } from './forms.ts';
import { addTenant, callerOf, merchantOf, paymentOf, temporaryFolder } from './started.ts';

describe.skipIf(!canLook)('a power cut takes nothing of what was told', () => {
  it('a tenant’s key and secret, in a folder that is new', async () => {
    const folder = temporaryFolder();
    const { child, told } = watched(folder, [
      'service',
      'tenant',
      'add',
      'Acme',
      '--json',
      '--data',
      join(folder, 'new/deep/data'),
    ]);
    await once(child, 'close');
    const [answer, ...others] = toldOf(told(), /apiSecret/);
    expect([answer?.lost, others]).toEqual([[], []]);
  });

  it('a payment and its document', async () => {
    const folder = temporaryFolder();
    const { child, told } = watched(folder, [
      'service',
      '--json',
      '--port',
      '0',
      '--until-eof',
      '--data',
      join(folder, 'new/data'),
    ]);
    const { url, data } = JSON.parse(String((await once(child.stdout, 'data'))[0])) as { url: string; data: string };
    const credentials = await addTenant({ dataDir: data }, 'Acme');
    const { token } = (await callerOf(url)('POST', '/token', credentials)).body;
    const call = callerOf(url, token);
    const { id } = await paymentOf(call, await merchantOf(call));
    for (let count = 0; count < 2; count += 1) {
      const { status } = await call('POST', `/payments/${id}/document`, newFormWith({}));
      expect(status).toBe(201);
    }
    child.stdin.end();
    await once(child, 'close');
    const answers = toldOf(told(), /HTTP\/1\.1 201/);
    expect(answers.map(({ lost }) => lost)).toEqual([[], [], [], []]);
  });
});
