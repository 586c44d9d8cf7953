/** Reads the date in a cell, in the forms that people and programs write. */
import { isoTime } from '../../base/clock.ts';
import { dayMs } from './johannesburg.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Returns each date that the text can mean, in the form `2026-12-24`: two dates for 05/06/2026, none for `abc`. */
export function daysIn(text: string): readonly string[] {
  if (text.length < 6 || !/\d/.test(text)) return [];
  const said = text.trim().replace(/[T ]\d{1,2}:\d\d.*$/, '');
  const iso = /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)$/.exec(said);
  if (iso !== null) return dayOf(iso[1]!, iso[2]!, iso[3]!);
  const named = /^(\d{1,2})[ ./-](\p{L}{3})\p{L}*\.?[ ,./-]+(\d{4}|\d\d)$/u.exec(said);
  const nameFirst = /^(\p{L}{3})\p{L}*\.? (\d{1,2}),? (\d{4})$/u.exec(said);
  const [day, month, year] = nameFirst === null ? (named ?? []).slice(1) : [nameFirst[2], nameFirst[1], nameFirst[3]];
  if (day !== undefined) return dayOf(year!, String(months.indexOf(month!.toLowerCase()) + 1), day);
  const [, first, second, end] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d\d)$/.exec(said) ?? [];
  if (first === undefined) return [];
  return [...new Set([...dayOf(end!, second!, first), ...dayOf(end!, first, second!)])];
}

function dayOf(year: string, month: string, day: string): readonly string[] {
  const time = Date.UTC(Number(year.length === 2 ? `20${year}` : year), Number(month) - 1, Number(day));
  const isReal = Number(month) >= 1 && new Date(time).getUTCDate() === Number(day) && Number(month) <= 12;
  return isReal ? [isoTime(time).slice(0, 10)] : [];
}

export const daysBetween = (one: string, other: string) => Math.abs(Date.parse(one) - Date.parse(other)) / dayMs;
