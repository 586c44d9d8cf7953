/** The approvals of the sheets in an evidence pack, as data and as lines for the terminal. */
import { type Each, quoted } from '../../base/words.ts';
import { joined } from '../../messages/format/numbers.ts';

/** `file` and `plan_file` are null if the pack lacks that file. `signatures` is null if nobody approved the plan. */
export interface CheckedSheet extends Each<'file rows plan plan_file', string | null> {
  readonly sheet: string;
  readonly sent: boolean;
  readonly approved: readonly (string | null)[];
  readonly signatures: 'checked' | 'not-checked' | 'missing' | null;
}

const unplanned = 'payments left without a plan; nobody approved them.';

export function sheetLines(sheets: readonly CheckedSheet[], policy: string | null): string {
  const lines = sheets.map((one) => {
    const { sheet, file, rows, sent, plan, plan_file } = one;
    const approval = approvalWords(one, policy);
    if (sheets.length === 1) return approval ?? (sent && plan === null ? `Its ${unplanned}` : null);
    const under = `payments left under ${plan_file ?? `plan sha256:${plan}`}${approval === null ? '; nobody approved it' : ''}.`;
    const how = sent ? `its ${plan === null ? unplanned : under}` : 'nothing was sent under it.';
    const which = `${quoted(sheet)} (${file === null ? '' : `${file}, `}its rows ${rows})`;
    return [`${which}: ${how}`, approval].filter((part) => part !== null).join(' ');
  });
  return lines.map((line) => (line === null ? '' : `${line}\n`)).join('');
}

function approvalWords({ approved, signatures }: CheckedSheet, policy: string | null): string | null {
  const who = `Approved by ${joined(approved.map((name) => quoted(name ?? '')))}`;
  if (signatures === null) return null;
  return {
    checked: `${who}; their signatures were checked against the keys of ${policy}.`,
    'not-checked': `${who}. Their signatures were not checked against keys: name the policy that has them with --policy FILE.`,
    missing: `${who}, as the trail tells; not checked: the pack lacks their signatures.`,
  }[signatures];
}
