/**
 * The process that reads one workbook for the main program. It has the open file, but no credentials, no network and no
 * right to write files. Requests come on stdin, one in each line. Answers go to stdout.
 */
import { createReadStream, fstatSync, writeSync } from 'node:fs';
import { PayrunError } from '../../../base/errors.ts';
import type { Refusal } from '../../../base/refusal.ts';
import { openReadable } from '../../readable.ts';
import type { SheetExtras, Workbook, WorkbookSheet } from '../workbook.ts';
import { confine } from './confinement.ts';
import { headOf, type ReaderAnswer, type RequestKind } from './reader-answers.ts';
import { createRowEncoder } from './reader-rows.ts';

const stdin = 0;
const stdout = 1;
/** The main program passes the open workbook as this descriptor. A path could lead to another file later. */
const sheetFile = 3;

/** Limits all memory of the process, including buffers. Node's own option limits only the JavaScript heap. */
const maxMemoryMiB = 232;
const memoryLookMs = 20;

let request = 0;
let wanted: RequestKind = 'rows';
let sheetIndex = 0;
let wake = () => {};

confine();
// Ignores signals such as Ctrl-C, which reach every process of a terminal. Only the main program ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
setInterval(watchMemory, memoryLookMs).unref();
listen();
try {
  await serve(await openReadable({ fd: sheetFile }, fstatSync(sheetFile).size));
} catch (error) {
  // Sends only the data of a refusal. The main program makes the message, so this process loads less code.
  const how = error instanceof Error ? error.message : String(error);
  refuse(error instanceof PayrunError ? error.refusal : { code: 'READER_FAILED', facts: { how } });
}

function listen(): void {
  let text = '';
  createReadStream('', { fd: stdin, encoding: 'latin1' })
    .on('data', (chunk) => {
      const lines = (text + String(chunk)).split('\n');
      text = lines.pop()!;
      for (const line of lines) {
        request += 1;
        const [what, index] = line.split(' ');
        wanted = what as RequestKind;
        sheetIndex = Number(index);
      }
      wake();
    })
    .on('end', () => {
      throw new Error('the program that asked has ended');
    });
}

async function serve(workbook: Workbook): Promise<never> {
  sendAnswer({ kind: 'opened', date1904: workbook.date1904, sheets: workbook.sheets });
  for (let answered = 0; ; ) {
    if (request === answered)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    answered = request;
    const sheet = workbook.sheets[sheetIndex]!;
    if (wanted === 'look') sendAnswer({ kind: 'look', reading: answered, look: await workbook.look(sheet) });
    else await readSheet(workbook, sheet, answered);
  }
}

async function readSheet(workbook: Workbook, sheet: WorkbookSheet, reading: number): Promise<void> {
  let extras = null as SheetExtras | null;
  let isSent = false;
  const sendExtras = (isLast: boolean) => {
    if (isLast || !isSent) sendAnswer({ kind: 'extras', reading, isLast, extras: extras! });
    isSent = true;
  };
  const encodeRows = createRowEncoder();
  const batches = workbook.rows(sheet, (given) => {
    extras = given;
  });
  for await (const rows of batches) {
    if (reading !== request) return;
    sendExtras(false);
    send(reading, encodeRows(rows));
  }
  sendExtras(true);
}

function sendAnswer(answer: ReaderAnswer): void {
  send(0, Buffer.from(JSON.stringify(answer)));
}

/** Sends an answer. Blocks until the main program reads, so that waiting answers do not fill the memory. */
function send(reading: number, body: Buffer): void {
  for (const bytes of [headOf(body.length, reading), body])
    for (let at = 0; at < bytes.length; ) at += writeSync(stdout, bytes, at);
}

function refuse(refusal: Refusal): void {
  sendAnswer({ kind: 'refused', refusal });
}

function watchMemory(): void {
  if (process.memoryUsage.rss() <= maxMemoryMiB * 1024 ** 2) return;
  refuse({ code: 'READER_LACKS_MEMORY', facts: {} });
  throw new Error('too much memory');
}
