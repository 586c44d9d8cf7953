/** Shows which rows of a sheet were sent before, and in which batch. */
import type { SheetRows, Upload } from '../api.ts';
import { Batches, Moment, useLoaded } from './parts.tsx';
import { pathOf } from './route.ts';
import { correctionWords, count, counted, fileName, isSent, local, mendsWords, someRows, within } from './words.ts';

const shownRepeats = 20;

/** Shows rows that look sent, each with its match, before the page asks for a reason. */
export function SentAlike({ upload }: { readonly upload: Upload }) {
  const address = `/api/uploads/${upload.id}/rows?filter=warnings&warning=LOOKS_PAID&limit=500`;
  const rows = useLoaded<SheetRows>(address).data?.rows ?? [];
  const alike = rows.flatMap(({ number, problems }) =>
    problems.filter(({ code }) => code === 'LOOKS_PAID').map(({ message }) => `Row ${number} ${message}.`),
  );
  if (alike.length === 0) return null;
  const more = alike.length - shownRepeats;
  return (
    <ul>
      {alike.slice(0, shownRepeats).map((words) => (
        <li key={words}>{local(words)}</li>
      ))}
      {more > 0 && <li>And {count(more)} more: the table of the sheet has them among the rows with warnings.</li>}
    </ul>
  );
}

export function Before(props: {
  readonly upload: Upload;
  readonly batch: string;
  readonly goesOn: string | null;
  readonly onGoOn: (batch: string) => void;
  readonly onOther: () => void;
}) {
  const { upload, goesOn, onGoOn, onOther } = props;
  const { sentAs, mends } = upload;
  const isOther = goesOn === null && props.batch !== upload.sent?.batch;
  const kept = isOther ? upload.keptDocuments.map(fileName) : [];
  const alike = sentAs?.batches.some(({ own }) => !own) === true;
  if (!alike && kept.length === 0 && upload.goesOn.length === 0 && (sentAs === null || isSent(upload))) return null;
  return (
    <div class={sentAs === null ? 'notice' : 'notice warning'}>
      {goesOn !== null && goesOn === mends?.batch && (
        <>
          <p>
            <strong>This sheet goes on with batch {goesOn}.</strong> It looks like that batch’s own sheet, mended.{' '}
            {mendsWords(mends)} A row that was sent as another batch is not sent again: it is held for a person.
          </p>
          <p>
            Only if it is another payment, such as another month’s:{' '}
            <button type="button" class="small" onClick={onOther}>
              give it a batch of its own
            </button>
            . That pays {within(someRows(mends.sent))} once more.
          </p>
        </>
      )}
      {goesOn !== null && goesOn !== mends?.batch && (
        <p>
          It goes on with batch {goesOn}: what was sent as that batch is not sent again, and what was sent as another is
          held.
        </p>
      )}
      {goesOn === null && sentAs !== null && sentAs.rows > 0 && !isSent(upload) && (
        <p>
          {counted(sentAs.rows, 'row of this sheet was', 'rows of this sheet were')} sent already as{' '}
          <Batches of={sentAs} own />: the table says which, and which were sent with another amount or account.{' '}
          {correctionWords(upload) ?? (
            <>
              To pay what was never sent alone, take both kinds out of the file, and{' '}
              <a href="#file">hand it in again</a>
              {upload.goesOn.length === 0 ? '.' : '; or go on:'}
            </>
          )}
        </p>
      )}
      {goesOn === null && upload.goesOn.length > 0 && <GoOn batches={upload.goesOn} onGoOn={onGoOn} />}
      {(alike || (sentAs !== null && !isSent(upload))) && <SentAlike upload={upload} />}
      {kept.length > 0 && (
        <p>
          Under another name its documents are asked for again, as of any other payment: add {kept.join(', ')} above,
          before you make the plan.
        </p>
      )}
    </div>
  );
}

const GoOn = (props: { readonly batches: Upload['goesOn']; readonly onGoOn: (batch: string) => void }) => (
  <ul>
    {props.batches.map(({ batch, rows, at }) => (
      <li key={batch}>
        {counted(rows, 'row was', 'rows were')} sent as batch <a href={pathOf('batches', batch)}>{batch}</a>
        {at !== null && (
          <>
            , <Moment at={at} />
          </>
        )}
        . If the others belong to it too,{' '}
        <button type="button" class="small" onClick={() => props.onGoOn(batch)}>
          go on with batch {batch}
        </button>
        : what was sent as it is not sent again, and what was sent as another batch is held.
      </li>
    ))}
  </ul>
);
