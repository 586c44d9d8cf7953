/** Asks whether a sheet is a new batch, or the next version of a batch that has rows of it. */
import type { Upload } from '../api.ts';
import { pathOf } from './route.ts';
import { count, counted, oneOrMany } from './words.ts';

export type Shared = Upload['sharedWith'][number];

export function NewOrNext(props: {
  readonly of: readonly Shared[];
  readonly next: Shared | null;
  readonly isNew: boolean;
  readonly onNext: (of: Shared) => void;
  readonly onNew: () => void;
}) {
  const { of, next, isNew, onNext, onNew } = props;
  return (
    <fieldset>
      <legend>A new batch, or the next version of one?</legend>
      <label class="check">
        <input type="radio" name="version" required checked={isNew} onChange={onNew} />
        <span>A new batch, with a name of its own, for another month or for other payments.</span>
      </label>
      {of.map((one) => (
        <label class="check" key={one.batch}>
          <input
            type="radio"
            name="version"
            required
            checked={!isNew && next?.batch === one.batch}
            onChange={() => onNext(one)}
          />
          <span>
            The next version of <a href={pathOf('batches', one.batch)}>{one.batch}</a>, {sharedWords(one)}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function sharedWords({ rows, sent, paid, held, lacks }: Shared): string {
  return [
    `which has ${counted(rows, 'row')} of this sheet.`,
    ...(sent > 0
      ? [
          `It sent ${count(sent)} of them, and ${counted(paid, 'is', 'are')} paid. ${oneOrMany(sent, 'It is', 'They are')} not sent again.`,
        ]
      : []),
    ...(held > 0 ? [`${counted(held, 'of them is', 'of them are')} held.`] : []),
    ...(lacks > 0 ? [`This sheet lacks ${counted(lacks, 'row')} of the batch.`] : []),
  ].join(' ');
}
