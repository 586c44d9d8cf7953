/** Changes of a file that change nothing of what it says: a reader that reads another thing then was right by luck. */
import { type Entry, streamed, zip } from '../sheet/zip-builder.ts';
import type { Chance } from './chance.ts';

interface NoOp {
  readonly name: string;
  /** Null where the file has no place for it. */
  change(entries: readonly Entry[], chance: Chance): readonly Entry[] | null;
}

const xmlPart = /\.(xml|rels)$/;

/** In the parts that hold rows; `change` gets the prefix of the sheet's own elements. */
function inSheets(change: (xml: string, prefix: string) => string | null): NoOp['change'] {
  return (entries) => {
    let changed = false;
    const out = entries.map((entry) => {
      const xml = Buffer.from(entry.content).toString('utf8');
      const prefix = /<(\w+:)?worksheet[\s>]/.exec(xml)?.[1] ?? '';
      const other = xml.includes(`<${prefix}sheetData>`) ? change(xml, prefix) : null;
      if (other === null || other === xml) return entry;
      changed = true;
      return { ...entry, content: other };
    });
    return changed ? out : null;
  };
}

/** Comments, CDATA, instructions, tags, and the texts between them. */
const pieces = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(?:[^<>"']|"[^"]*"|'[^']*')*>|[^<]+/g;

function inTags(xml: string, change: (tag: string) => string): string {
  return xml.replace(pieces, (piece) => (/^<[^!?]/.test(piece) ? change(piece) : piece));
}

function inTexts(xml: string, change: (text: string) => string): string {
  return xml.replace(pieces, (piece) => (piece.startsWith('<') ? piece : change(piece)));
}

export const noOps: readonly NoOp[] = [
  { name: 'the parts in another order', change: (entries, chance) => chance.shuffled(entries) },
  { name: 'parts that are not compressed', change: (entries) => entries.map((entry) => ({ ...entry, stored: true })) },
  {
    name: 'a part that nothing refers to',
    change: (entries, chance) => [
      ...entries,
      {
        name: `xl/worksheets/unused${chance.below(2 ** 32)}.xml`,
        content: '<worksheet><sheetData><row r="1"/></sheetData></worksheet>',
      },
    ],
  },
  {
    name: 'a folder as an entry',
    change: (entries) => [{ name: 'xl/worksheets/', content: '', stored: true }, ...entries],
  },
  {
    name: 'byte order marks',
    change: (entries) =>
      entries.map((entry) =>
        xmlPart.test(entry.name) && Buffer.from(entry.content)[0] !== 0xef
          ? { ...entry, content: Buffer.concat([Buffer.from('\ufeff'), Buffer.from(entry.content)]) }
          : entry,
      ),
  },
  {
    name: 'comments behind every part',
    change: (entries) =>
      entries.map((entry) =>
        xmlPart.test(entry.name)
          ? {
              ...entry,
              content: Buffer.concat([Buffer.from(entry.content), Buffer.from('<!-- the end > --><?odd <row?>\n')]),
            }
          : entry,
      ),
  },
  {
    name: 'an extension behind the rows',
    change: inSheets((xml, p) =>
      xml.replace(
        `</${p}worksheet>`,
        `<${p}extLst><${p}ext uri="{0}"><q:a xmlns:q="urn:q"><q:row r="1"><q:c r="A1"><q:v>1</q:v></q:c></q:row></q:a></${p}ext></${p}extLst></${p}worksheet>`,
      ),
    ),
  },
  {
    name: 'an extension behind the last row',
    change: inSheets((xml, p) =>
      xml.replace(
        new RegExp(`</${p}row>(?![\\s\\S]*</${p}row>)`),
        `<${p}extLst><${p}ext uri="{0}"/></${p}extLst></${p}row>`,
      ),
    ),
  },
  {
    name: 'an unknown element among the rows',
    change: inSheets((xml, p) =>
      xml.replace(
        `</${p}sheetData>`,
        `<q:a xmlns:q="urn:q"><q:row r="1"><q:c r="A1"><q:v>1</q:v></q:c></q:row></q:a></${p}sheetData>`,
      ),
    ),
  },
  {
    name: 'comments among the rows',
    change: inSheets((xml, p) => xml.replaceAll(`</${p}row>`, `<!-- <row> > --></${p}row>`)),
  },
  {
    name: 'line breaks between rows and cells',
    change: inSheets((xml, p) =>
      inTags(xml, (tag) => (new RegExp(`^<${p}(row|sheetData|cols|mergeCells)\\b`).test(tag) ? `\n\t${tag}` : tag)),
    ),
  },
  {
    name: 'attributes in single quotes',
    change: inSheets((xml) => inTags(xml, (tag) => tag.replace(/="([^"']*)"/g, "='$1'"))),
  },
  {
    name: 'spaces around the equals signs',
    change: inSheets((xml) => inTags(xml, (tag) => tag.replace(/=(?="[^"]*")/g, ' =\n '))),
  },
  {
    name: 'an attribute of another program',
    change: inSheets((xml, p) =>
      xml
        .replace(new RegExp(`<${p}worksheet(?=[\\s>])`), `<${p}worksheet xmlns:q="urn:q"`)
        .replace(new RegExp(`<${p}row(?=[\\s>])`, 'g'), `<${p}row q:r="7"`),
    ),
  },
  {
    name: 'empty elements written out',
    change: inSheets((xml, p) =>
      inTags(xml, (tag) =>
        tag.replace(
          new RegExp(`^<${p}(row|c)(?=[\\s/])((?:[^"'>]|"[^"]*"|'[^']*')*)/>$`),
          (_, name: string, rest: string) => `<${p}${name}${rest}></${p}${name}>`,
        ),
      ),
    ),
  },
  {
    name: 'an empty row behind the last',
    // Behind the last that any sheet can have there is none.
    change: inSheets((xml, p) =>
      /"1048576"|'1048576'/.test(xml)
        ? null
        : xml.replace(`</${p}sheetData>`, `<${p}row/><${p}row></${p}row></${p}sheetData>`),
    ),
  },
  {
    name: 'a prefix for every element',
    change: inSheets((xml, p) =>
      p === '' && !/<\w+:/.test(xml)
        ? inTags(xml, (tag) => tag.replace(/^<(\/?)(\w)/, '<$1zz:$2').replace(/\sxmlns(?=\s*=)/, ' xmlns:zz'))
        : null,
    ),
  },
  {
    name: 'characters by their numbers',
    change: inSheets((xml) =>
      inTexts(xml, (text) =>
        /[&_\]\r]/.test(text)
          ? text
          : Array.from(text, (letter) => (/\s/.test(letter) ? letter : `&#${letter.codePointAt(0)};`)).join(''),
      ),
    ),
  },
];

/** `zip` and `streamed` are one more pair that must be read alike. */
export function packedAgain(entries: readonly Entry[], chance: Chance): Buffer {
  return chance.once(3) ? streamed(entries) : zip(entries);
}
