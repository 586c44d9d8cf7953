/** Builds archives byte by byte, right ones and every wrong one that the reader must refuse. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface Entry {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly stored?: boolean;
  /** Overrides, for archives that lie. */
  readonly localName?: string;
  readonly bytes?: number;
  readonly crc?: number;
  readonly flags?: number;
  readonly method?: number;
  /** Points the directory at another entry's data. */
  readonly sameDataAs?: number;
}

export function zip(entries: readonly Entry[], tail: { count?: number; zip64?: boolean } = {}): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  for (const entry of entries) {
    const raw = Buffer.from(entry.content);
    const data = entry.stored === true ? raw : deflateRawSync(raw);
    const offset = entry.sameDataAs === undefined ? at : offsets[entry.sameDataAs]!;
    const method = entry.method ?? (entry.stored === true ? 0 : 8);
    const header = (name: string, signature: number, central: boolean) => {
      const nameBytes = Buffer.from(name);
      const out = Buffer.alloc((central ? 46 : 30) + nameBytes.length);
      out.writeUInt32LE(signature, 0);
      const shift = central ? 2 : 0;
      if (central) out.writeUInt16LE(20, 4);
      out.writeUInt16LE(20, 4 + shift);
      out.writeUInt16LE(entry.flags ?? 0, 6 + shift);
      out.writeUInt16LE(method, 8 + shift);
      out.writeUInt32LE(entry.crc ?? crc32(raw), 14 + shift);
      out.writeUInt32LE(data.length, 18 + shift);
      out.writeUInt32LE(entry.bytes ?? raw.length, 22 + shift);
      out.writeUInt16LE(nameBytes.length, 26 + shift);
      if (central) out.writeUInt32LE(offset, 42);
      nameBytes.copy(out, central ? 46 : 30);
      return out;
    };
    const local = header(entry.localName ?? entry.name, 0x04034b50, false);
    offsets.push(offset);
    directory.push(header(entry.name, 0x02014b50, true));
    if (entry.sameDataAs !== undefined) continue;
    pieces.push(local, data);
    at += local.length + data.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(tail.count ?? entries.length, 8);
  end.writeUInt16LE(tail.count ?? entries.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(at, 16);
  const locator = Buffer.alloc(tail.zip64 === true ? 20 : 0);
  if (tail.zip64 === true) locator.writeUInt32LE(0x07064b50, 0);
  return Buffer.concat([...pieces, directoryBytes, locator, end]);
}

/** An archive written in one go: sizes and checksum in a descriptor behind each part, and none in its header (bit 3). */
export function streamed(entries: readonly Entry[]): Buffer {
  const whole = zip(entries.map((entry) => ({ ...entry, flags: 8 })));
  const pieces: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  let written = 0;
  for (const entry of entries) {
    const data = entry.stored === true ? Buffer.from(entry.content) : deflateRawSync(Buffer.from(entry.content));
    const head = Buffer.from(whole.subarray(at, at + 30 + Buffer.byteLength(entry.name)));
    const descriptor = Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), head.subarray(14, 26)]);
    head.fill(0, 14, 26);
    offsets.push(written);
    pieces.push(head, data, descriptor);
    at += head.length + data.length;
    written += head.length + data.length + descriptor.length;
  }
  const directory = Buffer.from(whole.subarray(at));
  let entryAt = 0;
  for (const offset of offsets) {
    directory.writeUInt32LE(offset, entryAt + 42);
    entryAt += 46 + directory.readUInt16LE(entryAt + 28);
  }
  directory.writeUInt32LE(written, entryAt + 16);
  return Buffer.concat([...pieces, directory]);
}

export function commented(archive: Buffer, comment: string): Buffer {
  const out = Buffer.concat([archive, Buffer.from(comment)]);
  out.writeUInt16LE(Buffer.byteLength(comment), archive.length - 2);
  return out;
}

export interface WorkbookText {
  /** Sheet name to the XML of its part, or only its rows. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly strings?: string;
  readonly styles?: string;
  readonly workbookPr?: string;
  readonly states?: Readonly<Record<string, string>>;
  readonly more?: readonly Entry[];
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';

/** `<row>…` becomes a whole worksheet; anything that starts with `<?xml` stays as it is. */
export function worksheet(rows: string, before = '', after = ''): string {
  return rows.startsWith('<?xml')
    ? rows
    : `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${main}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`;
}

/** A workbook from its parts' texts; the shared strings stand after the sheets, as some writers have it. */
export function xlsxEntries(text: WorkbookText): Entry[] {
  const names = Object.keys(text.sheets);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  return [
    { name: '[Content_Types].xml', content: contentTypes(names.length, text) },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${packaged}/relationships">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${office}">${text.workbookPr ?? ''}<sheets>${names
        .map(
          (name, index) =>
            `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"${text.states?.[name] === undefined ? '' : ` state="${text.states[name]}"`}/>`,
        )
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="${packaged}/relationships">${names
        .map((_, index) => relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`))
        .join('')}${text.strings === undefined ? '' : relation('rIdS', 'sharedStrings', '/xl/sharedStrings.xml')}${
        text.styles === undefined ? '' : relation('rIdT', 'styles', 'styles.xml')
      }</Relationships>`,
    },
    ...names.map((name, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: worksheet(text.sheets[name]!),
    })),
    ...(text.styles === undefined ? [] : [{ name: 'xl/styles.xml', content: spaced(text.styles) }]),
    ...(text.strings === undefined ? [] : [{ name: 'xl/sharedStrings.xml', content: spaced(text.strings) }]),
    ...(text.more ?? []),
  ];
}

/** With its namespace, which only other readers need. */
function spaced(xml: string): string {
  return xml.replace(/<(sst|styleSheet)(?![^>]*xmlns)/, `<$1 xmlns="${main}"`);
}

/** As every other program asks for it. */
function contentTypes(sheets: number, { strings, styles }: WorkbookText): string {
  const kind = (name: string) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${name}+xml`;
  const override = (part: string, name: string) => `<Override PartName="/xl/${part}" ContentType="${kind(name)}"/>`;
  const sheetTypes = Array.from({ length: sheets }, (_, index) =>
    override(`worksheets/sheet${index + 1}.xml`, 'worksheet'),
  );
  return `<?xml version="1.0"?><Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook.xml', 'sheet.main')}${strings === undefined ? '' : override('sharedStrings.xml', 'sharedStrings')}${styles === undefined ? '' : override('styles.xml', 'styles')}${sheetTypes.join('')}</Types>`;
}

export function xlsx(text: WorkbookText): Buffer {
  return zip(xlsxEntries(text));
}

/** Inline text cells; a number becomes a number cell. */
export function row(number: number, ...values: readonly (string | number)[]): string {
  const cells = values.map((value, index) => {
    const reference = `${String.fromCharCode(65 + index)}${number}`;
    return typeof value === 'number'
      ? `<c r="${reference}"><v>${value}</v></c>`
      : value === ''
        ? ''
        : `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
  });
  return `<row r="${number}">${cells.join('')}</row>`;
}
