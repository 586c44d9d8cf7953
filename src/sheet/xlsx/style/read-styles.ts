/** Reads a workbook's styles into exceljs's form. `cell-style.ts` later drops invalid values. */
import { byWord } from '../../../base/words.ts';
import { maxFontName, maxFormat } from '../../file/limits.ts';
import { isOn, isTrue, type Tag, tagsOf } from '../../xml/xml.ts';

type Words = Record<string, unknown>;

export interface RawStyle {
  numFmt?: string;
  font?: Words;
  fill?: Words;
  border?: Words;
  alignment?: Words;
}

/** Returns the list of styles: a cell with `s="3"` has style 3. In `formats`, null means General. */
export function readStyles(
  stylesXml: string,
  themeXml: string | null,
  formats: readonly (string | null)[],
): RawStyle[] {
  const colourOf = colours(themeXml);
  const fonts: Words[] = [];
  const fills: Words[] = [];
  const borders: Words[] = [];
  const styles: RawStyle[] = [];
  let group = '';
  let line: Words | undefined;
  for (const tag of tagsOf(stylesXml)) {
    if (groups.has(tag.name)) group = tag.closing || tag.empty ? '' : tag.name;
    else if (tag.closing) continue;
    else if (group === 'fonts') {
      if (tag.name === 'font') fonts.push({});
      else addToFont(fonts.at(-1), tag, colourOf);
    } else if (group === 'fills') {
      if (tag.name === 'fill') fills.push({ type: 'pattern', pattern: 'none' });
      else addToFill(fills.at(-1), tag, colourOf);
    } else if (group === 'borders') {
      const border = borders.at(-1);
      if (tag.name === 'border') borders.push({});
      else if (tag.name === 'color') {
        if (line !== undefined) line.color = colourOf(tag);
      } else {
        const style = tag.attribute('style');
        line = border !== undefined && edges.has(tag.name) && style !== undefined ? { style } : undefined;
        if (line !== undefined) border![tag.name] = line;
      }
    } else if (group === 'cellXfs') {
      if (tag.name === 'xf') styles.push(styleOf(tag, formats[styles.length] ?? null));
      else if (tag.name === 'alignment' && styles.length > 0) styles.at(-1)!.alignment = alignmentOf(tag);
    }
  }
  return styles;

  function styleOf(tag: Tag, format: string | null): RawStyle {
    const own = fonts[Number(tag.attribute('fontId') ?? 0)];
    // A font without name or size gets the first font's name or size, because programs disagree about the default.
    const font = own === undefined ? own : { ...named(fonts[0]), ...own };
    const parts: readonly (readonly ['font' | 'fill' | 'border', Words | undefined])[] = [
      ['font', font],
      ['fill', fills[Number(tag.attribute('fillId') ?? 0)]],
      ['border', borders[Number(tag.attribute('borderId') ?? 0)]],
    ];
    const style: RawStyle = format === null || format.length > maxFormat ? {} : { numFmt: format };
    for (const [name, part] of parts)
      if (part !== undefined && part.pattern !== 'none' && Object.keys(part).length > 0) style[name] = part;
    return style;
  }
}

const groups = new Set(['fonts', 'fills', 'borders', 'cellStyleXfs', 'cellXfs', 'cellStyles', 'dxfs']);
const edges = new Set(['left', 'right', 'top', 'bottom']);

type ColourOf = (tag: Tag) => Words | undefined;

const named = (font: Words = {}): Words => ({ name: font.name, size: font.size });

const fontFlags = byWord({ bold: 'b', italic: 'i', strike: 'strike' });

function addToFont(font: Words | undefined, tag: Tag, colourOf: ColourOf): void {
  if (font === undefined) return;
  const value = tag.attribute('val');
  const flag = fontFlags.get(tag.name);
  if (flag !== undefined) font[flag] = isOn(value);
  else if (tag.name === 'u') font.underline = value ?? true;
  else if (tag.name === 'sz') font.size = Number(value);
  else if (tag.name === 'color') font.color = colourOf(tag);
  else if (tag.name === 'name' && value !== undefined && value.length <= maxFontName) font.name = value;
}

/** Adds a tag's pattern or colour to a fill. A gradient becomes its first colour, as in programs other than Excel. */
function addToFill(fill: Words | undefined, tag: Tag, colourOf: ColourOf): void {
  if (fill === undefined) return;
  if (tag.name === 'patternFill') fill.pattern = tag.attribute('patternType') ?? 'none';
  else if (tag.name === 'gradientFill') fill.pattern = 'solid';
  else if (tag.name === 'bgColor') fill.bgColor = colourOf(tag);
  else if (tag.name === 'fgColor' || tag.name === 'color') fill.fgColor ??= colourOf(tag);
}

function alignmentOf(tag: Tag): Words {
  const vertical = tag.attribute('vertical');
  const rotation = Number(tag.attribute('textRotation') ?? 0);
  return {
    horizontal: tag.attribute('horizontal'),
    vertical: vertical === 'center' ? 'middle' : vertical,
    wrapText: isTrue(tag.attribute('wrapText')) || undefined,
    shrinkToFit: isTrue(tag.attribute('shrinkToFit')) || undefined,
    indent: Number(tag.attribute('indent') ?? 0) || undefined,
    // The value 255 means stacked letters. Values above 90 turn the text downwards.
    textRotation: rotation === 255 ? 'vertical' : (rotation > 90 ? 90 - rotation : rotation) || undefined,
  };
}

/** The names of theme colours, in the order of their numbers (ECMA-376 18.8.3). */
const themeNames = 'lt1 dk1 lt2 dk2 accent1 accent2 accent3 accent4 accent5 accent6 hlink folHlink'.split(' ');

/** Returns a function that converts theme colours to RGB, because exceljs always writes its own theme. */
function colours(themeXml: string | null): ColourOf {
  const theme = new Map<string, string>();
  let name = '';
  for (const tag of themeXml === null ? [] : tagsOf(themeXml)) {
    if (tag.name === 'fontScheme') break;
    if (themeNames.includes(tag.name)) name = tag.closing ? '' : tag.name;
    const rgb =
      tag.name === 'sysClr' ? tag.attribute('lastClr') : tag.name === 'srgbClr' ? tag.attribute('val') : undefined;
    if (name !== '' && rgb !== undefined && /^[0-9a-f]{6}$/i.test(rgb)) theme.set(name, rgb);
  }
  return (tag) => {
    const tint = Math.min(1, Math.max(-1, Number(tag.attribute('tint') ?? 0) || 0));
    const rgb = tag.attribute('rgb');
    if (rgb !== undefined && /^[0-9a-f]{8}$/i.test(rgb)) return { argb: tinted(rgb.slice(2), tint) };
    const indexed = tag.attribute('indexed');
    if (indexed !== undefined) return { indexed: Number(indexed) };
    const found = theme.get(themeNames[Number(tag.attribute('theme') ?? -1)] ?? '');
    return found === undefined ? undefined : { argb: tinted(found, tint) };
  };
}

/** Makes a colour lighter or darker with the same hue (ECMA-376 18.8.19). A tint of -1 gives black, and 1 white. */
function tinted(rgb: string, tint: number): string {
  const parts = [0, 2, 4].map((at) => Number.parseInt(rgb.slice(at, at + 2), 16) / 255);
  const [most, least] = [Math.max(...parts), Math.min(...parts)];
  const light = (most + least) / 2;
  const wanted = tint < 0 ? light * (1 + tint) : light * (1 - tint) + tint;
  const reach = (at: number) => 1 - Math.abs(2 * at - 1);
  const spread = reach(light) === 0 ? 0 : reach(wanted) / reach(light);
  const hex = parts.map((part) => {
    const value = Math.round(255 * (wanted + (part - light) * spread));
    return Math.min(255, Math.max(0, value)).toString(16).padStart(2, '0');
  });
  return `FF${hex.join('').toUpperCase()}`;
}
