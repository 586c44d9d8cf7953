/** Recognises a column that may say which rows to pay: by its header, or by values such as yes and no. */

import { daysIn } from '../calendar/day.ts';
import { stopMarkIn } from './stop-mark.ts';
import { headerWords, withoutAccents } from './text.ts';

/** The number of different texts that are stored for a column. A column of choices has fewer. */
const mostTexts = 1000;
/** The longest mark that people put beside some rows, such as `x`, `JM` or `done`. */
const longestMark = 4;

/** Returns the form in which values of a column are compared. A dash or `n/a` is the same as an empty cell. */
export function valueKey(text: string): string {
  const key = withoutAccents(text).trim().replaceAll(/\s+/g, ' ');
  return /^(?:[-–—]+|n\/?a)$/.test(key) ? '' : key;
}

/** Words for no and for yes in many languages, and the truth values of spreadsheet programs. They are compared without accents. */
const no =
  wordsOf(`n no nope not nok ng f false off 0 nein nee non nao falsch faux falso falsz onwaar nie nej nei hayir net ei ne nem nu
   jo ez hapana siyo la cha hayi rara beeko aa mba maya lakki oya nedda ayi iyayi aiwa kwete tjhe nnyaa daabi deedeet tsia tidak
   khong hindi aap н нет не ні жоқ ложь οχι لا خیر نہیں לא 否 不 不是 いいえ 아니오 아니요 아니 नहीं না ไม่ ไม่ใช่ አይ አይደለም ✗ ✘ ☐ ❌`);
const yes =
  wordsOf(`y yes yep ok okay go x t true on 1 j ja jah o oui s si sim v wahr vrai verdadero verdadeiro vero waar prawda jes
   tak evet da kylla ano igen taip bai ndiyo ndio yebo ewe beeni ee eh i haa eeyyee yego yee inde hongu aane waaw iyo oo eny iva
   ya co д да иә так истина ναι نعم بله ہاں כן 是 はい 예 네 हाँ হ্যাঁ ใช่ አዎ`);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).map(withoutAccents));
}

/** Returns the answer at the start of a text: `Yes, pay` gives `yes`, `no (CFO)` gives `no`, `[x]` gives `x`, and `0.00` gives `0`. */
const answerIn = (text: string) =>
  valueKey(text)
    .replace(/^([[(])\s*[\])]$/, '☐')
    .replace(/^[[(]\s*(\S{1,4})\s*[\])]$/, '$1')
    .replaceAll(/(?<=\p{L})['’ʼ‘](?=\p{L})/gu, '')
    .replace(/^([01])[.,]0+$/, '$1')
    .replace(/(?<=\p{L}) ?[,;:(–—-].*$|(?<=\p{L})[.!?]$/u, '');

/** True for a yes, a no, a truth value, or a sign without letters and digits, such as a tick. */
export function isYesNo(text: string): boolean {
  const answer = answerIn(text);
  return yes.has(answer) || no.has(answer) || /^[^\p{L}\p{N}\p{Sc}]{1,3}$/u.test(answer);
}

/** Nouns for a state. A header with one of them names a state even if the values are numbers, which are codes then. */
const states =
  /status|freigabe|\b(?:statut|statuut|state|stato|estado|situacao|etat|stand|zustand|hali|isimo|stav|tila|durum|errors?|fehler|erreur|results?|resultado?|ergebnis|outcome|decision|action|aktion|response)\b/;
/** Words for what was or will be done with a row, in seven languages. `Paid as` is left out: it says how a row is paid. */
const decisions = new RegExp(
  `\\b(?:${[
    'paid|unpaid|payable|approv\\w*|unapproved|authori[sz]\\w*|includ\\w*|exclu\\w*|on hold|hold|held|withheld|cancel\\w*|void(?:ed)?|skip(?:ped)?|stop(?:ped)?',
    'reject\\w*|declin\\w*|terminat\\w*|resign\\w*|leavers?|deceased|dismissed|active|inactive|suspen\\w*|block(?:ed)?|releas\\w*|ready|confirm(?:ed)?',
    'verified|processed|completed|done|success\\w*|fail\\w*|sent|settled|revers\\w*|refund\\w*|select(?:ed)?|eligible|enabled|disabled|reviewed|checked',
    'tick(?:ed)?|cleared|duplicated?|deleted?|ignored?|removed?|disputed?|pending|flag(?:ged)?|marked|posted|executed|disburs\\w*|accepted|returned|bounced|auth|proceed|process|keep|drop|employed|onboarded',
    'bezahlt|gezahlt|ausgezahlt|zahlen|auszahlen|uberwiesen|uberweisen|genehmigt|freigegeben|gesperrt|sperre|storniert|erledigt|gekundigt|ausgetreten|aktiv|inaktiv|ausgeschlossen|ausschlie\\w*|gebucht|gepruft|bestatigt|offen',
    'payee?s|a payer|approuv\\w*|valide\\w?|autoris\\w*|inclu\\w*|annul\\w*|bloque\\w*|actif|inactif|regle|demissionne|retenu',
    'pagad[oa]|pagar|pagat[oa]|aprob\\w*|aprov\\w*|autoriz\\w*|activ[oa]|inactiv[oa]|ativ[oa]|inativ[oa]|liberad[oa]|retenid[oa]|retid[oa]',
    'betaald?|uitbetaald|goedgekeur\\w*|geblokkeerd|geannuleerd|gekanselleer|actief|aktief',
    'imelipwa|lipwa|lipa|lipia|imeidhinishwa|idhinishwa|zuia|sitisha',
  ].join('|')})\\b(?! as\\b)`,
);
/** Matches `Pay`, `To pay`, `Do not pay` and `Pay (Y/N)`, but not `Pay group`. Also matches `pay` alone in other languages. */
const payAlone =
  /^(?:(?:ok|ready|do|not|don t|dont|to|please|must|a|zu) )*(?:pay|payment|payout|pago|paye|zahlung|paiement|pagamento)(?: (?:now|this|him|her|them|row|ok|y n|yes no|j n|this month|today))*$/;

/** Returns whether a header names a state or a decision; null if it names neither. */
export function decisionOf(header: string): 'state' | 'decision' | null {
  const words = headerWords(header);
  if (states.test(words)) return 'state';
  return decisions.test(words) || payAlone.test(words) || /\?\s*$/.test(header.slice(0, 200)) ? 'decision' : null;
}

export interface ColumnValue {
  /** The value as it is written in its first row; empty for empty cells. */
  readonly text: string;
  readonly rows: number;
}

/** Counts the values of one column that Payrun does not read. */
export function createTally(header: string) {
  const named = decisionOf(header);
  const texts = new Map<string, number>();
  let others = 0;
  let unknown = 0;

  /** Returns the values, the most frequent first. */
  const values = (): ColumnValue[] => {
    const byKey = new Map<string, { text: string; rows: number }>();
    for (const [text, rows] of texts) {
      const key = valueKey(text);
      const value = byKey.get(key) ?? { text: key === '' ? '' : text, rows: 0 };
      value.rows += rows;
      byKey.set(key, value);
    }
    return [...byKey.values()].toSorted((a, b) => b.rows - a.rows);
  };

  return {
    /** Adds one trimmed cell. null is a cell with unknown content: a formula without a current result, or an error. */
    add(text: string | null): void {
      if (text === null) unknown += 1;
      else if (texts.has(text) || text === '' || texts.size < mostTexts) texts.set(text, (texts.get(text) ?? 0) + 1);
      else others += 1;
    },
    /** True if the column may say which rows to pay, so that a person has to decide. */
    asks(): boolean {
      const all = values();
      const isSame = all.length + Math.sign(others) + Math.sign(unknown) < 2;
      if (isSame) return named !== null && (unknown > 0 || saysNo(header, all[0]?.text ?? ''));
      return named === 'state' || (named === 'decision' && !isCount(header, all)) || isMark(all, others > 0);
    },
    named,
    values,
    others: () => others,
    unknown: () => unknown,
  };
}

/** True if all or most filled cells are yes or no, or if some rows have one short mark. */
function isMark(values: readonly ColumnValue[], hasOthers: boolean): boolean {
  const filled = values.filter(({ text }) => text !== '');
  if (hasOthers || filled.length === 0) return false;
  const answers = filled.filter(({ text }) => isYesNo(text));
  if (answers.length === filled.length) return true;
  const [first] = filled;
  if (filled.length === 1)
    return first!.text.length <= longestMark && !/\p{Sc}/u.test(first!.text) && !isNumber(first!.text);
  // Single letters are ignored, since they may be grades or sexes.
  const rowsOf = (some: readonly ColumnValue[]) => some.reduce((sum, { rows }) => sum + rows, 0);
  return rowsOf(answers.filter(({ text }) => answerIn(text).length > 1)) * 2 > rowsOf(filled);
}

/** True for a column that counts something: numbers under `Days paid` or `Amount approved`, but not under `Paid` or `Paid on`. */
const isCount = (header: string, values: readonly ColumnValue[]) =>
  !decisions.test(headerWords(header).split(' ')[0]!) && values.every(({ text }) => text === '' || isNumber(text));

const isNumber = (text: string) => /^[\p{Sc}(+-]*\d[\d.,' ]*[)%]*$/u.test(text) && daysIn(text).length === 0;

/** True if the one value of a column says not to pay: `no` under `Approved`, `yes` under `Hold`, `rejected` under `Status`. */
function saysNo(header: string, text: string): boolean {
  if (text === '') return false;
  const isNo = no.has(answerIn(text));
  return stopMarkIn(headerWords(header)) !== null ? !isNo : isNo || stopMarkIn(text) !== null;
}
