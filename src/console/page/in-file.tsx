/** Shows mistakes that people can fix only in the file: the cells, the steps, and the upload of the sheet again. */
import { useId, useState } from 'preact/hooks';
import type { Mistake, Upload } from '../api.ts';
import { Ask, Heading, say } from './parts.tsx';
import { go, pathOf, watchPage } from './route.ts';
import { post, postFile, sentence } from './server.ts';
import { counted, isInFileAlone, isPlaceInFile, oneOrMany, wholeSentence } from './words.ts';

/** The most rows of a complete checked workbook. A larger workbook has only rows with problems, and cannot be uploaded. */
const wholeWorkbook = 20_000;

export function InFile({ upload, mistakes, canFix }: Props & { readonly canFix: boolean }) {
  const ofSheet = upload.problems.filter(isInFileAlone);
  const ofRows = mistakes.filter(isPlaceInFile);
  if (ofSheet.length + ofRows.length === 0) return null;
  const isWhole = upload.counts.rows <= wholeWorkbook;
  return (
    <section>
      <Heading id="in-file">To fix in the file</Heading>
      <p>Fix these in the file itself. Payrun never changes your file.</p>
      <ul>
        {ofSheet.map(({ row, message }) => (
          <li key={`${row} ${message}`} class="bad">
            {wholeSentence(message)}
          </li>
        ))}
        {ofRows.map(({ code, firstRow, rows, value, message }) => (
          <li key={`${code} ${firstRow} ${value}`} class="bad">
            {oneOrMany(rows, 'Row', `${counted(rows, 'row')}, the first is row`)} {firstRow}: {`${message}.`}
          </li>
        ))}
      </ul>
      {canFix && (
        <ol>
          {isWhole ? (
            <li>
              <a href={`/api/uploads/${encodeURIComponent(upload.id)}/checked`} download>
                Download the checked workbook
              </a>
              : your sheet, with what was fixed here in it already.
            </li>
          ) : (
            <li>Open your own file in the spreadsheet program, and make the fixes from this page in it too.</li>
          )}
          <li>Fix these places in the spreadsheet program, and save it.</li>
          <li>
            <UploadAgain upload={upload} />
          </li>
        </ol>
      )}
    </section>
  );
}

interface Props {
  readonly upload: Upload;
  readonly mistakes: readonly Mistake[];
}

export function UploadAgain({ upload }: { readonly upload: Upload }) {
  const [file, setFile] = useState<File | null>(null);
  const id = useId();
  const uploadAgain = async () => {
    if (file === null) throw new Error('Choose the file first.');
    const isStillHere = watchPage();
    const { id: next } = await postFile<Upload>(`/api/uploads?replaces=${encodeURIComponent(upload.id)}`, file);
    say(`${file.name} was uploaded.`);
    await post(`/api/uploads/${encodeURIComponent(upload.id)}/discard`, { standing: upload.standing }).catch(
      (error: unknown) => say(`${file.name} was uploaded. ${upload.file} is still here: ${sentence(error)}`),
    );
    if (isStillHere()) go(pathOf('sheets', next));
  };
  return (
    <Ask button="Upload the sheet again" confirm="Upload it" action={uploadAgain}>
      <p>
        <label for={id}>The file:</label>{' '}
        <input
          id={id}
          type="file"
          required
          accept=".csv,.xlsx,.txt,.tsv,.xml"
          onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
        />
      </p>
      <p>
        Payrun then discards {upload.file} here. The new sheet keeps the documents of {upload.file}, and lists the fixes
        that people made here.
      </p>
    </Ask>
  );
}
