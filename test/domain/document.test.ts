/** The kinds and the size of documents: what each is known by, and how a setting is written and told. */
import { describe, expect, it } from 'vitest';
import {
  defaultDocuments,
  judgeDocument,
  kindOf,
  kindWords,
  readSize,
  sizeWords,
} from '../../src/domain/rows/document.ts';

describe('documents', () => {
  it.each([
    ['%PDF-1.7', 'pdf'],
    ['%PDF', null],
    ['\x89PNG\r\n\x1a\n', 'png'],
    ['\xff\xd8\xff\xe0', 'jpeg'],
    ['II*\0', 'tiff'],
    ['MM\0*', 'tiff'],
    ['GIF89a', null],
    ['', null],
  ])('%j is %s', (text, kind) => expect(kindOf(Buffer.from(text, 'latin1'))).toBe(kind));

  it.each([
    ['10MB', 10_485_760],
    ['512 KB', 524_288],
    ['1KB', 1024],
    ['0MB', null],
    ['10', null],
    ['10mb', null],
    ['1.5MB', null],
    ['-1MB', null],
    ['1000000KB', null],
  ])('%j is %s bytes', (text, bytes) => expect(readSize(text)).toBe(bytes));

  it.each([
    [10_485_760, '10 MB'],
    [1536, '1536 bytes'],
    [524_288, '512 KB'],
  ])('%d bytes are told as %s', (bytes, words) => expect(sizeWords(bytes)).toBe(words));

  it.each([
    [['pdf'], 'PDF'],
    [['pdf', 'tiff'], 'PDF or TIFF'],
    [['pdf', 'png', 'jpeg'], 'PDF, PNG or JPEG'],
  ] as const)('%j are told as %s', (kinds, words) => expect(kindWords(kinds)).toBe(words));

  it('says whether a setting refuses it', () => {
    const judged = (sizeBytes: number, bySetting: boolean) =>
      judgeDocument({ sizeBytes, head: Buffer.from('<html>') }, defaultDocuments, bySetting);
    const { kinds, maxBytes } = defaultDocuments;
    for (const bySetting of [true, false]) {
      const type = { code: 'DOCUMENT_TYPE', facts: { why: 'content', kinds, bySetting } };
      expect(judged(1, bySetting)).toEqual({ fault: type });
      const size = { code: 'DOCUMENT_TOO_LARGE', facts: { sizeBytes: 20_000_000, maxBytes, bySetting } };
      expect(judged(20_000_000, bySetting)).toEqual({ fault: size });
    }
  });
});
