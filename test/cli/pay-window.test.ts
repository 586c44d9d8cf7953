/** The pay window on the command line and in the settings; what it does to a run is in test/pipeline/clock.test.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dayStart } from '../../src/domain/calendar/johannesburg.ts';
import { readPayWindow } from '../../src/domain/calendar/pay-window.ts';
import { command, type Desk, documentOf, kenyanRows, noted, pay, refusalOf, usageAbout } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const configured = (desk: Desk, text: string) => writeFileSync(join(desk.folder, 'payrun.config.json'), text);

/** Two hours that do not hold this moment, nor the next hour. */
function shutNow(): string {
  const hour = Math.floor((Date.now() - dayStart(Date.now())) / 3_600_000);
  const clock = (ahead: number) => `${String((hour + ahead) % 24).padStart(2, '0')}:00`;
  return `${clock(3)}-${clock(5) === '00:00' ? '24:00' : clock(5)}`;
}

it('outside of it nothing is sent, a plan shows it, and resume continues in it', async () => {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(3));
  const shut = ['--pay-window', shutNow()];
  const planned = JSON.parse((await command(desk, ['plan', desk.sheet, '--json', ...shut])).out) as Record<
    string,
    string
  >;
  expect(readFileSync(planned.plan!, 'utf8')).toContain(`"pay_window":${JSON.stringify([readPayWindow(shut[1]!)])}`);
  expect(readFileSync(planned.plan_page!, 'utf8')).toContain('<th scope="row">Pay window</th>');
  const early = noted('plan-expires-before-window');
  expect(planned.notes, 'good for a day').not.toContainEqual(early);
  const brief = documentOf(await command(desk, ['plan', desk.sheet, '--json', '--expires', '1h', ...shut]));
  expect(brief.notes).toContainEqual(early);
  const { exit, document } = await pay(desk, '--batch', 'nov', ...shut);
  expect([exit, document.stopped?.code, service.payments.length]).toEqual([23, 'OUTSIDE_PAY_WINDOW', 0]);
  expect(Date.parse(document.next[0]!.after!)).toBeGreaterThan(Date.now() + 3_600_000);
  // The resume that it prints names no window, and holds to the one that was said of the batch.
  const resume = async () => await command(desk, ['resume', 'nov', '--json', '--wait', '0']);
  expect(documentOf(await resume())).toMatchObject({ exit: 23, stopped: { code: 'OUTSIDE_PAY_WINDOW' } });
  const [from, until] = shut[1]!.split('-');
  const rest = `${until === '24:00' ? '00:00' : until}-${from === '00:00' ? '24:00' : from}`;
  configured(desk, JSON.stringify({ payWindow: { open: rest } }));
  const apart = await resume();
  expect(apart.exit).toBe(2);
  expect(refusalOf(apart)).toMatchObject({
    code: 'PAY_WINDOWS_NEVER_MEET',
    facts: { batch: 'nov', payWindow: shut[1], others: [readPayWindow(rest)] },
  });
  configured(desk, '{}');
  expect([service.payments.length, (await pay(desk, '--batch', 'nov')).document.sent], 'said anew').toEqual([0, 3]);
});

describe.concurrent('a slip', () => {
  it.each([
    ['--pay-window', '8-16', "'8-16'"],
    ['--pay-window', '08:00-16:00,sundays', 'sundays'],
    ['--pay-window', '17:00-20:00', '08:00-16:00'],
  ])('%s %s sends nothing', async (flag, value, words) => {
    const desk = deskFor(await newService(), kenyanRows(1));
    configured(desk, '{"payWindow": {"open": "08:00-16:00"}}');
    const ran = await command(desk, ['run', desk.sheet, flag, value, '--json']);
    expect([ran.exit, refusalOf(ran)]).toEqual([2, usageAbout(words)]);
  });

  it.each([
    ['{"open": "8-16"}', 'payWindow.open: write it as'],
    ['{"closed": ["2026-11-04"]}', 'payWindow.open'],
    ['{"open": "08:00-16:00", "closed": ["4 November"]}', 'payWindow.closed.0'],
    ['{"open": "08:00-16:00", "outside": "pay"}', 'payWindow.outside'],
  ])('the setting %s is refused', async (text, words) => {
    const desk = deskFor(null, kenyanRows(1));
    configured(desk, `{"payWindow": ${text}}`);
    expect(await command(desk, ['check', desk.sheet])).toMatchObject({ exit: 2, err: expect.stringContaining(words) });
  });
});
