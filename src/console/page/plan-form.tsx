/** Shows the form for a plan: the batch's name, control totals and reasons. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Job, Requests, Upload } from '../api.ts';
import { Check, Field, LongField } from './fields.tsx';
import { NewOrNext, type Shared } from './new-or-next.tsx';
import { Form, Heading, say } from './parts.tsx';
import { pathOf } from './route.ts';
import { answeredCodes, documentCodes, may } from './server.ts';
import { counted, wholeSentence } from './words.ts';

/** Keeps typed text in this browser tab, also after a reload or a refusal. */
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

/** Shows why a plan was refused. The message has its own lines. */
function WhyWords({ job }: { readonly job: Pick<Job, 'code' | 'message'> }) {
  return (
    <>
      <p class="as-written">{job.message ?? 'It did not say why. Make the plan again.'}</p>
      {job.code === 'TOTALS_DIFFER' && (
        <p>
          <a href="#totals">Look at the control totals</a>: they are to be as you were told them. Where nobody told
          them, they stay empty.
        </p>
      )}
      {documentCodes.includes(job.code ?? '') && (
        <p>
          <a href="#documents">Add documents</a>, and make the plan again.
        </p>
      )}
    </>
  );
}

export const PlanRefused = ({ job }: Pick<Upload, 'job'>) => (
  <div class="failure" role="status">
    <p>
      <strong>The plan was refused.</strong> There is none, and nothing was sent.
    </p>
    <WhyWords job={job ?? { code: null, message: null }} />
    <p>{may('preparer') ? <a href="#plan">Go to the plan</a> : 'A preparer goes on.'}</p>
  </div>
);

function Made({ upload, isNew }: { readonly upload: Upload; readonly isNew: boolean }) {
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!isNew) return;
    box.current?.focus();
    say('The plan is made. Nothing was sent.');
  }, []);
  return (
    <p class="notice" tabIndex={-1} ref={box}>
      <strong>The plan for batch “{upload.batch}” is made.</strong>{' '}
      {upload.state === 'approved'
        ? 'All approvals are there, and it can be paid: '
        : 'Nothing was sent. Somebody else approves it next: '}
      <a href={pathOf('sheets', upload.id, 'review')}>open its review</a>.
    </p>
  );
}

/** Opens the part of the page if the address names it. */
function useOpenedByHash(to: string): readonly [boolean, (open: boolean) => void] {
  const [isOpen, setOpen] = useState(location.hash === to);
  useEffect(() => {
    const look = () => location.hash === to && setOpen(true);
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return [isOpen, setOpen];
}

const noVersion = { add: false, drop: false };

/** A sheet with all rows of the batch is its whole new list; another sheet adds rows. */
const versionOf = ({ lacks }: Shared) => ({ add: true, drop: lacks === 0 });

export function PlanForm({
  upload,
  onPlan,
}: {
  readonly upload: Upload;
  readonly onPlan: (plan: Requests['plan']) => Promise<void>;
}) {
  const { sharedWith } = upload;
  const own = sharedWith.find(({ batch: one }) => one === upload.batch);
  // A sheet that shares rows with batches has no name before a person answers the question.
  const [named, setBatch] = useKept<string | null>(upload.id, 'batch', null);
  const again = upload.state === 'planned' || upload.state === 'approved';
  const batch = named ?? (again || sharedWith.length === 0 || own !== undefined ? upload.batch : '');
  const next = sharedWith.find(({ batch: one }) => one === batch) ?? null;
  const [isNew, setNew] = useState(again && next === null);
  const [series, setSeries] = useKept(upload.id, 'series', '');
  const [skip, setSkip] = useState(false);
  const [told, setTold] = useKept<Readonly<Record<string, string>>>(upload.id, 'told', {});
  const [variance, setVariance] = useKept(upload.id, 'variance', '');
  const [repeat, setRepeat] = useKept(upload.id, 'repeat', '');
  // A form with a kept reason is open from the start, so that the person sees the reason before sending it.
  const [hadReason] = useState(variance !== '' || repeat !== '');
  const isChecking = upload.state === 'reading';
  const [{ add, drop }, setVersion] = useState(own === undefined ? noVersion : versionOf(own));
  const [open, setOpen] = useOpenedByHash('#plan');
  const { toFix, rows } = upload.counts;
  const { whyNotSkip, looksPaid } = upload;
  const names = [
    'rows',
    ...new Set(upload.totals.map(({ currency, unit }) => (unit === 'whole' ? currency : `${currency}:${unit}`))),
  ];
  const refused = upload.job?.kind === 'plan' && upload.job.state === 'failed';
  const isMaking = upload.job?.kind === 'plan' && upload.job.state === 'running';
  const wasMaking = useRef(false);
  if (isMaking) wasMaking.current = true;
  useEffect(() => {
    if (refused && wasMaking.current) say('The plan was refused. Nothing was sent.');
  }, [refused]);
  // After a refusal, opens the form, which has the fields for an answer.
  useEffect(() => {
    if (refused) setOpen(true);
  }, [refused, upload.job?.id]);
  const said = refused ? upload.job : null;
  const good = Math.max(0, rows - toFix);
  const plan = async () => {
    await onPlan({
      batch,
      skipInvalid: skip,
      expect: Object.entries(told)
        .filter(([, value]) => value.trim() !== '')
        .map(([name, value]) => `${name}=${value.trim()}`),
      ...(series === '' ? {} : { series }),
      ...(variance === '' ? {} : { confirmVariance: variance }),
      ...(repeat === '' ? {} : { confirmRepeat: repeat }),
      ...(add ? { add } : {}),
      ...(drop ? { drop } : {}),
      ...(isNew && sharedWith.length > 0 ? { isNew } : {}),
    });
    // Removes `#plan` from the address, so that the form does not open again.
    history.replaceState(history.state, '', location.pathname);
    setOpen(false);
  };
  const form = (
    <Form
      label="Plan"
      busyWords={isChecking ? 'Being checked again …' : 'Making the plan …'}
      busy={isMaking || isChecking}
      button={again ? 'Make a new plan' : 'Make the plan'}
      action={plan}
      about={`${toFix} of ${rows}`}
    >
      {sharedWith.length > 0 && (
        <NewOrNext
          of={sharedWith}
          next={next}
          isNew={isNew}
          onNext={(one) => {
            setNew(false);
            setBatch(one.batch);
            setVersion(versionOf(one));
          }}
          onNew={() => {
            setNew(true);
            setBatch(own === undefined ? upload.batch : '');
            setVersion(noVersion);
          }}
        />
      )}
      {(sharedWith.length === 0 || isNew) && (
        <Field
          label="Name of the batch"
          hint="The rows of this sheet belong to this batch from now on, such as 2026-11. A later sheet of the same batch pays no row twice."
          value={batch}
          onText={setBatch}
          required
          maxLength={64}
        />
      )}
      <Field
        label="Series (optional)"
        hint="Where a batch comes each month, one word for all of them, such as salaries: the plan is compared with the last one."
        value={series}
        onText={setSeries}
        maxLength={64}
      />
      <fieldset id="totals" tabIndex={-1}>
        <legend>Control totals (optional)</legend>
        <p class="hint">
          A guard against a wrong file: write what you know by another way, such as from the payroll report. A plan that
          comes to anything else is refused. Left empty, nothing is compared; but if you give the total of one currency,
          give those of all, so that no other currency is added unseen.
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
        <Check checked={skip} onCheck={setSkip}>
          Plan the {counted(good, 'good row')} alone, and leave out {counted(toFix, 'row')} still to fix: nothing of{' '}
          {toFix === 1 ? 'it' : 'them'} is paid.
        </Check>
      )}
      {said !== null && (
        <div class="failure" role="alert">
          <WhyWords job={said} />
        </div>
      )}
      <details open={hadReason || looksPaid > 0 || answeredCodes.includes(said?.code ?? '')}>
        <summary>If a plan is refused, but is intended</summary>
        <LongField
          label="Why it differs so much from the last batch of its series"
          hint="For a plan that was refused because its sum, or its number of rows, is far from the last one’s."
          value={variance}
          onText={setVariance}
        />
        <LongField
          label="Why rows that look paid are to be paid again"
          hint="It holds for every row of this batch that looks paid, now or when it is paid, not for single ones. Approvers read it, with each of those rows. The batch needs a name that no other has."
          value={repeat}
          onText={setRepeat}
        />
        <Check checked={add} onCheck={(is) => setVersion({ add: is, drop })}>
          This sheet adds new rows to a batch that was sent already. Of them, what was sent as another batch is held.
        </Check>
        <Check checked={drop} onCheck={(is) => setVersion({ add, drop: is })}>
          This sheet is the whole list now: rows of the batch that it lacks are not paid. Without this, a sheet that
          adds rows keeps the others.
        </Check>
      </details>
    </Form>
  );
  return (
    <section>
      <Heading id="plan">Plan</Heading>
      <p>
        The plan says what paying would do, to the last row. Making it sends nothing: somebody else approves it first,
        and then you pay it here. To leave a row out this time, delete it from the file, and upload the file in place of
        this one.
      </p>
      {again && !upload.lapsed && <Made upload={upload} isNew={wasMaking.current} />}
      {again ? (
        <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Make a new plan, which needs new approvals</summary>
          {form}
        </details>
      ) : (
        form
      )}
    </section>
  );
}
