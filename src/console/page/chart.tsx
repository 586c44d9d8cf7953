/** Draws a batch's payments over time, with a table of the same figures. */
import type { Batch } from '../api.ts';
import { Table } from './parts.tsx';
import { count, counted, timeOfDay } from './words.ts';

const width = 720;
const height = 180;
const left = 44;
const bottom = 20;
const lines = 12;

const layers = [
  { part: 'paid', word: 'Paid' },
  { part: 'open', word: 'Pending, in doubt or held' },
  { part: 'unpaid', word: 'Unpaid' },
] as const;

interface Point {
  readonly at: Date;
  readonly paid: number;
  readonly open: number;
  readonly unpaid: number;
}

export function Chart({ chart }: { readonly chart: NonNullable<Batch['chart']> }) {
  const points = pointsOf(chart);
  const end = points.at(-1);
  if (end === undefined) return null;
  const most = Math.max(1, ...points.map(all));
  const x = (index: number) => left + ((width - left) * index) / points.length;
  const y = (value: number) => height - bottom - ((height - bottom - 8) * value) / most;
  const below = points.map(() => 0);
  const areas = layers.map(({ part }) => {
    const base = [...below];
    points.forEach((point, index) => {
      below[index] = (below[index] ?? 0) + point[part];
    });
    // Draws steps, because nothing is known about the time between two points.
    const corners = (heights: readonly number[]) =>
      heights.flatMap((value, index) => [
        `${x(index).toFixed(1)},${y(value).toFixed(1)}`,
        `${x(index + 1).toFixed(1)},${y(value).toFixed(1)}`,
      ]);
    return { part, corners: [...corners(below), ...corners(base).reverse()].join(' ') };
  });
  const words = `Of ${counted(all(end), 'row')} sent or held: ${count(end.paid)} paid, ${count(end.unpaid)} unpaid, ${count(end.open)} not ended.`;
  const step = Math.ceil(points.length / lines);
  const listed = points.filter((_, index) => index === points.length - 1 || index % step === 0);
  return (
    <figure>
      <svg class="chart" role="img" aria-labelledby="chart-title chart-words" viewBox={`0 0 ${width} ${height}`}>
        <title id="chart-title">Payments over time</title>
        <desc id="chart-words">{words}</desc>
        {areas.map(({ part, corners }) => (
          <polygon key={part} class={part} points={corners} />
        ))}
        <line x1={left} y1={height - bottom} x2={width} y2={height - bottom} />
        <line x1={left} y1={8} x2={left} y2={height - bottom} />
        <text x={left - 6} y={18} text-anchor="end">
          {count(most)}
        </text>
        <text x={left - 6} y={height - bottom} text-anchor="end">
          0
        </text>
        <text x={left} y={height - 5}>
          {points[0] !== undefined && timeOfDay(points[0].at)}
        </text>
        <text x={width} y={height - 5} text-anchor="end">
          {timeOfDay(end.at)}
        </text>
      </svg>
      <figcaption>
        {layers.map(({ part, word }) => (
          <span key={part} class="key">
            <svg class="chart" width="12" height="12" aria-hidden="true">
              <rect class={part} width="12" height="12" />
            </svg>{' '}
            {word}
          </span>
        ))}
      </figcaption>
      <details>
        <summary>The same figures as a table</summary>
        <Table
          label="Payments over time"
          heads={['By', { n: 'Sent or held' }, ...layers.map(({ word }) => ({ n: word }))]}
        >
          {listed.map((point) => (
            <tr key={point.at.getTime()}>
              <th scope="row">{timeOfDay(point.at)}</th>
              <td class="n">{count(all(point))}</td>
              {layers.map(({ part }) => (
                <td class="n" key={part}>
                  {count(point[part])}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}

const all = ({ paid, open, unpaid }: Point): number => paid + open + unpaid;

function pointsOf({ from, stepMs, sent, paid, unpaid, held }: NonNullable<Batch['chart']>): readonly Point[] {
  const sums = { sent: 0, paid: 0, unpaid: 0 };
  const begin = new Date(from).getTime();
  return sent.map((made, step) => {
    sums.sent += made;
    sums.paid += paid[step] ?? 0;
    sums.unpaid += unpaid[step] ?? 0;
    return {
      at: new Date(begin + (step + 1) * stepMs - 1),
      paid: sums.paid,
      unpaid: sums.unpaid,
      open: Math.max(0, sums.sent - sums.paid - sums.unpaid) + held,
    };
  });
}
