/** Shows which rows of a sheet were sent before, and in which batch. */
import type { SheetRows, Upload } from '../api.ts';
import { Batches, Moment, useLoaded } from './parts.tsx';
import { pathOf } from './route.ts';
import { correctionWords, count, counted, fileName, isSent, local } from './words.ts';

const shownRepeats = 20;

/** Lists rows that look paid, each with the payment that it resembles, before the page asks for a reason. */
function SentAlike({ upload }: { readonly upload: Upload }) {
  const address = `/api/uploads/${upload.id}/rows?filter=warnings&warning=LOOKS_PAID&limit=500`;
  const rows = useLoaded<SheetRows>(address).data?.rows ?? [];
  const alike = rows.flatMap(({ number, problems }) =>
    problems.filter(({ code }) => code === 'LOOKS_PAID').map(({ message }) => `Row ${number} ${message}.`),
  );
  return <AlikeList lines={alike.slice(0, shownRepeats)} total={alike.length} />;
}

export function AlikeList({ lines, total }: { readonly lines: readonly string[]; readonly total: number }) {
  const more = total - lines.length;
  if (total === 0) return null;
  return (
    <ul>
      {lines.map((words) => (
        <li key={words}>{local(words)}</li>
      ))}
      {more > 0 && <li>And {count(more)} more: the table of the sheet has them among the rows with warnings.</li>}
    </ul>
  );
}

type Shared = Upload['sharedWith'][number];

export function Before(props: {
  readonly upload: Upload;
  readonly batch: string;
  readonly isNext: boolean;
  readonly onNext: (of: Shared) => void;
  readonly onNew: () => void;
}) {
  const { upload, batch, isNext, onNext, onNew } = props;
  const { sentAs, sharedWith } = upload;
  const isOther = !isNext && batch !== upload.sent?.batch;
  const kept = isOther ? upload.keptDocuments.map(fileName) : [];
  const isPartSent = sentAs !== null && !isSent(upload);
  if (!isPartSent && kept.length === 0 && sharedWith.length === 0) return null;
  return (
    <div class={sentAs === null ? 'notice' : 'notice warning'}>
      {sharedWith.length > 0 && (
        <NewOrNext of={sharedWith} next={isNext ? batch : null} onNext={onNext} onNew={onNew} />
      )}
      {!isNext && isPartSent && sentAs.rows > 0 && (
        <p>
          {counted(sentAs.rows, 'row of this sheet was', 'rows of this sheet were')} sent already as{' '}
          <Batches of={sentAs} own />: the table says which, and which were sent with another amount or account.{' '}
          {correctionWords(upload)}
        </p>
      )}
      {isPartSent && <SentAlike upload={upload} />}
      {kept.length > 0 && (
        <p>
          Under another name its documents are asked for again, as of any other payment: add {kept.join(', ')} above,
          before you make the plan.
        </p>
      )}
    </div>
  );
}

function NewOrNext(props: {
  readonly of: readonly Shared[];
  readonly next: string | null;
  readonly onNext: (of: Shared) => void;
  readonly onNew: () => void;
}) {
  const { of, next, onNext, onNew } = props;
  return (
    <fieldset>
      <legend>A new batch, or the next version of one?</legend>
      <label class="check">
        <input type="radio" name="version" checked={next === null} onChange={onNew} />
        <span>A new batch, with a name of its own. Rows that look paid already are held.</span>
      </label>
      {of.map((one) => (
        <label class="check" key={one.batch}>
          <input type="radio" name="version" checked={next === one.batch} onChange={() => onNext(one)} />
          <span>
            The next version of <a href={pathOf('batches', one.batch)}>{one.batch}</a>, which sent{' '}
            {counted(one.rows, 'row')} of this sheet
            {one.at !== null && (
              <>
                , <Moment at={one.at} />
              </>
            )}
            : {one.rows === 1 ? 'it is' : 'they are'} not sent again.
            {one.lacks > 0 &&
              ` This sheet lacks ${counted(one.lacks, 'row')} of the batch; ${one.lacks === 1 ? 'it stays' : 'they stay'} in it.`}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
