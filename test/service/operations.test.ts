/** What the service says of itself: description, page, health, readiness, figures. */
import { describe, expect, it } from 'vitest';
import { merchantOf, paymentOf, started } from './started.ts';

const methods = ['get', 'post', 'patch', 'delete'];

describe('the description', () => {
  it('has every route that is served, with words for each and the section it follows', async () => {
    const { service, anonymous } = await started({ metrics: true });
    const { status, body } = await anonymous('GET', '/openapi.json');
    expect([status, body.openapi, body.servers]).toEqual([200, '3.1.0', [{ url: service.url }]]);
    const described = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const served = Object.keys(service.stats().requests);
    expect(described.sort()).toEqual(served.sort());
  });

  it('refers to nothing that it does not hold, and names each operation once', async () => {
    const { anonymous } = await started();
    const { body } = await anonymous('GET', '/openapi.json');
    const names = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).toBe(names.length);
    const references = JSON.stringify(body).match(/"\$ref":"[^"]+"/g) ?? [];
    expect(new Set(references)).toEqual(new Set(['"$ref":"#/components/schemas/Error"']));
    expect(
      Object.values<object>(body.paths)
        .flatMap(Object.keys)
        .every((key) => methods.includes(key)),
    ).toBe(true);
  });

  it('names no format that only its maker knows', async () => {
    const text = JSON.stringify((await (await started()).anonymous('GET', '/openapi.json')).body);
    const formats = new Set(text.match(/"format":"[^"]+"/g));
    expect(formats).toEqual(new Set(['binary', 'date', 'date-time', 'email'].map((name) => `"format":"${name}"`)));
  });

  it('says who may call, what is taken and what is answered', async () => {
    const { anonymous } = await started();
    const { paths } = (await anonymous('GET', '/openapi.json')).body;
    expect(paths['/token'].post.security).toEqual([]);
    expect(paths['/tokens/user'].post.security).toEqual([{ tenantToken: [] }]);
    const create = paths['/payments'].post;
    expect(create.security).toEqual([{ tenantToken: [] }, { userToken: [] }]);
    const taken = create.requestBody.content['application/json'].schema;
    expect(taken.required).toEqual(['merchantId', 'amount', 'reference']);
    expect(taken.properties.reference.pattern).toBe('^[A-Za-z0-9 ]{1,20}$');
    expect(create.responses['201'].content['application/json'].schema.properties).toHaveProperty('statusLog');
    const merchant = paths['/merchants'].post.requestBody.content['application/json'].schema.properties;
    for (const [field, country] of [
      ['bankName', 'SouthAfrica, Nigeria'],
      ['bankCode', 'Nigeria'],
      ['contactNumber', 'Kenya'],
      ['lnurl', 'BTC'],
    ] as const)
      expect(merchant[field].description, field).toMatch(new RegExp(`^${country}: `));
    const upload = paths['/payments/{id}/document'].post.requestBody.content['multipart/form-data'].schema;
    expect(upload.required).toEqual(['file']);
    const [limit] = paths['/merchants'].get.parameters;
    expect(limit).toMatchObject({ name: 'limit', in: 'query', required: false, schema: { minimum: 1, maximum: 100 } });
  });

  it('is shown as a page without scripts, in which all names are found', async () => {
    const { service, anonymous } = await started();
    const { status, headers, body } = await anonymous('GET', '/reference');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const name of Object.keys(service.stats().requests)) expect(body).toContain(`<h3>${name}</h3>`);
    expect(body).toContain('depositBankDetails.accountNumber');
    expect(body).not.toContain('<script');
  });
});

describe('health', () => {
  it('is ok while it runs, and ready while its database answers', async () => {
    const { anonymous } = await started();
    expect((await anonymous('GET', '/health')).body).toEqual({ status: 'ok' });
    expect((await anonymous('GET', '/ready')).body).toEqual({ status: 'ready' });
  });

  it('metrics count calls by route and status, and nothing else of them', async () => {
    const { call, anonymous, credentials } = await started({ metrics: true });
    const payment = await paymentOf(call, await merchantOf(call));
    await call('GET', `/payments/${payment.id}`);
    await call('GET', '/payments/nothing');
    const { status, headers, body } = await anonymous('GET', '/metrics');
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(body).toContain('payrun_service_call_seconds_count{route="GET /payments/:id",status="200"} 1');
    expect(body).toContain('payrun_service_call_seconds_count{route="GET /payments/:id",status="404"} 1');
    expect(body).toContain('process_cpu_seconds_total');
    for (const secret of [payment.id, credentials.apiKey, credentials.apiSecret]) expect(body).not.toContain(secret);
  });

  it('metrics are not there unless they are asked for', async () => {
    const { anonymous } = await started();
    expect((await anonymous('GET', '/metrics')).status).toBe(404);
  });
});
