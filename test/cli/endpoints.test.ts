/** The service's own endpoints on the command line, at a real service: tables for people, JSON for programs, words for what goes wrong. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../src/service/service.ts';
import { command, csvOf, documentOf, kenyanRows, newFolder, refusalOf, usageAbout } from '../support.ts';
import { ownTime } from './own-time.ts';

let service: Service;
const clock = ownTime();
const desk = { folder: newFolder(), env: {} as Record<string, string>, clock };

beforeAll(async () => {
  service = await startService({ dataDir: newFolder(), clock, tokensPerMinute: 0, settle: { afterMs: 0 } });
  const { apiKey, apiSecret } = await service.tenants.add('Acme');
  const state = join(desk.folder, 'state');
  Object.assign(desk.env, {
    PAYRUN_BASE_URL: service.url,
    PAYRUN_API_KEY: apiKey,
    PAYRUN_API_SECRET: apiSecret,
    PAYRUN_DOUBT_VISIBLE: '0',
    XDG_STATE_HOME: state,
    XDG_DATA_HOME: state,
  });
});
afterAll(() => service.close());

const payrun = (...argv: string[]) => command(desk, argv);

// biome-ignore lint/suspicious/noExplicitAny: what is printed is what the tests look at.
async function json(...argv: string[]): Promise<any> {
  const { exit, out, err } = await payrun(...argv, '--json');
  expect({ argv, exit, err }).toEqual({ argv, exit: 0, err: '' });
  return JSON.parse(out);
}

describe('users and their profiles', () => {
  it('are added, shown, changed, listed and disabled', async () => {
    const { userId, existed } = await json('users', 'add', 'ann@example.com', 'Ann');
    expect(existed).toBe(false);
    const set = await json('users', 'set', userId, 'firstName=Ann', 'addressCity=Durban', 'nationality=["ZAF"]');
    expect(set).toMatchObject({ firstName: 'Ann', nationality: ['ZAF'], address: { city: 'Durban' } });
    const { out } = await payrun('users', 'show', userId);
    expect(out).toMatch(/^address\.city +Durban$/m);
    expect((await payrun('users', 'list')).out).toMatch(new RegExp(`^${userId}  ann@example.com  Ann   Active`, 'm'));
    expect((await payrun('users', 'disable', userId)).out).toBe(`User ${userId} is disabled.\n`);
    const other = await json('users', 'add', 'bo@example.com', 'Bo');
    expect(await json('users', 'disable', other.userId)).toMatchObject({ email: 'bo@example.com', status: 'Inactive' });
    expect(refusalOf(await payrun('users', 'show', userId, '--json'))).toMatchObject({
      code: 'SERVICE_LACKS',
      facts: { what: `active user ${userId}` },
    });
    expect(await json('users', 'list', '--inactive')).toMatchObject([{ userId: other.userId }, { userId }]);
  });

  it('take a business from a file', async () => {
    const { userId } = await json('users', 'add', 'firm@example.com', 'Firm');
    const business = { companyName: 'Firm Ltd', type: 'LIMITED', registrationNumber: '1', phone: '+27' };
    const businessPersons = [{ types: ['director', 'ubo'], person: { firstName: 'Dee' } }];
    writeFileSync(join(desk.folder, 'firm.json'), JSON.stringify({ business, businessPersons }));
    await json('users', 'set', userId, 'entityType=business', '--body', 'firm.json');
    const { out } = await payrun('users', 'show', userId);
    expect(out).toMatch(/^business\.companyName +Firm Ltd$/m);
    expect(out).toMatch(/^businessPersons\.1\.types +director, ubo$/m);
  });

  it('with a momo account a user pays a sheet that is collected from Kenya', async () => {
    const { userId } = await json('users', 'add', 'payer@example.com', 'Payer');
    const { defaultMomoAccountId } = await json('profile', 'add-momo', '+254712345678', '--as-user', userId);
    expect(defaultMomoAccountId).not.toBeNull();
    const sheet = join(desk.folder, 'kenya.csv');
    writeFileSync(sheet, csvOf(kenyanRows(2).map((row) => ({ ...row, from_country: 'Kenya' }))));
    const refused = await payrun('run', sheet, '--json');
    expect(refused.out).toContain('COLLECTION_NEEDS_USER');
    const paid = await payrun('run', sheet, '--as-user', userId, '--json');
    expect(documentOf(paid)).toMatchObject({ exit: 0, sent: 2, rows: { paid: 2 } });
    expect(await json('payments', 'list', '--as-user', userId)).toHaveLength(2);
  });

  it('a profile is a user’s', async () => {
    const { exit, err } = await payrun('profile', 'show');
    expect([exit, err]).toEqual([2, expect.stringContaining('--as-user')]);
  });
});

describe('merchants, payments, documents, KYC, tokens', () => {
  it('go round', async () => {
    const merchant = await json(
      'merchants',
      'add',
      'name=Thandi',
      'country=Kenya',
      'networkProvider=MOMO',
      'contactNumber=+254712345611',
    );
    await json('merchants', 'set', merchant.id, 'name=Thandi M');
    expect((await payrun('merchants', 'show', merchant.id)).out).toMatch(/^name +Thandi M$/m);
    const sheet = join(desk.folder, 'one.csv');
    writeFileSync(sheet, csvOf(kenyanRows(1, 9)));
    await payrun('run', sheet, '--quiet');
    const [payment] = await json('payments', 'list');
    expect((await payrun('payments', 'show', payment.id)).out).toMatch(/^status +success$/m);
    writeFileSync(join(desk.folder, 'invoice.pdf'), '%PDF-1.7 invoice');
    const { documentId } = await json('documents', 'add', payment.id, 'invoice.pdf');
    expect(await json('documents', 'list', payment.id)).toMatchObject([{ documentId }]);
    const { userId } = await json('users', 'add', 'kyc@example.com', 'K');
    expect(await json('kyc', 'add', userId, 'invoice.pdf', '--type', 'passport')).toHaveProperty('documentId');
    const { out } = await payrun('tokens', '--user', userId);
    expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  });

  it('a merchant may be spelt as in a sheet', async () => {
    const african = ['name=Zanele', 'country=ZA', 'bankName=FNB', 'accountNumber=6212 3456 789'];
    const { id, ...merchant } = await json('merchants', 'add', ...african);
    expect(merchant).toMatchObject({
      country: 'SouthAfrica',
      bankName: 'First National Bank',
      accountNumber: '62123456789',
    });
    expect(await json('merchants', 'set', id, 'bankName=nedbank')).toMatchObject({ bankName: 'Nedbank' });
    const kenyan = ['name=Wanjiru', 'country=ke', 'networkProvider=momo', 'contactNumber=0712 345 678'];
    expect(await json('merchants', 'add', ...kenyan)).toMatchObject({ contactNumber: '+254712345678' });
    const lightning = ['name=Satoshi', 'country=bitcoin', 'lnurl=lightning:Satoshi@Example.com'];
    expect(await json('merchants', 'add', ...lightning)).toMatchObject({
      country: 'BTC',
      lnurl: 'satoshi@example.com',
    });
  });

  it('a list tells that there is more, and --all reads on', async () => {
    for (let number = 0; number < 101; number += 1)
      await service.users.add(desk.env.PAYRUN_API_KEY!, { email: `u${number}@example.com`, name: 'U' });
    const first = await payrun('users', 'list', '--json');
    expect([JSON.parse(first.out).length, first.err]).toEqual([100, expect.stringContaining('--all')]);
    expect((await json('users', 'list', '--all')).length).toBeGreaterThan(101);
  });

  it.each<[string[], number, string]>([
    [['users', 'set', 'nobody', 'firstName=A'], 25, 'User not found'],
    [['users', 'set', 'nobody', 'colour=red'], 2, 'colour'],
    [['users', 'set', 'nobody', 'firstName'], 2, 'name=value'],
    [['users', 'set', 'nobody'], 2, 'name the fields'],
    [['users', 'add', 'no e-mail', 'A'], 2, 'email'],
    [['merchants', 'show', 'nothing'], 25, 'no merchant nothing'],
    [['merchants', 'add', 'name=A', 'country=Nigeria', 'bankName=Nowhere', 'accountNumber=1'], 25, 'Nowhere'],
    [['documents', 'add', 'nothing', 'nothing.pdf'], 2, 'nothing.pdf'],
    [['documents', 'add', 'nothing', 'page.pdf'], 2, 'documents.kinds'],
    [['kyc', 'add', 'nobody', 'page.pdf', '--type', 'other'], 2, 'not PDF, PNG'],
    [['payments', 'add'], 2, "'payments add'"],
    [['payments'], 2, 'list, show'],
  ])('%j ends with %i', async (argv, code, words) => {
    writeFileSync(join(desk.folder, 'page.pdf'), '<html>');
    const { exit, err, out } = await payrun(...argv);
    expect([exit, err, out]).toEqual([code, expect.stringContaining(words), '']);
  });
});

describe('what goes wrong', () => {
  it('a field that is none is refused, and nothing is sent', async () => {
    const { userId } = await json('users', 'add', 'cy@example.com', 'Cy');
    const { momoAccounts } = await json('profile', 'add-momo', '+254712345678', '--as-user', userId);
    const merchant = ['name=A', 'country=BTC', 'lnurl=a@example.com'];
    const { id } = await json('merchants', 'add', ...merchant);
    const before = { ...service.stats().requests };
    for (const [field, ...argv] of [
      ['sectr', 'profile', 'set', 'sectr=Retail', 'name=Cy', '--as-user', userId],
      ['lable', 'profile', 'set-momo', momoAccounts[0].id, 'lable=Shop', '--as-user', userId],
      ['nam', 'merchants', 'set', id, 'nam=B'],
      ['lnUrl', 'merchants', 'add', ...merchant, 'lnUrl=b@example.com'],
    ] as const) {
      const ran = await payrun(...argv, '--json');
      expect([ran.exit, refusalOf(ran)]).toEqual([2, usageAbout(`'${field}'`)]);
    }
    for (const route of ['PATCH /profile', 'PATCH /profile/momo/:id', 'PATCH /merchants/:id', 'POST /merchants'])
      expect([route, service.stats().requests[route]]).toEqual([route, before[route]]);
  });

  it('a change that a 500 or 503 may hide is reported as one that may have been done', async () => {
    for (const [route, ...argv] of [
      ['POST /merchants', 'merchants', 'add', 'name=A', 'country=BTC', 'lnurl=a@example.com'],
      ['POST /users', 'users', 'add', 'dee@example.com', 'Dee'],
    ] as const) {
      const faults = [{ route, action: { kind: 'answer', at: 'after', status: 503 } }] as const;
      const faulty = await startService({ dataDir: newFolder(), clock, faults });
      const { apiKey, apiSecret } = await faulty.tenants.add('Acme');
      const at = { PAYRUN_BASE_URL: faulty.url, PAYRUN_API_KEY: apiKey, PAYRUN_API_SECRET: apiSecret };
      const ran = await command({ ...desk, env: { ...desk.env, ...at } }, [...argv, '--json']);
      await faulty.close();
      expect(ran.exit).toBe(25);
      expect(refusalOf(ran)).toMatchObject({
        code: 'CALL_IN_DOUBT',
        facts: { why: { fault: 'call-was-answered', call: route, status: 503 } },
      });
    }
  });

  it('a missing payment and a missing service are each reported where documents are listed', async () => {
    expect(refusalOf(await payrun('documents', 'list', 'x', '--json'))).toMatchObject({
      code: 'SERVICE_LACKS',
      facts: { what: 'payment x' },
    });
    const nowhere = { ...desk.env, PAYRUN_BASE_URL: 'http://127.0.0.1:9' };
    const { exit, err } = await command({ ...desk, env: nowhere }, ['documents', 'list', 'x']);
    expect([exit, err]).toEqual([25, expect.stringContaining('nothing listens there')]);
  });
});
