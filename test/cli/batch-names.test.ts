/** A new batch whose name reads like another batch's name is refused, because it would pay that batch's sheet again. */
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { command, csvOf, kenyanRows, pay, refusalOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

it('a new batch name that folds to an existing one is refused', async () => {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(1));
  expect((await pay(desk, '--batch', 'nov-2026', '--wait', '20s')).exit).toBe(0);
  const corrected = kenyanRows(1).map((row) => ({ ...row, amount: '999' }));
  writeFileSync(desk.sheet, csvOf(corrected));
  for (const batch of ['Nov 2026', 'NOV-2026', 'nov_2026', 'nov\u20132026', 'nov2026'])
    for (const does of ['run', 'plan', 'propose']) {
      const ran = await command(desk, [does, desk.sheet, '--batch', batch, '--json']);
      expect([ran.exit, refusalOf(ran)]).toMatchObject([
        26,
        { code: 'BATCH_NAMES_ALIKE', facts: { batch, known: 'nov-2026' } },
      ]);
    }
  expect(service.payments.length).toBe(1);
  expect((await pay(desk, '--batch', 'nov-2026b', '--wait', '20s')).exit).toBe(0);
});
