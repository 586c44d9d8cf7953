/** A browser may send a POST again by itself, where its connection was cut before the answer came: nothing is done twice for that. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forAnyone } from '../../src/console/route.ts';
import { buildServer } from '../../src/console/server.ts';
import { type Browser, openDesk } from './served.ts';

const newKey = () => ({ 'x-payrun-once': randomBytes(16).toString('hex') });

describe('a POST that comes twice', () => {
  it('is carried out once, and answered as the first time', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const key = newKey();
    const invite = () => ann.post('/api/people', { name: 'Ben', role: 'preparer' }, key);
    const [one, two] = await Promise.all([invite(), invite()]);
    const later = await invite();
    expect([one.status, two.text, later.text]).toEqual([201, one.text, one.text]);
    expect(later.headers).toMatchObject({ 'content-type': one.headers['content-type'], 'cache-control': 'no-store' });
    expect(desk.ledger.people.accounts().map(({ name }) => name)).toEqual(['Ann', 'Ben']);
  });

  it('is another one with another key, at another place, or of somebody else', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const key = newKey();
    const invite = async (who: Browser, name: string, more: object) =>
      (await who.post('/api/people', { name, role: 'preparer' }, { ...more })).status;
    const other = await desk.again('Ann', 'administrator');
    expect([
      await invite(ann, 'Ben', key),
      await invite(ann, 'Ben', newKey()),
      await invite(other, 'Cas', key),
      (await ann.post('/api/session/seen', {}, key)).status,
      // Who says none asks each time.
      await invite(ann, 'Dan', {}),
      await invite(ann, 'Dan', {}),
    ]).toEqual([201, 409, 201, 204, 201, 409]);
  });

  it('is answered to nobody from elsewhere', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const key = newKey();
    const body = { name: 'Ben', role: 'preparer' };
    expect((await ann.post('/api/people', body, key)).status).toBe(201);
    const foreign = await ann.post('/api/people', body, { ...key, origin: 'https://example.com' });
    const stranger = await desk.browser().post('/api/people', body, key);
    expect([foreign.status, stranger.status]).toEqual([403, 401]);
  });

  it('is done anew where the first one did not come whole', async () => {
    let done = 0;
    const route = forAnyone({ method: 'POST', path: '/api/count', body: z.object({}) }, async () => {
      done += 1;
      return { done };
    });
    const origins: string[] = [];
    const { app, close } = buildServer({
      routes: [route],
      page: { at: () => null },
      origins: () => origins,
      tls: null,
      behindProxy: false,
      secure: false,
      sessions: { whoIs: () => null, bearsToken: () => true },
      log: (words) => expect.fail(words),
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    origins.push(url);
    const headers = { ...newKey(), origin: url, 'content-type': 'application/json', 'content-length': '2' };
    const send = (body: string) =>
      new Promise<string>((told, failed) => {
        const sent = request(`${url}/api/count`, { method: 'POST', headers }, (response) => {
          text(response).then(told, failed);
        });
        sent.on('error', failed);
        sent.write(body);
        if (body.length < 2) setTimeout(() => sent.destroy(new Error('cut')), 100);
        else sent.end();
      });
    try {
      await expect(send('{')).rejects.toThrow('cut');
      expect([await send('{}'), await send('{}'), done]).toEqual(['{"done":1}', '{"done":1}', 1]);
    } finally {
      await close(0);
    }
  });
});
