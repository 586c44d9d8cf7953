/** A batch that is paid at 02:00 on a Sunday in Johannesburg, when South Africa's real-time clearing takes less in one payment: what is paid, what is not, and how Monday goes on. */
import { expect, it } from 'vitest';
import { startService } from '../../src/service/service.ts';
import { command, deskFor, documentOf, kenyanRows, newFolder, resultOf, southAfrican } from '../support.ts';
import { ownTime } from './own-time.ts';

it('pays what the rails take at that hour, leaves the rest unpaid with the reason, and pays it on Monday', async () => {
  const clock = ownTime(Date.parse('2026-11-22T02:00:00+02:00'));
  const service = await startService({ dataDir: newFolder(), clock, tokensPerMinute: 0, settle: { afterMs: 0 } });
  try {
    const { apiKey, apiSecret } = await service.tenants.add('Acme');
    const rows = [
      { ...southAfrican, row_id: 'small', amount: '4500', reference: 'Salary 1' },
      { ...southAfrican, row_id: 'limit', amount: '250000', reference: 'Salary 2' },
      { ...southAfrican, row_id: 'above', amount: '250001', reference: 'Salary 3' },
      { ...kenyanRows(1)[0], row_id: 'phone', amount: '250000' },
      { ...kenyanRows(2)[1], row_id: 'phone above', amount: '250001' },
    ];
    const env = {
      PAYRUN_BASE_URL: service.url,
      PAYRUN_API_KEY: apiKey,
      PAYRUN_API_SECRET: apiSecret,
      PAYRUN_DOUBT_VISIBLE: '0',
    };
    const desk = { ...deskFor(null, rows, env), clock };
    const words = async (...argv: string[]) => {
      const ran = await command(desk, [...argv, '--json', '--wait', '20s']);
      const { exit, rows: counts, result } = documentOf(ran);
      const told = Object.fromEntries(
        resultOf(result).map(({ row_id, payrun_status, payrun_reason }) => [row_id, [payrun_status, payrun_reason]]),
      );
      return { exit, paid: counts.paid, unpaid: counts.unpaid, told };
    };
    const tooMuch = (currency: string) => expect.stringContaining(`amount is above 250000 ${currency}`);
    expect(await words('run', desk.sheet, '--batch', 'nov', '--documents-policy', 'off')).toEqual({
      exit: 21,
      paid: 3,
      unpaid: 2,
      told: {
        small: ['paid', ''],
        limit: ['paid', ''],
        above: ['unpaid', tooMuch('ZAR')],
        phone: ['paid', ''],
        'phone above': ['unpaid', tooMuch('KES')],
      },
    });

    clock.pass(Date.parse('2026-11-23T09:00:00+02:00') - clock.now());
    const monday = await words('retry', 'nov');
    expect(monday).toMatchObject({ exit: 21, paid: 4, unpaid: 1, told: { above: ['paid', ''] } });
    // Kenya's limit is the rail's, whatever the hour.
    expect(monday.told['phone above']).toEqual(['unpaid', tooMuch('KES')]);
  } finally {
    await service.close();
  }
});
