/** Has the parts of every page: headings, tables, dialogs and buttons. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hasMoved } from './route.ts';
import { get, lost, RequestFailed, sentence } from './server.ts';
import { count, exactMoment, moment } from './words.ts';

export const said = signal('');
/** How long a message stays on the page, in milliseconds. */
const heard = 20_000;
let silence: ReturnType<typeof setTimeout> | undefined;

export function say(words: string): void {
  said.value = '';
  setTimeout(() => {
    said.value = words;
  });
  clearTimeout(silence);
  silence = setTimeout(() => {
    said.value = '';
  }, heard);
}

/** The heading gets the focus when a person comes from another page. */
export function Title({ children, page }: { readonly children: ComponentChildren; readonly page: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasMoved()) heading.current?.focus();
  }, []);
  useEffect(() => {
    document.title = `${page} · Payrun`;
  }, [page]);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children}
    </h1>
  );
}

/** A heading to which links of the page lead. */
export function Heading({ id, children }: { readonly id: string; readonly children: ComponentChildren }) {
  return (
    <h2 id={id} tabIndex={-1}>
      {children}
    </h2>
  );
}

/** One line of a list of facts (`<dl class="facts">`). */
export function Fact(props: { readonly name: string; readonly class?: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class={props.class}>{props.children}</dd>
    </div>
  );
}

export interface Loaded<T> {
  readonly data: T | null;
  readonly failure: string | null;
  readonly status: number | null;
  readonly reload: () => Promise<void>;
  readonly set: (data: T) => void;
}

/** Reads `path` every `every` milliseconds, when `path` or `version` changes, and after a lost connection. */
export function useLoaded<T>(path: string | null, every: number | null = null, version = ''): Loaded<T> {
  const [state, setState] = useState<{ path: string | null; data: T | null; error: unknown }>({
    path,
    data: null,
    error: null,
  });
  const wanted = useRef(path);
  wanted.current = path;
  // Ignores an answer if a later request was answered first, because the answer may be older.
  const begun = useRef(0);
  const shown = useRef(0);
  const reload = useCallback(async () => {
    if (path === null) return;
    const nth = ++begun.current;
    const isNewest = () => {
      if (wanted.current !== path || nth < shown.current) return false;
      shown.current = nth;
      return true;
    };
    try {
      const data = await get<T>(path);
      if (isNewest()) setState({ path, data, error: null });
    } catch (error) {
      if (isNewest()) setState((was) => ({ path, data: was.path === path ? was.data : null, error }));
    }
  }, [path]);
  const away = lost.value;
  useEffect(() => {
    if (!away) void reload();
  }, [reload, away, version]);
  useEffect(() => {
    if (every === null || away) return;
    const timer = setInterval(() => {
      if (!document.hidden) void reload();
    }, every);
    return () => clearInterval(timer);
  }, [reload, every, away]);
  const current = state.path === path;
  const error = current ? state.error : null;
  return {
    data: current ? state.data : null,
    failure: error === null ? null : sentence(error),
    status: error instanceof RequestFailed ? error.status : null,
    reload,
    set: (data) => {
      shown.current = ++begun.current;
      setState({ path, data, error: null });
    },
  };
}

export function Waiting({ of }: { readonly of: Pick<Loaded<unknown>, 'data' | 'failure' | 'status'> }) {
  if (of.failure === null) return of.data === null ? <p class="quiet">Reading …</p> : null;
  return (
    <>
      <Failure>{of.failure}</Failure>
      {of.status === 404 && <Elsewhere />}
    </>
  );
}

export function Elsewhere() {
  return (
    <p>
      <a href="/">Home</a> lists what waits for you, and <a href="/batches">Batches</a> everything that was uploaded.
    </p>
  );
}

export const Failure = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="failure" role="alert">
    {children}
  </p>
);

export function Moment({ at, exact = false }: { readonly at: string | null; readonly exact?: boolean }) {
  return at === null ? <>–</> : <time dateTime={at}>{exact ? exactMoment(at) : moment(at)}</time>;
}

export function useGoesOn(box: { readonly current: HTMLElement | null }): boolean {
  const [goesOn, setGoesOn] = useState(false);
  useEffect(() => {
    const view = box.current;
    if (view === null) return;
    const look = () => setGoesOn(view.scrollLeft + view.clientWidth < view.scrollWidth - 4);
    const watch = new ResizeObserver(look);
    for (const one of [view, ...view.children]) watch.observe(one);
    view.addEventListener('scroll', look, { passive: true });
    return () => {
      watch.disconnect();
      view.removeEventListener('scroll', look);
    };
  });
  return goesOn;
}

/** Screen readers read every column anyway, so this hint is hidden from them. */
export function GoesOn() {
  return (
    <p class="goes-on" aria-hidden="true">
      More columns to the right: scroll sideways →
    </p>
  );
}

/** A table that scrolls sideways. On a phone, each cell is a line that begins with its head. A column with `n` has numbers. `isGrouped`: the children are bodies and not rows. */
export function Table(props: {
  readonly label: string;
  readonly heads: readonly (string | { readonly n: string })[];
  readonly class?: string;
  readonly caption?: string;
  readonly isGrouped?: boolean;
  readonly children: ComponentChildren;
}) {
  const box = useRef<HTMLElement>(null);
  const goesOn = useGoesOn(box);
  useLayoutEffect(() => {
    const [heads, ...rows] = [...(box.current?.querySelectorAll('tr') ?? [])].map(({ cells }) => [...cells]);
    for (const cell of rows.flat()) cell.dataset.head = heads?.[cell.cellIndex]?.textContent ?? '';
  });
  return (
    <>
      {goesOn && <GoesOn />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard */}
      <section class={goesOn ? 'scroll on' : 'scroll'} aria-label={props.label} tabIndex={0} ref={box}>
        <table class={props.class}>
          {props.caption !== undefined && <caption>{props.caption}</caption>}
          <thead>
            <tr>
              {props.heads.map((head) => (
                <th scope="col" key={JSON.stringify(head)} class={typeof head === 'string' ? undefined : 'n'}>
                  {typeof head === 'string' ? head : head.n}
                </th>
              ))}
            </tr>
          </thead>
          {props.isGrouped === true ? props.children : <tbody>{props.children}</tbody>}
        </table>
      </section>
    </>
  );
}

/** Cleans up at once. An effect cleans up after the next frame, and a failure before that would be shown nowhere. */
const useLeaving = (leave: () => void) => useLayoutEffect(() => leave, []);

/** `about` names the subject of the action. When the subject changes, the old failure goes. */
function useAct(action: () => Promise<void>, about = '') {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => setFailure(null), [about]);
  const isHere = useRef(true);
  useLeaving(() => {
    isHere.current = false;
  });
  const act = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await action();
    } catch (error) {
      // If the button is gone, the foot of the page shows the failure.
      if (isHere.current) setFailure(sentence(error));
      else say(sentence(error));
    }
    setBusy(false);
  };
  const start = () => {
    if (!busy) void act();
  };
  return { busy, failure, start };
}

export function Form(props: {
  readonly action: () => Promise<void>;
  readonly button: string;
  readonly label?: string;
  readonly children: ComponentChildren;
  readonly extra?: ComponentChildren;
  readonly class?: string;
  readonly busy?: boolean;
  readonly busyWords?: string;
  readonly about?: string;
}) {
  const { busy: isSending, failure, start } = useAct(props.action, props.about);
  const busy = isSending || props.busy === true;
  return (
    <form
      class={props.class}
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) start();
      }}
    >
      {props.children}
      {failure !== null && <Failure>{failure}</Failure>}
      <p class="buttons">
        <button type="submit" class="main" aria-disabled={busy}>
          {busy ? (props.busyWords ?? 'One moment …') : props.button}
        </button>
        {props.extra}
      </p>
    </form>
  );
}

export function Act(props: {
  readonly action: () => Promise<void>;
  readonly children: ComponentChildren;
  readonly main?: boolean;
  readonly label?: string;
}) {
  const { busy, failure, start } = useAct(props.action);
  return (
    <>
      <button
        type="button"
        class={props.main === true ? 'main' : undefined}
        aria-label={props.label}
        aria-disabled={busy}
        onClick={start}
      >
        {props.children}
      </button>
      {failure !== null && <Failure>{failure}</Failure>}
    </>
  );
}

export function Ask(props: {
  readonly button: string;
  readonly label?: string;
  readonly title?: string;
  readonly confirm: string;
  readonly action: () => Promise<void>;
  readonly children: ComponentChildren;
  readonly main?: boolean;
  /** The state that the dialog is about. If it changes while the dialog is open, the dialog does nothing. */
  readonly of?: string;
}) {
  const { title = props.button } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [voidWhy, setVoidWhy] = useState<string | null>(null);
  const isActing = useRef(false);
  const refused = useRef<string | null>(null);
  const isOpen = useRef(false);
  isOpen.current = open;
  useLayoutEffect(() => {
    if (open && !isActing.current)
      setVoidWhy(
        refused.current ?? 'This changed after you opened it. Nothing was done. Close this, and check the page again.',
      );
  }, [props.of]);
  useLeaving(() => {
    if (isOpen.current && !isActing.current)
      say(refused.current ?? `“${title}” was closed, and nothing was done. Check the page again.`);
  });
  const id = useId();
  useEffect(() => {
    if (!open) return;
    dialog.current?.showModal();
    // Focuses Cancel, so that an accidental Enter does nothing.
    if (dialog.current?.querySelector('input, textarea, select') === null) cancel.current?.focus();
  }, [open]);
  const close = () => dialog.current?.close();
  return (
    <>
      <button
        type="button"
        class={props.main === true ? 'main' : undefined}
        aria-label={props.label}
        onClick={() => {
          isActing.current = false;
          refused.current = null;
          setVoidWhy(null);
          setOpen(true);
        }}
      >
        {props.button}
      </button>
      {open && (
        <dialog ref={dialog} aria-labelledby={id} onClose={() => setOpen(false)}>
          <h2 id={id}>{title}</h2>
          {voidWhy !== null ? (
            <>
              <Failure>{voidWhy}</Failure>
              <p class="buttons">
                <button type="button" onClick={close}>
                  Close
                </button>
              </p>
            </>
          ) : (
            <Form
              button={props.confirm}
              action={async () => {
                isActing.current = true;
                try {
                  await props.action();
                } catch (error) {
                  isActing.current = false;
                  refused.current = sentence(error);
                  throw error;
                }
                close();
              }}
              extra={
                <button type="button" ref={cancel} onClick={close}>
                  Cancel
                </button>
              }
            >
              {props.children}
            </Form>
          )}
        </dialog>
      )}
    </>
  );
}

export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <Act
      label={`Copy ${what}`}
      action={async () => {
        await navigator.clipboard.writeText(text);
        say(`${what} copied.`);
      }}
    >
      Copy
    </Act>
  );
}

export function Pager(props: {
  readonly from: number;
  readonly limit: number;
  readonly total: number;
  readonly onFrom: (from: number) => void;
  readonly newestFirst?: boolean;
}) {
  const { from, limit, total, onFrom } = props;
  if (total <= limit && from === 0) return null;
  const last = Math.min(from + limit, total);
  return (
    <nav class="buttons" aria-label="Pages of the list">
      <button type="button" disabled={from === 0} onClick={() => onFrom(Math.max(0, from - limit))}>
        {props.newestFirst === true ? 'Newer' : 'Previous'}
      </button>
      <span>
        {count(from + 1)} to {count(last)} of {count(total)}
      </span>
      <button type="button" disabled={last >= total} onClick={() => onFrom(from + limit)}>
        {props.newestFirst === true ? 'Older' : 'Next'}
      </button>
    </nav>
  );
}
