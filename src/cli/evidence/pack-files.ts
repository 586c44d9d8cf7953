/** The files of an evidence pack: their names, and the forms of those that Payrun reads again. */
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';
import type { SentSheet } from '../../app/export-evidence.ts';
import { eachOf } from '../../base/words.ts';
import { createZipWriter } from '../../sheet/sheet.ts';

export const manifestName = 'manifest.json';
const digestShape = z.string().regex(/^[0-9a-f]{64}$/);
export const manifestShape = z.strictObject({
  payrun: z.literal('evidence'),
  version: z.literal(2),
  batch: z.string(),
  service: z.string(),
  trail: z.strictObject({ entries: z.number(), head: digestShape }),
  plan: z.string().nullable(),
  files: z.array(z.strictObject({ name: z.string(), bytes: z.number(), sha256: digestShape })),
});
export type Manifest = z.infer<typeof manifestShape>;

export const rowShape = z.object({
  ...eachOf(z.string(), 'row state status currency unit digest'),
  ...eachOf(z.number(), 'number amount attempts'),
  newest_sheet: z.boolean(),
  paid_amount: z.number().nullable(),
  ...eachOf(z.string().nullable(), 'payment_id payment_status'),
});
export type PackedRow = z.infer<typeof rowShape>;

export function totalsOf(rows: readonly PackedRow[]) {
  const groups = Map.groupBy(rows, ({ currency, unit, status }) => JSON.stringify([currency, unit, status]));
  return [...groups.keys()].sort().map((key) => {
    const group = groups.get(key)!;
    const { currency, unit, status } = group[0]!;
    const amount = group.reduce((sum, row) => sum + BigInt(row.paid_amount ?? row.amount), 0n);
    return { currency, unit, status, rows: group.length, amount: String(amount) };
  });
}

export const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

export function fileNames({ nth, name }: Pick<SentSheet, 'nth' | 'name'>) {
  const mark = nth === null ? '' : `-${nth}`;
  return {
    sheet: `sheet${mark}${extname(name).toLowerCase()}`,
    plan: `plan${mark}.json`,
    approvals: `approvals${mark}.json`,
  };
}

export async function writePack(handle: FileHandle, folder: string, names: readonly string[]): Promise<void> {
  const zip = createZipWriter(handle);
  for (const name of names) await zip.stored(name, createReadStream(join(folder, name)));
  await zip.end();
}
