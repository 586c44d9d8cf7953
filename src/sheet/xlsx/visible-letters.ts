/** Finds fonts that are too small to read, have the background's colour, or are struck out. */
import { byWord } from '../../base/words.ts';
import { isTrue, type Tag } from '../xml/xml.ts';

const leastReadablePoints = 2;

const white = 'FFFFFF';
const black = '000000';
/** Colour names that mean white or black: the first two theme colours, and colours of the old palette. */
const named = byWord({ [white]: 'theme0 indexed1 indexed9 indexed65', [black]: 'theme1 indexed0 indexed8 indexed64' });

export function createLetters() {
  const fonts: { colour: string; size: number; struck: boolean }[] = [];
  /** The colours of fills; null for a pattern or gradient, which has several colours. */
  const grounds: (string | null)[] = [];
  return {
    addFont(tag: Tag): void {
      const font = fonts.at(-1);
      if (tag.name === 'font') fonts.push({ colour: black, size: Number.POSITIVE_INFINITY, struck: false });
      else if (font === undefined) return;
      else if (tag.name === 'color') font.colour = colourOf(tag);
      else if (tag.name === 'strike') font.struck = isTrue(tag.attribute('val') ?? '1');
      else if (tag.name === 'sz') font.size = Number(tag.attribute('val'));
    },
    addFill(tag: Tag): void {
      const last = grounds.length - 1;
      if (tag.name === 'fill') grounds.push(white);
      else if (last < 0) return;
      else if (tag.name === 'fgColor') grounds[last] &&= colourOf(tag);
      else if (tag.name === 'gradientFill') grounds[last] = null;
      else if (tag.name === 'patternFill') {
        const pattern = tag.attribute('patternType') ?? 'none';
        grounds[last] = pattern === 'none' ? white : pattern === 'solid' ? black : null;
      }
    },
    areStruck: (font: number): boolean => fonts[font]?.struck === true,
    areFaint(font: number, fill: number): boolean {
      const { colour = black, size = Number.POSITIVE_INFINITY } = fonts[font] ?? {};
      return size < leastReadablePoints || colour === (grounds[fill] === undefined ? white : grounds[fill]);
    },
  };
}

/** Returns a colour's name. A file can write white and black in several ways, but each gets one name. */
function colourOf(tag: Tag): string {
  const tint = Number(tag.attribute('tint') ?? 0);
  const kind = ['rgb', 'theme', 'indexed'].find((one) => tag.attribute(one) !== undefined);
  if (kind === undefined) return black;
  const value = tag.attribute(kind)!.toUpperCase();
  const colour = kind === 'rgb' ? value.slice(-6) : (named.get(kind + value) ?? kind + value);
  return tint === 0 ? colour : `${colour} ${tint}`;
}
