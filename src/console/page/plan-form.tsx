/** Shows the form for a plan: the batch's name, control totals and reasons. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Job, Requests, Upload } from '../api.ts';
import { Check, Field, LongField } from './fields.tsx';
import { NextVersion, Waits } from './next-version.tsx';
import { Act, Form, Heading, say } from './parts.tsx';
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

export const PlanRefused = ({ upload }: { readonly upload: Upload }) => (
  <div class="failure" role="status">
    <p>
      <strong>The plan was refused.</strong> Nothing was sent. {may('preparer') && <a href="#plan">See why</a>}
    </p>
    {!may('preparer') && <p class="as-written">{upload.job?.message}</p>}
  </div>
);

export const Lapsed = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="notice warning" role="status">
    <strong>Its plan is too old.</strong> It may no longer be right, so Payrun does not pay it. {children}
  </p>
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

const confirmWords = (confirms: NonNullable<Job['confirms']>) =>
  (['change', 'add', 'close'] as const)
    .flatMap((does) => (confirms[does] > 0 ? [`${does} ${counted(confirms[does], 'row')}`] : []))
    .join(', ');

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

export function PlanForm(props: {
  readonly upload: Upload;
  readonly onPlan: (plan: Omit<Requests['plan'], 'standing'>) => Promise<void>;
}) {
  const { upload, onPlan } = props;
  const { sharedWith, waits, whyNotSkip } = upload;
  const [named, setBatch] = useKept<string | null>(upload.id, 'batch', null);
  const batch = named ?? (sharedWith.some((one) => one.batch === upload.batch) ? '' : upload.batch);
  const again = upload.state === 'planned' || upload.state === 'approved';
  const [series, setSeries] = useKept(upload.id, 'series', '');
  const [skip, setSkip] = useState(false);
  const [told, setTold] = useKept<Readonly<Record<string, string>>>(upload.id, 'told', {});
  const [variance, setVariance] = useKept(upload.id, 'variance', '');
  const [repeat, setRepeat] = useKept(upload.id, 'repeat', '');
  // A form with a kept reason is open from the start, so that the person sees the reason before sending it.
  const [hadReason] = useState(variance !== '' || repeat !== '');
  const [open, setOpen] = useOpenedByHash('#plan');
  const { toFix, rows } = upload.counts;
  const names = [
    'rows',
    ...new Set(upload.totals.map(({ currency, unit }) => (unit === 'whole' ? currency : `${currency}:${unit}`))),
  ];
  const refused = upload.job?.kind === 'plan' && upload.job.state === 'failed';
  const isMaking = upload.job?.kind === 'plan' && upload.job.state === 'running';
  const isBusy = isMaking || upload.state === 'reading';
  const wasMaking = useRef(false);
  if (isMaking) wasMaking.current = true;
  useEffect(() => {
    if (refused && wasMaking.current) say('The plan was refused. Nothing was sent.');
  }, [refused]);
  // After a refusal, opens the form, which has the fields for an answer.
  useEffect(() => {
    if (refused) setOpen(true);
  }, [refused, upload.job?.id]);
  // The notice of the plan that waits says the same, and ends with that plan.
  const said = refused && (upload.job?.code !== 'PROPOSAL_WAITS' || waits.length === 0) ? upload.job : null;
  const good = Math.max(0, rows - toFix);
  const planAs = async (as: Pick<Requests['plan'], 'batch' | 'add' | 'drop' | 'closes'>) => {
    await onPlan({
      ...as,
      ...(upload.named?.batch === as.batch ? { base: upload.named.head } : {}),
      skipInvalid: skip,
      expect: Object.entries(told)
        .filter(([, value]) => value.trim() !== '')
        .map(([name, value]) => `${name}=${value.trim()}`),
      ...(series === '' ? {} : { series }),
      ...(variance === '' ? {} : { confirmVariance: variance }),
      ...(repeat === '' ? {} : { confirmRepeat: repeat }),
    });
    // Removes `#plan` from the address, so that the form does not open again.
    history.replaceState(history.state, '', location.pathname);
    setOpen(false);
  };
  const confirms = said?.confirms ?? null;
  const form = (
    <Form
      label="Plan"
      busyWords={isMaking ? 'Making the plan …' : 'Being checked again …'}
      busy={isBusy}
      button={sharedWith.length > 0 ? 'Plan as a new batch' : again ? 'Make a new plan' : 'Make the plan'}
      action={() => planAs({ batch })}
      about={`${toFix} of ${rows}`}
    >
      <Field
        label="Series (optional)"
        hint="For a batch of each month, the same word every month, such as salaries. Payrun compares the plan with the last one."
        value={series}
        onText={setSeries}
        maxLength={64}
      />
      <fieldset id="totals" tabIndex={-1}>
        <legend>Control totals (optional)</legend>
        <p class="hint">
          A guard against a wrong file. Write the totals from another source, such as the payroll report. Payrun refuses
          a plan with other totals, and compares no empty field. If you give the total of one currency, give the totals
          of all.
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
          Plan only the {counted(good, 'good row')}. Leave out and do not pay {counted(toFix, 'row')} still to fix.
        </Check>
      )}
      {said !== null && (
        <div class="failure" role="alert">
          <p class="as-written">{said.message ?? 'It did not say why. Make the plan again.'}</p>
          {said.code === 'TOTALS_DIFFER' && <a href="#totals">Check the control totals</a>}
          {documentCodes.includes(said.code ?? '') && <a href="#documents">Add documents, and make the plan again</a>}
          {confirms !== null && !isBusy && (
            <p class="buttons">
              <Act
                main
                action={() =>
                  planAs({ batch: confirms.batch, add: confirms.add > 0, drop: true, closes: confirms.close })
                }
              >
                Make the plan: {confirmWords(confirms)}
              </Act>
              {confirms.mayKeep && confirms.close > 0 && (
                <Act action={() => planAs({ batch: confirms.batch, add: true })}>
                  Make the plan: only add {counted(confirms.add, 'row')}
                </Act>
              )}
            </p>
          )}
        </div>
      )}
      <details open={hadReason || answeredCodes.includes(said?.code ?? '')}>
        <summary>If a plan is refused, but is right</summary>
        <LongField
          label="Why it differs so much from the last batch of its series"
          hint="For a plan that was refused because its sum, or its number of rows, is far from the last one’s."
          value={variance}
          onText={setVariance}
        />
        <LongField
          label="Why rows that look paid are to be paid again"
          hint="The reason counts for every row of this batch that looks paid, now or at the time of payment. Approvers read it beside those rows. The batch needs a new name."
          value={repeat}
          onText={setRepeat}
        />
      </details>
      {waits.map((one) => (
        <Waits key={one.batch} of={one} />
      ))}
      {!isBusy &&
        sharedWith
          .filter(({ batch: name }) => !waits.some((one) => one.batch === name))
          .map((one) => <NextVersion key={one.batch} of={one} goodRows={good} onNext={planAs} />)}
      <Field
        label={sharedWith.length > 0 ? 'Name of a new batch' : 'Name of the batch'}
        hint="For example 2026-11. The rows of this sheet then belong to this batch. A later sheet of the same batch pays no row twice."
        value={batch}
        onText={setBatch}
        required
        maxLength={64}
      />
    </Form>
  );
  return (
    <section>
      <Heading id="plan">Plan</Heading>
      <p>
        The plan lists every row that would be paid. Making it sends nothing. Somebody else approves it, and then you
        pay it here. To leave a row out this time, delete it from the file, and upload the file in place of this one.
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
