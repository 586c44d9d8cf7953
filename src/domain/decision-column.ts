/** Recognises a column that says which rows are meant: by its header, or because it holds nothing but yes and no. */

import { daysIn } from './day.ts';
import { headerWords, withoutAccents } from './text.ts';

/** A column with more values than these holds texts, and only where it is empty divides its rows. */
const mostValues = 12;

const mostKnown = 1000;

/** The form in which values of a column are compared. A dash or `n/a` says as much as an empty cell. */
export function valueKey(text: string): string {
  const key = withoutAccents(text).trim().replaceAll(/\s+/g, ' ');
  return /^(?:[-–—]+|n\/?a)$/.test(key) ? '' : key;
}

/** Yes and no in the languages in which sheets come, with the truth values of spreadsheet programs. Compared without accents. */
const yesNo = new Set(
  `y yes yep ok okay n no not x t f true false on off 1 0 1.0 0.0 j ja nein nee nej o oui non s si sim nao
   wahr falsch vrai faux verdadero verdadeiro falso vero waar onwaar prawda falsz
   tak nie evet hayir da net kylla ei ano ne igen nem
   ndiyo ndio hapana yebo cha ewe hayi beeni rara ee mba
   да нет истина ложь ναι οχι نعم لا 是 否 はい いいえ`
    .split(/\s+/)
    .map(withoutAccents),
);

/** True for a yes, a no, a truth value, or a sign without letters and digits, such as a tick. */
export function isYesNo(text: string): boolean {
  const key = valueKey(text);
  return yesNo.has(key.replace(/[.!?]$/, '')) || /^[^\p{L}\p{N}\p{Sc}]{1,3}$/u.test(key);
}

/** A header with one of these nouns names a state, whatever its values: numbers are codes there. */
const states =
  /status|freigabe|\b(?:statut|statuut|state|stato|estado|situacao|zustand|hali|results?|resultado?|ergebnis|outcome|decision|action|aktion|response)\b/;
/** A header with one of these words says what was, or is to be, done with a row; `Paid as` says how. English, German, French, Spanish, Portuguese, Dutch, Swahili. */
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
  ].join('|')})\\b(?! (?:as|in|via|with|from|through)\\b)`,
);
/** `Pay`, `To pay`, `Do not pay`, `Pay (Y/N)`; but not `Pay group`. Likewise the word alone in other languages. */
const payAlone =
  /^(?:(?:ok|ready|do|not|don t|dont|to|please|must|a|zu) )*(?:pay|payment|payout|pago|paye|zahlung|paiement|pagamento)(?: (?:now|this|him|her|them|row|ok|y n|yes no|j n|this month|today))*$/;

/** Whether a header names a state or a decision; null where it names neither. */
export function decisionOf(header: string): 'state' | 'decision' | null {
  const words = headerWords(header);
  if (states.test(words)) return 'state';
  return decisions.test(words) || payAlone.test(words) || /\?\s*$/.test(header.slice(0, 200)) ? 'decision' : null;
}

export interface ColumnValue {
  /** As the first row with it says it; empty for empty cells. */
  readonly text: string;
  readonly rows: number;
}

/** Counts the values of one column that is not read. */
export function createTally(header: string) {
  const named = decisionOf(header);
  const values = new Map<string, { text: string; rows: number }>();
  /** The same by their texts, which repeat: a form to compare takes long to make. */
  const known = new Map<string, { rows: number }>();
  let rows = 0;
  let isFlag = true;
  let isNumeric = true;

  return {
    add(text: string): void {
      rows += 1;
      const same = known.get(text);
      if (same !== undefined) {
        same.rows += 1;
        return;
      }
      // A column of texts is divided by empty cells alone, and these are short: the others are not compared.
      if (values.size > mostValues && !isFlag && !isNumeric && text.length > 3) return;
      const key = valueKey(text);
      if (key !== '') {
        isFlag &&= isYesNo(text);
        isNumeric &&= /^[\p{Sc}(+-]*\d[\d.,' ]*[)%]*$/u.test(key) && daysIn(key).length === 0;
      }
      if (key !== '' && values.size > mostValues && !values.has(key)) return;
      const value = values.get(key) ?? { text: key === '' ? '' : text.trim(), rows: 0 };
      value.rows += 1;
      values.set(key, value);
      if (known.size < mostKnown) known.set(text, value);
    },
    /**
     * True where the column divides its rows, and holds only yes and no or has a header that names a state or a decision. Numbers under
     * a decision, such as `Days paid`, count something.
     */
    divides(): boolean {
      if (values.size < 2) return false;
      if (isFlag) return true;
      if (named === null || (named === 'decision' && isNumeric)) return false;
      return values.has('') || values.size <= mostValues;
    },
    named,
    /** The values, those of most rows first. */
    values: (): ColumnValue[] => [...values.values()].toSorted((a, b) => b.rows - a.rows),
    /** How many rows have a value that was not counted by itself. */
    others: () => [...values.values()].reduce((left, one) => left - one.rows, rows),
  };
}
