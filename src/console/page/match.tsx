/** Lets a person choose a workbook's sheet, and match columns whose names are unclear. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Requests, Upload } from '../api.ts';
import { Field, optionsOf, Select } from './fields.tsx';
import { Act, Form, Table } from './parts.tsx';
import { fieldName } from './words.ts';

type Columns = Omit<Requests['columns'], 'standing'>;

/** Offers the other sheets of a workbook, because the payments may be on one of them. */
export function ChooseSheet(props: {
  readonly upload: Upload;
  readonly onSheet: (sheetName: string) => Promise<void>;
}) {
  const { advice, sheetName, asksForSheet: asked } = props.upload;
  const others = (advice?.sheets ?? []).filter((name) => name !== sheetName);
  const [chosen, choose] = useState('');
  const sheet = others.find((name) => name === chosen) ?? others[0];
  if (sheet === undefined) return null;
  const form = (
    <Form
      label={asked ? 'Which sheet is to be paid' : 'Another sheet of this workbook'}
      button={asked ? 'Use this sheet' : 'Read this sheet'}
      action={() => props.onSheet(sheet)}
    >
      <Select
        label="Sheet of the workbook"
        value={sheet}
        choices={others.map((value) => ({ value, words: value }))}
        onText={choose}
      />
    </Form>
  );
  const hint =
    'Payrun then reads it in place of this one, until one of them has a plan. Your choices for these columns do not count for it.';
  return asked ? question('Which sheet is to be paid?', form) : folded('Another sheet of this workbook', hint, form);
}

const question = (title: string, ...parts: ComponentChildren[]) => (
  <section>
    <h2>{title}</h2>
    {parts}
  </section>
);

const folded = (title: string, hint: string, ...parts: ComponentChildren[]) => (
  <details>
    <summary>{title}</summary>
    <p>{hint}</p>
    {parts}
  </details>
);

export function MatchColumns(props: {
  readonly upload: Upload;
  readonly advice: NonNullable<Upload['advice']>;
  readonly onMatch: (columns: Columns) => Promise<void>;
}) {
  const { upload, advice, onMatch } = props;
  const [columns, setColumns] = useState<readonly (string | null)[]>(() =>
    upload.header.map((_, at) => advice.columns[at] ?? upload.columns[at] ?? null),
  );
  const [values, setValues] = useState<Readonly<Record<string, string>>>(advice.values);
  const [format, setFormat] = useState<string>(advice.numberFormat ?? '');
  const choices = [
    { value: '', words: 'not read' },
    ...advice.choices.map(({ field, words, needed }) => ({
      value: field,
      words: `${words}${needed ? ' (needed)' : ''}`,
    })),
  ];
  const missing = advice.choices.filter(({ field, needed }) => needed && !columns.includes(field));
  const asked = advice.choices.filter(
    ({ field, needed, fixed }) => fixed && !columns.includes(field) && (needed || Object.hasOwn(values, field)),
  );
  const match = () =>
    onMatch({
      columns: Object.fromEntries(
        upload.header.flatMap((header, at) => (columns[at] == null ? [] : [[header, columns[at]]])),
      ),
      values: Object.fromEntries(
        Object.entries(values).filter(([field, value]) => value !== '' && !columns.includes(field)),
      ),
      numberFormat: format === '' ? null : (format as NonNullable<Columns['numberFormat']>),
    });
  const shipped = advice.shipped ?? null;
  const offer = shipped !== null && (
    <div class="notice">
      <p>
        <strong>The columns are like those of: {shipped.product}.</strong> {shipped.about}
      </p>
      <p class="buttons">
        <Act main action={() => onMatch({ columns: {}, values: {}, numberFormat: null, map: shipped.name })}>
          Read it as this product’s file
        </Act>
      </p>
      <p class="hint">If it is another file, match its columns below.</p>
    </div>
  );
  const form = (
    <Form label="Which column is which" button="Use these columns" action={match}>
      <Table label="Columns" heads={['Column of your sheet', 'Is']}>
        {upload.header.map((header, at) => (
          <tr key={`${at}`}>
            <th scope="row">{header === '' ? `(column ${at + 1}, without a name)` : header}</th>
            <td>
              <select
                aria-label={`Column ${header} is`}
                value={columns[at] ?? ''}
                onChange={(event) => setColumns(columns.with(at, event.currentTarget.value || null))}
              >
                {optionsOf(choices)}
              </select>
            </td>
          </tr>
        ))}
      </Table>
      {missing
        .filter(({ fixed }) => !fixed)
        .map(({ field, words }) => (
          <p class="hint" key={field}>
            No column is {words}. Choose it above, or add such a column to the file and upload it again.
          </p>
        ))}
      {asked.map(({ field, words }) => (
        <Field
          key={field}
          label={`The same ${fieldName(field)} for every row`}
          hint={`No column is ${words}. If it is the same for all rows, write it here.`}
          value={values[field] ?? ''}
          onText={(text) => setValues({ ...values, [field]: text })}
        />
      ))}
      <Select
        label="How amounts are written"
        value={format}
        choices={[
          { value: '', words: 'each amount can be read in one way only' },
          { value: '1,234.56', words: '1,234.56' },
          { value: '1.234,56', words: '1.234,56' },
        ]}
        onText={setFormat}
      />
    </Form>
  );
  if (upload.state === 'columns') return question('Which column is which?', offer, form);
  const hint = 'Payrun checks the sheet again, and remembers your choice for sheets with the same columns.';
  return folded('Which column is which: match them differently', hint, offer, form);
}
