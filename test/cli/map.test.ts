/** `--map` through the commands: what it pays, what is kept of it, and that a sheet is never read in two ways by accident. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ShownOutcome as Outcome } from '../../src/cli/render/outcome-document.ts';
import { command, type Desk, documentOf, noted, pay, refusalOf, resultOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const header = 'Wer;Wohin;Wieviel;Wofür';
const lines = ['Thandi Mokoena;0712345601;450000;LOHN 1', 'Otieno Example;0712345602;120000;LOHN 2'];
const columns = { Wer: 'name', Wohin: 'contact_number', Wieviel: 'amount', Wofür: 'reference' };
const cents = { columns, values: { country: 'Kenya', amount_unit: 'cents' } };

/** A sheet that no alias fits, with a map beside it. */
function strangeDesk(service: Parameters<typeof deskFor>[0], map: object = cents, more: readonly string[] = []): Desk {
  const desk = deskFor(service, []);
  writeFileSync(desk.sheet, `${[header, ...lines, ...more].join('\n')}\n`);
  writeFileSync(join(desk.folder, 'map.json'), JSON.stringify(map));
  return desk;
}

const checked = async (desk: Desk, ...more: string[]): Promise<Outcome> =>
  documentOf(await command(desk, ['check', desk.sheet, '--json', ...more]));

describe.concurrent('check', () => {
  it('prints a map to start from, which is taken once it is filled in', async () => {
    const desk = strangeDesk(null);
    const ran = await command(desk, ['check', desk.sheet]);
    expect(ran.exit).toBe(20);
    expect(ran.out).toContain('"country": ""');
    const { map } = await checked(desk);
    expect(map).toMatchObject({ needed: true, shipped: null, suggested: { values: { country: '', reference: '' } } });
    const saved = { ...map!.suggested, columns, values: { country: 'Kenya', amount_unit: 'cents' } };
    writeFileSync(join(desk.folder, 'saved.json'), JSON.stringify(saved));
    const good = await checked(desk, '--map', 'saved.json');
    expect([good.exit, good.totals.map(({ currency, planned }) => [currency, planned])]).toEqual([0, [['KES', 5700]]]);
  });

  it('prints nothing of a header that could steer a terminal', async () => {
    const desk = deskFor(null, []);
    writeFileSync(desk.sheet, 'W\u202eer;Wo\u001b[31m;Wieviel\nA;B;C\n');
    const { out } = await command(desk, ['check', desk.sheet]);
    expect(out).toContain('"W\\u202eer"');
    expect(out).not.toMatch(/[\u202e\u001b]/);
  });

  it('names the shipped map that fits, and applies none by itself', async () => {
    const desk = deskFor(null, []);
    writeFileSync(desk.sheet, 'Ref,Name,Amount,Account No.,Branch Code,Ref,Email\nA,B C,100,001321676,051001,R 1,\n');
    const ran = await command(desk, ['check', desk.sheet]);
    expect([ran.exit, ran.out]).toEqual([20, expect.stringContaining('--map za-acb')]);
    expect((await checked(desk)).map?.shipped).toMatchObject({ name: 'za-acb' });
  });

  it('tells a column that is not used from one that may be meant', async () => {
    const desk = deskFor(null, []);
    const file = (more: string) =>
      writeFileSync(desk.sheet, `name,country,phone,amount,reference,${more}\nA,Kenya,0712345601,1,R,\n`);
    file('Proof of work');
    expect((await checked(desk)).map?.guesses).toEqual([{ header: 'Proof of work', column: 'documents' }]);
    file('Cost Centre');
    expect((await command(desk, ['check', desk.sheet])).out).not.toContain('--map');
    expect((await checked(desk)).map).toMatchObject({ needed: false, guesses: [] });
  });

  it('says in its notes how the sheet was read', async () => {
    const desk = strangeDesk(null);
    const { notes, problems } = await checked(desk, '--map', 'map.json');
    expect(notes[1]).toEqual(
      noted('map-read', {
        map: join(desk.folder, 'map.json'),
        columns: [
          { header: 'Wer', field: 'name' },
          { header: 'Wohin', field: 'contact_number' },
          { header: 'Wieviel', field: 'amount' },
          { header: 'Wofür', field: 'reference' },
        ],
        values: [
          { field: 'country', value: 'Kenya' },
          { field: 'amount_unit', value: 'cents' },
        ],
      }),
    );
    expect(problems.filter(({ code }) => code === 'AMOUNT_CENTS')).toMatchObject([
      { row: 2, value: '450000', suggestion: '4500', severity: 'repair' },
      { row: 3, value: '120000', suggestion: '1200', severity: 'repair' },
    ]);
  });

  it('never rounds cents, and reads the totals row as it reads the rows', async () => {
    const odd = await checked(strangeDesk(null, cents, ['A B;0712345603;1250;X']), '--map', 'map.json');
    expect(odd.problems[0]).toMatchObject({ row: 4, code: 'AMOUNT_FRACTION', value: '1250' });
    const right = await checked(strangeDesk(null, cents, ['Total;;570000;']), '--map', 'map.json');
    expect(right.exit).toBe(0);
    const wrong = await checked(strangeDesk(null, cents, ['Total;;5700;']), '--map', 'map.json');
    expect(wrong.problems.map(({ code }) => code)).toContain('TOTAL_DIFFERS');
  });

  it('a cell that says cents is refused all the same: only the map speaks for the whole sheet', async () => {
    const desk = deskFor(null, []);
    writeFileSync(desk.sheet, 'name,country,phone,amount,amount_unit,reference\nA B,Kenya,0712345601,100,cents,R\n');
    expect((await checked(desk)).problems.map(({ code }) => code)).toContain('AMOUNT_UNIT_INVALID');
  });

  it.each([
    [['--map', 'gone.json'], /gone\.json.*no such file/],
    [['--map', 'map.json', '--from-country', 'Kenya'], /--from-country says 'Kenya' .*'Nigeria'/],
    [['--map', 'map.json', '--number-format', '1.234,56'], /--number-format says '1\.234,56'/],
    [['--map'], /map/],
    [['--map', 'map.json', '--map', 'wise'], /--map was given twice/],
  ])('%j is a slip: exit 2', async (flags, says) => {
    const desk = strangeDesk(null, { ...cents, values: { from_country: 'Nigeria' }, number_format: '1,234.56' });
    const ran = await command(desk, ['check', desk.sheet, ...flags]);
    expect([ran.exit, ran.err]).toEqual([2, expect.stringMatching(says)]);
  });

  it('a wrong map is refused with the place of each fault, and nothing is read', async () => {
    const desk = strangeDesk(null, { columns: { Wer: 'nam', Wohin: 'amount', Wieviel: 'amount' } });
    const ran = await command(desk, ['check', desk.sheet, '--map', 'map.json', '--json']);
    expect(ran.exit).toBe(2);
    expect(refusalOf(ran)).toMatchObject({
      code: 'MAP_UNUSABLE',
      facts: {
        why: [
          { fault: 'map-use-is-unknown', place: { part: 'columns', entry: 'Wer' }, use: 'nam', near: 'name' },
          { fault: 'map-use-is-twice', first: 'Wohin', second: 'Wieviel', use: 'amount' },
        ],
      },
    });
  });
});

describe.concurrent('a batch that was read with a map', () => {
  it('is paid, reported, resumed and audited without the file', async () => {
    const service = await newService();
    const desk = strangeDesk(service);
    const first = await pay(desk, '--batch', 'nov', '--map', 'map.json');
    expect([first.document.sent, service.payments.map(({ amount }) => amount)]).toEqual([2, [4500, 1200]]);
    rmSync(join(desk.folder, 'map.json'));
    const report = await command(desk, ['report', 'nov', '--json']);
    const { result } = JSON.parse(report.out) as { result: string };
    expect(resultOf(result)).toHaveLength(2);
    expect((await command(desk, ['resume', 'nov', '--json', '--wait', '0'])).exit).toBe(23);
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });

  it('goes on from its result without being told the map again', async () => {
    const service = await newService();
    const desk = strangeDesk(service);
    const { document } = await pay(desk, '--batch', 'nov', '--map', 'map.json');
    rmSync(join(desk.folder, 'map.json'));
    const again = await pay({ ...desk, sheet: document.result! });
    expect(again.document).toMatchObject({ batch: 'nov', sent: 0 });
    expect(again.document.notes).toContainEqual(noted('map-read', { map: join(desk.folder, 'map.json') }));
  });

  it('is not read without it by accident: its sheet stops, and both ways on are told', async () => {
    const service = await newService();
    const desk = deskFor(service, []);
    const rows = (amount: number) => `name,phone,amount,reference,country\nA B,0712345601,${amount},R 1,Kenya\n`;
    writeFileSync(desk.sheet, rows(450_000));
    writeFileSync(join(desk.folder, 'cents.json'), '{"values": {"amount_unit": "cents"}}');
    await pay(desk, '--batch', 'nov', '--map', 'cents.json');
    const plain = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
    expect(plain.exit).toBe(26);
    expect(plain.err).toContain(`--batch nov --map ${join(desk.folder, 'cents.json')}`);
    expect(plain.err).toContain('--batch nov --map none');
    // The columns were mended, and a person says so.
    writeFileSync(desk.sheet, rows(4500));
    const mended = await pay(desk, '--batch', 'nov', '--map', 'none');
    expect(mended.document).toMatchObject({ batch: 'nov', sent: 0 });
    const further = await pay(desk, '--batch', 'nov');
    expect(further.document).toMatchObject({ batch: 'nov', sent: 0 });
    expect(service.payments.map(({ amount }) => amount)).toEqual([4500]);
  });

  it('leads on with its map in every printed command', async () => {
    const service = await newService();
    const desk = strangeDesk(service);
    await pay(desk, '--batch', 'nov', '--map', 'map.json');
    writeFileSync(desk.sheet, `${[header, ...lines, 'C D;0712345603;700;NEU'].join('\n')}\n`.replace('700', '70000'));
    const more = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--map', 'map.json', '--wait', '0']);
    expect([more.exit, more.err]).toEqual([26, expect.stringContaining(`--add --map ${desk.folder}/map.json`)]);
    const unnamed = await command(desk, ['run', desk.sheet, '--map', 'map.json', '--wait', '0']);
    expect([unnamed.exit, unnamed.err]).toEqual([
      26,
      expect.stringContaining(`--batch nov --map ${desk.folder}/map.json`),
    ]);
    const other = await command(desk, ['run', desk.sheet, '--batch', 'dec', '--map', 'map.json', '--wait', '0']);
    expect([other.exit, other.err]).toEqual([26, expect.stringContaining(`--add --map ${desk.folder}/map.json`)]);
    expect(other.err).toContain(`--confirm-repeat "the reason" --map ${desk.folder}/map.json`);
  });

  it('is planned with the same map', async () => {
    const desk = strangeDesk(await newService());
    const planned = documentOf(await command(desk, ['plan', desk.sheet, '--map', 'map.json', '--json']));
    expect([planned.exit, planned.totals[0]?.planned]).toEqual([0, 5700]);
  });
});

it('a sheet is rehearsed with its map', async () => {
  const desk = strangeDesk(null);
  const ran = await command(desk, ['rehearse', desk.sheet, '--map', 'map.json', '--kills', '0', '--json']);
  expect(JSON.parse(ran.out)).toMatchObject({ exit: 0, rows: { once: 2, twice: 0, lost: 0 } });
});

it('the map of the newest sheet stands in what is to be done next', async () => {
  const service = await newService({});
  const desk = strangeDesk(service);
  service.fault = ({ route }) =>
    route === 'POST /payments' ? { kind: 'answer', status: 400, body: { message: 'no' } } : undefined;
  const { document } = await pay(desk, '--batch', 'nov', '--map', 'map.json');
  expect(document.next.map(({ command: one }) => one).join('\n')).toContain(
    `--batch nov --add --drop --map ${desk.folder}/map.json`,
  );
});
