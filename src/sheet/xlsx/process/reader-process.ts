/**
 * The process that reads one workbook for the program. It is given the open file and nothing else: no credentials, no network,
 * no right to write. Which sheet is to be read, and what of it, comes in on stdin, line by line; answers go out on stdout.
 */
import { createReadStream, fstatSync, writeSync } from 'node:fs';
import { PayrunError, wordsOf } from '../../../base/errors.ts';
import { openReadable } from '../../readable.ts';
import type { SheetExtras, Workbook, WorkbookSheet } from '../workbook.ts';
import { confine } from './confinement.ts';
import { type Answer, headOf, type Question } from './reader-answers.ts';
import { createRowEncoder } from './reader-rows.ts';

const stdin = 0;
const stdout = 1;
/** As the program opened it: no path could lead elsewhere by now. */
const sheetFile = 3;

/** Buffers included; the heap has a limit of its own, from the command line. */
const maxMemoryMiB = 232;
const memoryLookMs = 20;

/** What was asked for last, of which sheet, and how often anything was. */
let question = 0;
let wanted: Question = 'rows';
let sheetIndex = 0;
let asked = () => {};

confine();
// Ctrl-C reaches every process of a terminal, and when this one is to end is for the program to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
setInterval(watchMemory, memoryLookMs).unref();
listen();
try {
  await serve(await openReadable({ fd: sheetFile }, fstatSync(sheetFile).size));
} catch (error) {
  const known = error instanceof PayrunError && error.code === 'SHEET_REFUSED';
  refuse(known ? error.message : `The workbook could not be read (${wordsOf(error)}). Save the sheet as CSV.`);
}

function listen(): void {
  let text = '';
  createReadStream('', { fd: stdin, encoding: 'latin1' })
    .on('data', (chunk) => {
      const lines = (text + String(chunk)).split('\n');
      text = lines.pop()!;
      for (const line of lines) {
        question += 1;
        const [what, index] = line.split(' ');
        wanted = what as Question;
        sheetIndex = Number(index);
      }
      asked();
    })
    .on('end', () => {
      // Nobody takes the answers any more, so whatever is under way ends here.
      throw new Error('the program that asked has ended');
    });
}

async function serve(workbook: Workbook): Promise<never> {
  const sheets = workbook.sheets.map(({ name, hidden }) => ({ name, hidden }));
  tell({ kind: 'opened', date1904: workbook.date1904, sheets });
  for (let answered = 0; ; ) {
    if (question === answered)
      await new Promise<void>((resolve) => {
        asked = resolve;
      });
    answered = question;
    const sheet = workbook.sheets[sheetIndex]!;
    if (wanted === 'look') tell({ kind: 'look', reading: answered, look: await workbook.look(sheet) });
    else await readSheet(workbook, sheet, answered);
  }
}

/** Until its end, or until something else is asked for. */
async function readSheet(workbook: Workbook, sheet: WorkbookSheet, reading: number): Promise<void> {
  let extras: SheetExtras = {
    layout: { hiddenColumns: [], widths: [] },
    merges: [],
    maybeStruck: [],
    staleColumns: [],
  };
  let laidOut = false;
  const tellLayout = () => {
    if (!laidOut) tell({ kind: 'layout', reading, layout: extras.layout });
    laidOut = true;
  };
  const encodeRows = createRowEncoder();
  const batches = workbook.rows(sheet, (given) => {
    extras = given;
  });
  for await (const rows of batches) {
    if (reading !== question) return;
    tellLayout();
    send(reading, encodeRows(rows));
  }
  tellLayout();
  const { merges, maybeStruck, staleColumns } = extras;
  tell({ kind: 'end', reading, merges, maybeStruck, staleColumns });
}

function tell(answer: Answer): void {
  send(0, Buffer.from(JSON.stringify(answer)));
}

/** Returns when the program has taken nearly all of it, so that nothing piles up on either side. */
function send(reading: number, body: Buffer): void {
  for (const bytes of [headOf(body.length, reading), body])
    for (let at = 0; at < bytes.length; ) at += writeSync(stdout, bytes, at);
}

function refuse(detail: string): void {
  tell({ kind: 'refused', detail });
}

function watchMemory(): void {
  if (process.memoryUsage.rss() <= maxMemoryMiB * 1024 ** 2) return;
  refuse(`The workbook needs more than ${maxMemoryMiB} MiB of memory to be read. Split the sheet, or save it as CSV.`);
  throw new Error('too much memory');
}
