/** Offers a sheet as the next version of a batch that has rows of it. */
import type { Requests, Upload } from '../api.ts';
import { Act } from './parts.tsx';
import { pathOf } from './route.ts';
import { count, counted, named } from './words.ts';

type Shared = Upload['sharedWith'][number];

export function NextVersion(props: {
  readonly of: Shared;
  readonly goodRows: number;
  readonly onNext: (as: Pick<Requests['plan'], 'batch' | 'add' | 'drop'>) => Promise<void>;
}) {
  const { of, goodRows, onNext } = props;
  const { batch, rows, lacks } = of;
  // A sheet with all rows of the batch is its whole new list. Payrun asks a person about another sheet.
  const added = lacks === 0 ? Math.max(0, goodRows - rows) : 0;
  return (
    <>
      <p>
        Batch <a href={pathOf('batches', batch)}>{batch}</a> {sharedWords(of)}
      </p>
      <p class="buttons">
        <Act main action={() => onNext({ batch, ...(lacks === 0 ? { add: true, drop: true } : {}) })}>
          Plan as the next version of {batch}
          {added > 0 && `: add ${counted(added, 'row')}`}
        </Act>
      </p>
    </>
  );
}

/** Says whose plan of the batch waits, because no other plan of the batch can be made until that plan ends. */
export const Waits = ({ of: { batch, file, by, upload } }: { readonly of: Upload['waits'][number] }) => (
  <p class="notice">
    A plan of batch <a href={pathOf('batches', batch)}>{batch}</a> waits: {file}, by {by}. Pay, decline or withdraw it
    first: <a href={upload === null ? '/' : pathOf('sheets', upload, 'review')}>review the plan that waits</a>.
  </p>
);

function sharedWords({ rows, same, paid, held, lacks, reopens }: Shared): string {
  const { it } = named(reopens);
  return [
    same === rows
      ? `has ${counted(rows, 'row')} of this sheet.`
      : `has ${counted(rows, 'row id')} of this sheet. The payment is the same in ${counted(same, 'row')}, and differs in ${count(rows - same)}.`,
    paid > 0 && `Of the rows with the same payment, ${counted(paid, 'row is', 'rows are')} paid, and not sent again.`,
    held > 0 && `${counted(held, 'row is', 'rows are')} held.`,
    lacks > 0 && `This sheet lacks ${counted(lacks, 'row')} of the batch.`,
    reopens > 0 &&
      `A person or a newer sheet closed ${counted(reopens, 'row')} of this sheet. The plan opens ${it} again. To leave ${it} closed, delete ${it} from the sheet.`,
  ]
    .filter(Boolean)
    .join(' ');
}
