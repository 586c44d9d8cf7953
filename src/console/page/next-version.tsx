/** Offers a sheet as the next version of a batch that has rows of it. */
import type { Requests, Upload } from '../api.ts';
import { UploadAgain } from './in-file.tsx';
import { Act } from './parts.tsx';
import { pathOf } from './route.ts';
import { may } from './server.ts';
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

/** Replaces the plan of a sheet that was compared with an older version of its batch. */
export const Newer = ({ upload, newer }: { readonly upload: Upload; readonly newer: NonNullable<Upload['newer']> }) => (
  <div class="notice warning" role="status">
    <p>
      <strong>Batch {newer.batch} has a newer version</strong>, from the sheet {newer.sheet}
      {newer.by !== null && `, by ${newer.by}`}. It came after the upload of this sheet, so no plan can be made here.
      Compare this sheet with <a href={pathOf('batches', newer.batch)}>the batch</a>, correct your file, and upload it
      again.
    </p>
    {may('preparer') && <UploadAgain upload={upload} />}
  </div>
);
