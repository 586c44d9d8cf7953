/** What a number format tells of a stored number: a date, lost zeros that are only shown, or nothing. */

/** How cells of one style are to be understood. */
export interface Style {
  readonly kind: 'plain' | 'date' | 'time' | 'zeros' | 'text';
  /** For `zeros`: how many digits the format shows at least. */
  readonly digits: number;
  /** The format code as the workbook has it, for writing the cell again; null is General. */
  readonly format: string | null;
}

export const generalStyle: Style = { kind: 'plain', digits: 0, format: null };

/** The formats that a workbook names by number only (ECMA-376 18.8.30), and those that Excel gives to East Asian dates. */
const builtIn: { readonly [id: number]: string } = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'mm-dd-yy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  37: '#,##0 ;(#,##0)',
  38: '#,##0 ;[Red](#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;[Red](#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mmss.0',
  48: '##0.0E+0',
  49: '@',
};

export function styleOf(id: number, custom: ReadonlyMap<number, string>): Style {
  const format = custom.get(id) ?? builtIn[id];
  if (format === undefined) {
    const eastAsianDate = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
    return eastAsianDate ? { kind: 'date', digits: 0, format: 'yyyy-mm-dd' } : generalStyle;
  }
  return classify(format);
}

export function classify(format: string): Style {
  // Only the section for positive numbers; quoted and escaped text, colours and conditions say nothing.
  const bare = format
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')[0]!;
  if (/^general$/i.test(bare.trim()) || bare.trim() === '') return { kind: 'plain', digits: 0, format: null };
  if (bare.trim() === '@') return { kind: 'text', digits: 0, format };
  const zeros = /^0+(?:[\s-]0+)*$/.exec(bare.trim());
  if (zeros !== null && bare.replace(/[^0]/g, '').length > 1) {
    return { kind: 'zeros', digits: bare.replace(/[^0]/g, '').length, format };
  }
  if (/[#0?]/.test(bare.replace(/s\.0+/gi, 's'))) return { kind: 'plain', digits: 0, format };
  if (/[yd]|mmm/i.test(bare)) return { kind: 'date', digits: 0, format };
  if (/[hs]/i.test(bare)) return { kind: 'time', digits: 0, format };
  return /m/i.test(bare) ? { kind: 'date', digits: 0, format } : { kind: 'plain', digits: 0, format };
}

/** `00123` for 123 under `00000`; the stored text for everything that the format does not change for our purpose. */
export function shownNumber(text: string, style: Style): string {
  if (style.kind === 'zeros' && /^\d+$/.test(text)) return text.padStart(style.digits, '0');
  if (/^-?\d+$/.test(text)) return text;
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  // A workbook shows 15 significant digits; what lies beyond is the arithmetic's, not the person's.
  const shown = String(Number(value.toPrecision(15)));
  return shown.includes('e') ? text : shown;
}

const dayMs = 86_400_000;

/** The ISO form of a date that is stored as days since 1900 or 1904; the text itself when it is no day. */
export function shownDate(text: string, style: Style, date1904: boolean): string {
  const serial = Number(text);
  if (!Number.isFinite(serial) || serial < 0 || serial >= 2_958_466) return text;
  const time = serial % 1 === 0 ? '' : new Date(Math.round((serial % 1) * 86_400) * 1000).toISOString().slice(11, 19);
  if (style.kind === 'time' && serial < 1) return time === '' ? '00:00:00' : time;
  const day = Math.floor(serial);
  // In the 1900 system day 60 is 29 February 1900, which never was (kept from Lotus 1-2-3).
  if (!date1904 && day === 60) return '1900-02-29';
  const date = isoDay(day + (date1904 ? day1904 : day < 60 ? day1900 + 1 : day1900));
  return time === '' ? date : `${date} ${time}`;
}

/** Day 0 of each system, in days since 1970; 1900's is a day late from 29 February 1900 on. */
const day1900 = Date.UTC(1899, 11, 30) / dayMs;
const day1904 = Date.UTC(1904, 0, 1) / dayMs;

/** A sheet's dates repeat, and writing one as text takes as long as reading a cell. */
const isoDays = new Map<number, string>();
const maxIsoDays = 20_000;

function isoDay(day: number): string {
  let text = isoDays.get(day);
  if (text === undefined) {
    if (isoDays.size === maxIsoDays) isoDays.clear();
    text = new Date(day * dayMs).toISOString().slice(0, 10);
    isoDays.set(day, text);
  }
  return text;
}
