/** Pay windows: the hours and days when payments may be sent, in Johannesburg's time. */
import type { PayWindow } from '../../base/faults/limits.ts';
import { dayMs, dayName, dayStart, isHoliday, isWeekend } from './johannesburg.ts';

export const windowDays = ['every', 'mon-fri', 'business'] as const satisfies readonly PayWindow['days'][];

const minuteMs = 60_000;

export function readPayWindow(text: string, closed: readonly string[] = []): PayWindow | undefined {
  const match = /^(\d\d):([0-5]\d)-(\d\d):([0-5]\d)(?:,([a-z-]+))?$/.exec(text.trim());
  const [, fromHour, fromMinute, untilHour, untilMinute, said = 'every'] = match ?? [];
  const days = windowDays.find((one) => one === said);
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const until = Number(untilHour) * 60 + Number(untilMinute);
  if (match === null || days === undefined || from >= 1440 || until > 1440 || until === 0 || from === until)
    return undefined;
  return { from, until, days, closed };
}

/** How far ahead `opensAt` searches. If a window opens at all, it opens within a year. */
const longestMs = 367 * dayMs;

/** Returns the next time when all windows are open; null if that is now, undefined if it is over a year away. */
export function opensAt(windows: readonly PayWindow[], at: number): number | null | undefined {
  let moment = at;
  for (;;) {
    const shut = windows.find((window) => !isOpen(window, moment));
    if (shut === undefined) return moment === at ? null : moment;
    moment = nextOpening(shut, moment);
    if (moment > at + longestMs) return undefined;
  }
}

export function shutsAt(windows: readonly PayWindow[], at: number): number {
  const ends = windows.map(({ until }) => dayStart(at) + until * minuteMs);
  return Math.min(...ends.map((end) => (end > at ? end : end + dayMs)));
}

function isOpen(window: PayWindow, at: number): boolean {
  const midnight = dayStart(at);
  const minute = (at - midnight) / minuteMs;
  const { from, until } = window;
  if (from < until) return minute >= from && minute < until && isDay(window, at);
  return (minute >= from && isDay(window, at)) || (minute < until && isDay(window, midnight - 1));
}

function nextOpening(window: PayWindow, at: number): number {
  for (let midnight = dayStart(at); ; midnight += dayMs) {
    const opening = midnight + window.from * minuteMs;
    if (opening > at && (isDay(window, opening) || opening > at + longestMs)) return opening;
  }
}

function isDay({ days, closed }: PayWindow, at: number): boolean {
  if (closed.includes(dayName(at))) return false;
  if (days !== 'every' && isWeekend(at)) return false;
  return days !== 'business' || !isHoliday(at);
}
