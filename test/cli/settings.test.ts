/** Which settings hold: those of the folder in which a command is given, or of the file that is named; never silently none. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { doubtSettings } from '../../src/cli/compose/assemble.ts';
import { loadSettings } from '../../src/cli/compose/config.ts';
import { settingsShown } from '../../src/cli/render/settings-shown.ts';
import { command, configAbout, kenyanRows, newFolder, refusalOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

/** A sheet with caps beside it, and another folder to give commands in. */
async function twoFolders(caps: object = { KES: { batch: '250' } }) {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(2));
  const config = join(desk.folder, 'payrun.config.json');
  writeFileSync(config, JSON.stringify({ caps }));
  const elsewhere = join(desk.folder, 'elsewhere');
  mkdirSync(elsewhere);
  return { service, desk, config, elsewhere };
}

it('what holds is shown with its value, also where nobody said it', () => {
  const settings = loadSettings({ env: {}, cwd: newFolder() }, {});
  const shown = (embedded: boolean) =>
    settingsShown({ ...settings, doubt: doubtSettings(settings, embedded) }, { env: {} });
  const horizon = (embedded: boolean) => shown(embedded).find(({ name }) => name === 'doubt.horizon');
  expect([horizon(false), horizon(true)]).toMatchObject([{ value: '30 minutes', from: 'default' }, { value: 'none' }]);
  const unset = shown(false).filter(({ value }) => value === 'not set');
  expect(unset.map(({ name }) => name).filter((name) => !/SECRET|KEY|WEBHOOK/.test(name))).toEqual([]);
});

describe.concurrent('settings that lie beside the sheet', () => {
  it('are read, and named, where the command is given there', async () => {
    const { desk, config } = await twoFolders();
    const { exit, out } = await command(desk, ['run', desk.sheet, '--wait', '0']);
    expect([exit, out.split('\n')[0]]).toEqual([23, expect.stringContaining(` · settings ${config}`)]);
  });

  it('stop every command that would not read them, before anything is sent', async () => {
    const { service, desk, config, elsewhere } = await twoFolders();
    const words = `the settings ${config}`;
    for (const name of ['check', 'plan', 'run']) {
      const ran = await command({ ...desk, folder: elsewhere }, [name, desk.sheet]);
      expect([ran.exit, ran.err]).toEqual([2, expect.stringContaining(words)]);
      expect(ran.err).toContain(`PAYRUN_CONFIG=${config}`);
    }
    expect(service.payments).toHaveLength(0);
    await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
    for (const name of ['resume', 'retry']) {
      const ran = await command({ ...desk, folder: elsewhere }, [name, 'nov']);
      expect([ran.exit, ran.err]).toEqual([2, expect.stringContaining(words)]);
    }
  });

  it('stop every command that is given below them', async () => {
    const { service, desk, config, elsewhere } = await twoFolders();
    const month = join(elsewhere, '2026-11');
    mkdirSync(month);
    const sheet = join(month, 'november.csv');
    copyFileSync(desk.sheet, sheet);
    for (const name of ['check', 'plan', 'run']) {
      const ran = await command({ ...desk, folder: month }, [name, sheet]);
      expect([ran.exit, ran.err]).toEqual([2, expect.stringContaining(`cd ${desk.folder}`)]);
    }
    expect(service.payments).toHaveLength(0);
    const { exit, out } = await command(desk, ['run', sheet, '--wait', '0']);
    expect([exit, out.split('\n')[0]]).toEqual([23, expect.stringContaining(` · settings ${config}`)]);
  });

  it('hold from anywhere once they are named, with the policy and the ledger beside them', async () => {
    const { service, desk, config, elsewhere } = await twoFolders({ KES: { batch: '200' } });
    const from = (PAYRUN_CONFIG: string) => ({ folder: elsewhere, env: { ...desk.env, PAYRUN_CONFIG } });
    const over = await command(from(config), ['run', desk.sheet, '--json', '--wait', '0']);
    expect(over.exit).toBe(26);
    expect(refusalOf(over)).toMatchObject({
      code: 'OVER_CAP',
      facts: { over: [{ of: 'batch', money: 'KES', cap: '200' }], dayEnds: null },
    });
    writeFileSync(config, JSON.stringify({ policy: 'own.json', ledger: 'own.db' }));
    copyFileSync(
      join(import.meta.dirname, '../golden/cases/approved-by-two/payrun.policy.json'),
      join(desk.folder, 'own.json'),
    );
    const unsigned = await command(from('../payrun.config.json'), ['run', desk.sheet, '--json']);
    expect([unsigned.exit, refusalOf(unsigned).code]).toEqual([26, 'SIGNED_PLAN_MISSING']);
    expect(loadSettings({ env: { PAYRUN_CONFIG: config }, cwd: elsewhere }, {})).toMatchObject({
      policies: [join(desk.folder, 'own.json')],
      ledgerPath: join(desk.folder, 'own.db'),
    });
    const path = join(elsewhere, 'payrun.config.json');
    const gone = await command(from(path), ['run', desk.sheet, '--json']);
    expect([gone.exit, refusalOf(gone)]).toEqual([2, configAbout(path)]);
    expect(service.payments).toHaveLength(0);
  });
});
