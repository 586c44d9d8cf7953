/** Asks about columns that Payrun does not read and that may say which rows to pay. */
import { useState } from 'preact/hooks';
import type { Requests, Upload } from '../api.ts';
import { Check } from './fields.tsx';
import { Act } from './parts.tsx';
import { counted } from './words.ts';

type Choices = Requests['rows']['choices'];
type Question = Upload['questions'][number];

const ticked = 'Pay only the rows that are ticked';

export function RowQuestions(props: { readonly upload: Upload; readonly onRows: (choices: Choices) => Promise<void> }) {
  const { upload, onRows } = props;
  const { questions, rowChoices } = upload;
  const decide = (choice: Choices[number]) => onRows([...rowChoices, choice]);
  return (
    <>
      {questions.map((question) => (
        <Ask key={question.header} question={question} onChoice={decide} />
      ))}
      {rowChoices.length > 0 && (
        <p class="buttons">
          <Act action={() => onRows([])}>Decide again which rows are paid</Act>
        </p>
      )}
    </>
  );
}

function Ask(props: { readonly question: Question; readonly onChoice: (choice: Choices[number]) => Promise<void> }) {
  const { question, onChoice } = props;
  const { header, values, others, unknown, isMerged } = question;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (text: string) =>
    setChosen((was) => (was.includes(text) ? was.filter((one) => one !== text) : [...was, text]));
  if (header.trim() === '')
    return (
      <p class="notice">
        A column without a name says which rows to pay. Give it a name in the file, and upload it again.
      </p>
    );
  return (
    <section>
      <h2>Which rows are to be paid?</h2>
      <p>Payrun does not read the column &lsquo;{header.trim()}&rsquo;. It may say it.</p>
      {values.map(({ text, rows }) => (
        <Check checked={chosen.includes(text)} onCheck={() => toggle(text)} key={text}>
          {text === '' ? 'empty' : text}: {counted(rows, 'row')}
        </Check>
      ))}
      {unknown > 0 && (
        <p>
          {counted(unknown, 'row there has', 'rows there have')} a formula without a current result. To choose by this
          column, open the file in a spreadsheet program, save it and upload it again.
        </p>
      )}
      {isMerged && (
        <p>
          Cells there are merged, and only the first row of each has the value. To choose by this column, unmerge them
          in the file, fill each cell and upload it again.
        </p>
      )}
      {others > 0 && (
        <p>Other values: {counted(others, 'row')}. To pay one of them, delete the other rows in the file.</p>
      )}
      <p class="buttons">
        {chosen.length === 0 || unknown > 0 || isMerged ? (
          <button type="button" disabled>
            {ticked}
          </button>
        ) : (
          <Act action={() => onChoice({ column: header.trim(), only: [...chosen] })}>{ticked}</Act>
        )}
        <Act action={() => onChoice({ column: header.trim(), only: null })}>Pay all rows</Act>
      </p>
    </section>
  );
}
