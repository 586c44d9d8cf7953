/** Draws the payments of a batch over time, with the same figures in a table. */
import type { Timeline } from '../../ledger/ledger.ts';
import { chartParts, chartWords, reportWords } from '../../messages/files/report-page.ts';
import { grouped } from '../../messages/format/numbers.ts';
import { timeWords } from '../../messages/format/times.ts';
import { safe, table } from '../plans/page.ts';

type Point = Readonly<Record<'at' | 'paid' | 'unpaid' | 'open', number>>;

const shownPoints = 10;
const size = { width: 720, height: 200, left: 56, bottom: 24, top: 8 };

/** The layers from bottom to top. They differ in lightness, for print without colours. */
const layers = [
  { part: 'paid', fill: '#2f7d4f' },
  { part: 'open', fill: '#f0c75e' },
  { part: 'unpaid', fill: '#b3403a' },
] as const;

export function statusChart(timeline: Timeline): string {
  const points = pointsOf(timeline);
  const every = Math.ceil(points.length / shownPoints);
  // If several steps fall within one second, the table shows only the last step.
  const shown = new Map(
    points
      .filter((_, index) => index === points.length - 1 || index % every === 0)
      .map((point) => [timeWords(point.at), point]),
  );
  const figures = Array.from(shown, ([by, { paid, open, unpaid }]) => [
    by,
    ...[paid + open + unpaid, paid, open, unpaid].map(grouped),
  ]);
  return `<figure>${drawing(points)}<figcaption>${legend()}</figcaption></figure>
${table(['By', 'Sent', ...Object.values(chartParts)], figures, [1, 2, 3, 4])}`;
}

function pointsOf({ from, stepMs, sent, paid, unpaid }: Timeline): Point[] {
  const sums = { sent: 0, paid: 0, unpaid: 0 };
  return sent.map((count, step) => {
    sums.sent += count;
    sums.paid += paid[step]!;
    sums.unpaid += unpaid[step]!;
    return {
      at: from + (step + 1) * stepMs - 1,
      paid: sums.paid,
      unpaid: sums.unpaid,
      open: sums.sent - sums.paid - sums.unpaid,
    };
  });
}

function drawing(points: readonly Point[]): string {
  const last = points.at(-1)!;
  const most = Math.max(1, ...points.map(({ paid, open, unpaid }) => paid + open + unpaid));
  const { width, height, left, bottom, top } = size;
  const x = (index: number) => left + ((width - left) * index) / points.length;
  const y = (count: number) => height - bottom - ((height - bottom - top) * count) / most;
  const below = points.map(() => 0);
  const areas = layers.map(({ part, fill }) => {
    const base = [...below];
    points.forEach((point, index) => {
      below[index]! += point[part];
    });
    const corners = (heights: readonly number[]) =>
      heights.flatMap((count, index) => [
        `${x(index).toFixed(1)},${y(count).toFixed(1)}`,
        `${x(index + 1).toFixed(1)},${y(count).toFixed(1)}`,
      ]);
    return `<polygon points="${[...corners(below), ...corners(base).reverse()].join(' ')}" fill="${fill}"/>`;
  });
  const label = (atX: number, atY: number, anchor: string, text: string) =>
    `<text x="${atX}" y="${atY}" text-anchor="${anchor}" font-size="11" fill="#1c2126">${safe(text)}</text>`;
  return `<svg role="img" aria-labelledby="chart-title chart-words" viewBox="0 0 ${width} ${height}">
<title id="chart-title">${reportWords.overTime}</title><desc id="chart-words">${safe(chartWords(most, last))}</desc>
${areas.join('\n')}
<line x1="${left}" y1="${height - bottom}" x2="${width}" y2="${height - bottom}" stroke="#1c2126"/>
<line x1="${left}" y1="${top}" x2="${left}" y2="${height - bottom}" stroke="#1c2126"/>
${label(left - 6, top + 10, 'end', grouped(most))}
${label(left - 6, height - bottom, 'end', '0')}
${label(left, height - 8, 'start', timeWords(points[0]!.at))}
${label(width, height - 8, 'end', timeWords(last.at))}
</svg>`;
}

function legend(): string {
  return layers
    .map(
      ({ part, fill }) =>
        `<span class="key"><svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" fill="${fill}"/></svg> ${chartParts[part]}</span>`,
    )
    .join(' ');
}
