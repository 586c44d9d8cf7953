/** Making the plan that others approve: its name, and the totals that somebody told by another way. */
import { useEffect, useState } from 'preact/hooks';
import type { Requests, Upload } from '../api.ts';
import { Failure, Field, Form, LongField } from './parts.tsx';
import { count, counted } from './words.ts';

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
    <Form button={again ? 'Make a new plan' : 'Make the plan'} action={plan}>
      <Field
        label="Name of the batch"
        hint="Such as 2026-11. Handing in the same sheet again under the same name never pays a row twice."
        value={batch}
        onText={setBatch}
        required
        maxLength={64}
      />
      <Field
        label="Series (optional)"
        hint="Such as salaries: the plan is compared with the last batch of the same series."
        value={series}
        onText={setSeries}
        maxLength={64}
      />
      <fieldset>
        <legend>Control totals (optional)</legend>
        <p class="hint">
          What somebody told you by another way, such as the payroll report. Only what you write here is compared; a
          plan that comes to anything else in it is refused.
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
      {toFix > 0 && whyNotSkip !== null && <p class="notice">{whyNotSkip}</p>}
      {toFix > 0 && whyNotSkip === null && (
        <label class="check">
          <input type="checkbox" checked={skip} onChange={(event) => setSkip(event.currentTarget.checked)} />
          <span>
            Plan the {count(Math.max(0, rows - toFix))} good rows alone, and leave out {counted(toFix, 'row')} that are
            still to fix.
          </span>
        </label>
      )}
      <details open={refused}>
        <summary>Where the plan was refused although it is meant</summary>
        <LongField
          label="Why it differs so much from the last batch of its series"
          value={variance}
          onText={setVariance}
        />
        <LongField
          label="Why rows that look paid are to be paid again (the batch needs a new name)"
          value={repeat}
          onText={setRepeat}
        />
        <label class="check">
          <input type="checkbox" checked={add} onChange={(event) => setAdd(event.currentTarget.checked)} />
          <span>This sheet adds new rows to a batch that was already sent.</span>
        </label>
      </details>
      {refused && upload.job?.message != null && <Failure>{upload.job.message}</Failure>}
    </Form>
  );
  return (
    <section>
      <h2>Plan</h2>
      <p>
        The plan says what paying would do, to the last row. It is approved by somebody else before anything is sent.
      </p>
      {again ? (
        <details>
          <summary>Make a new plan, which needs new approvals</summary>
          {form}
        </details>
      ) : (
        form
      )}
    </section>
  );
}
