/** Has the fields of forms: text, passwords, a search, choices and checkboxes. */
import type { ComponentChildren, InputHTMLAttributes, JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

const pauseMs = 300;

type Input = InputHTMLAttributes<HTMLInputElement>;

interface FieldProps
  extends Pick<Input, 'type' | 'autocomplete' | 'inputMode' | 'pattern' | 'required' | 'minLength' | 'maxLength'> {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly focused?: boolean;
  readonly min?: number;
  readonly max?: number;
}

/** The cast is needed, because Preact has a different type for each `type` of an input. */
export function Field({ label, hint, onText, focused = false, ...given }: FieldProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) box.current?.focus();
  }, []);
  return (
    <Labelled id={id} label={label} hint={hint}>
      <input
        {...(given as Input)}
        ref={box}
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </Labelled>
  );
}

function Labelled(props: Pick<FieldProps, 'label' | 'hint'> & { readonly id: string; readonly children: JSX.Element }) {
  const { id, label, hint, children } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

const passwordUses = {
  now: { autocomplete: 'current-password' },
  new: { autocomplete: 'new-password', hint: 'At least 12 characters; a few words in a row are good.', minLength: 12 },
  again: { autocomplete: 'new-password' },
} as const;

export function PasswordField({ use, ...field }: TextProps & { readonly use: keyof typeof passwordUses }) {
  return <Field {...passwordUses[use]} {...field} type="password" required />;
}

/** A field for the six digits that an authenticator app shows. */
export function CodeField(props: TextProps) {
  return <Field {...props} inputMode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" required />;
}

type TextProps = Pick<FieldProps, 'label' | 'hint' | 'value' | 'onText'>;

export function Search(props: TextProps) {
  const { value, onText } = props;
  const [typed, type] = useState<string | null>(null);
  // A search by a link replaces the letters that a person typed before it.
  useLayoutEffect(() => type(null), [value]);
  useLayoutEffect(() => {
    const timer = typed === null ? undefined : setTimeout(() => onText(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return <Field {...props} type="search" value={typed ?? value} onText={type} />;
}

export function LongField(props: TextProps & { readonly required?: boolean }) {
  const id = useId();
  return (
    <Labelled {...props} id={id}>
      <textarea
        id={id}
        rows={2}
        maxLength={500}
        required={props.required ?? false}
        value={props.value}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
    </Labelled>
  );
}

interface Choice {
  readonly value: string;
  readonly words: string;
}

export const optionsOf = (choices: readonly Choice[]) =>
  choices.map(({ value, words }) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));

export function Select(props: TextProps & { readonly choices: readonly Choice[] }) {
  const id = useId();
  return (
    <Labelled {...props} id={id}>
      <select id={id} value={props.value} onChange={(event) => props.onText(event.currentTarget.value)}>
        {optionsOf(props.choices)}
      </select>
    </Labelled>
  );
}

export function Check(props: {
  readonly checked: boolean;
  readonly onCheck: (checked: boolean) => void;
  readonly children: ComponentChildren;
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={props.checked} onChange={(event) => props.onCheck(event.currentTarget.checked)} />
      <span>{props.children}</span>
    </label>
  );
}
