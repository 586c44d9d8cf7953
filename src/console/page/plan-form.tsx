/** Making the plan that others approve: its name, and the totals that somebody told by another way. */
import { useEffect, useState } from 'preact/hooks';
import type { Requests, Upload } from '../api.ts';
import { Field, Form, LongField } from './parts.tsx';
import { count, counted, isSent, local, wholeSentence } from './words.ts';

/** What was typed outlives a reload and a refusal, in this window alone. */
function useKept<T>(sheet: string, what: string, otherwise: T) {
  const key = `plan ${sheet} ${what}`;
  const [value, setValue] = useState<T>(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? otherwise : (JSON.parse(kept) as T);
  });
  useEffect(() => {
    if (value === otherwise) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  }, [key, value]);
  return [value, setValue] as const;
}

/** Why no plan was made: single rows as a list, and the ways on one below the other. */
function Why({ message }: { readonly message: string }) {
  const [found = '', ...ways] = message.split(/(?<=\.) (?=If )/);
  const [, said = '', listed = ''] = /^(.*?:) (row \d+ .*)\.$/is.exec(found) ?? [];
  const rows = listed.split(/; (?=row \d)|\.? (?=Row \d|And )/).filter((row) => row !== '');
  return (
    <div class="failure" role="alert">
      <p>{local(rows.length === 0 ? found : said)}</p>
      {rows.length > 0 && (
        <ul>
          {rows.map((row) => (
            <li key={row}>{wholeSentence(row)}</li>
          ))}
        </ul>
      )}
      {ways.map((way) => (
        <p key={way}>{local(way)}</p>
      ))}
    </div>
  );
}

export function PlanForm({
  upload,
  onPlan,
}: {
  readonly upload: Upload;
  readonly onPlan: (plan: Requests['plan']) => Promise<void>;
}) {
  const [batch, setBatch] = useKept(upload.id, 'batch', upload.batch);
  const [series, setSeries] = useKept(upload.id, 'series', '');
  const [skip, setSkip] = useState(false);
  const [told, setTold] = useKept<Readonly<Record<string, string>>>(upload.id, 'told', {});
  const [variance, setVariance] = useState('');
  const [repeat, setRepeat] = useState('');
  const [add, setAdd] = useState(false);
  const { toFix, rows } = upload.counts;
  const { whyNotSkip } = upload;
  const names = [
    'rows',
    ...new Set(upload.totals.map(({ currency, unit }) => (unit === 'whole' ? currency : `${currency}:${unit}`))),
  ];
  const refused = upload.job?.kind === 'plan' && upload.job.state === 'failed';
  const isMaking = upload.job?.kind === 'plan' && upload.job.state === 'running';
  const again = upload.state === 'planned' || upload.state === 'approved';
  const plan = () =>
    onPlan({
      batch,
      skipInvalid: skip,
      expect: Object.entries(told)
        .filter(([, value]) => value.trim() !== '')
        .map(([name, value]) => `${name}=${value.trim()}`),
      ...(series === '' ? {} : { series }),
      ...(variance === '' ? {} : { confirmVariance: variance }),
      ...(repeat === '' ? {} : { confirmRepeat: repeat }),
      ...(add ? { add } : {}),
    });
  const form = (
    <Form
      label="Plan"
      busyWords="Making the plan …"
      busy={isMaking}
      button={again ? 'Make a new plan' : 'Make the plan'}
      action={plan}
    >
      <Field
        label="Name of the batch"
        hint="The rows of this sheet are called so from now on, such as 2026-11. Handed in again under the same name, no row is paid twice."
        value={batch}
        onText={setBatch}
        required
        maxLength={64}
      />
      <Field
        label="Series (optional)"
        hint="Where a batch comes each month, one word for all of them, such as salaries: the plan is compared with the last one."
        value={series}
        onText={setSeries}
        maxLength={64}
      />
      <fieldset>
        <legend>Control totals (optional)</legend>
        <p class="hint">
          A guard against a wrong file: write what you know by another way, such as from the payroll report. A plan that
          comes to anything else is refused. Left empty, nothing is compared; but who gives the total of one currency
          gives those of all, so that none is added unseen.
        </p>
        <div class="row">
          {names.map((name) => (
            <Field
              key={name}
              label={name === 'rows' ? 'Number of rows' : `Total ${name.replace(':', ', in ')}`}
              value={told[name] ?? ''}
              onText={(text) => setTold({ ...told, [name]: text })}
            />
          ))}
        </div>
      </fieldset>
      {toFix > 0 && whyNotSkip !== null && <p class="notice">{wholeSentence(whyNotSkip)}</p>}
      {toFix > 0 && whyNotSkip === null && (
        <label class="check">
          <input type="checkbox" checked={skip} onChange={(event) => setSkip(event.currentTarget.checked)} />
          <span>
            Plan the {count(Math.max(0, rows - toFix))} good rows alone, and leave out {counted(toFix, 'row')} still to
            fix: nothing of {toFix === 1 ? 'it' : 'them'} is paid.
          </span>
        </label>
      )}
      {refused && upload.job?.message != null && <Why message={upload.job.message} />}
      <details open={refused}>
        <summary>If a plan is refused, and is meant all the same</summary>
        <LongField
          label="Why it differs so much from the last batch of its series"
          hint="For a plan that was refused because its sum, or its number of rows, is far from the last one’s."
          value={variance}
          onText={setVariance}
        />
        <LongField
          label="Why rows that look paid are to be paid again"
          hint={`It is taken for every row of this batch that looks paid, now or when it is paid, not for single ones; ${counted(rows - (skip ? toFix : 0), 'row')} would be sent. Approvers read it, with each of those rows. The batch needs a name that no other has.`}
          value={repeat}
          onText={setRepeat}
        />
        <label class="check">
          <input type="checkbox" checked={add} onChange={(event) => setAdd(event.currentTarget.checked)} />
          <span>This sheet adds new rows to a batch that was sent already: only those are paid.</span>
        </label>
      </details>
    </Form>
  );
  return (
    <section>
      <h2 id="plan" tabIndex={-1}>
        Plan
      </h2>
      <p>
        The plan says what paying would do, to the last row. Making it sends nothing: somebody else approves it first,
        and then you pay it here.
      </p>
      {again || isSent(upload) ? (
        <details>
          <summary>
            {again ? 'Make a new plan, which needs new approvals' : 'Pay the same once more, under a name of its own'}
          </summary>
          {form}
        </details>
      ) : (
        form
      )}
    </section>
  );
}
