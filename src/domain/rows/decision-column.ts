/** Recognises a column that may say which rows to pay: by its header, or by values such as yes and no. */

import { daysIn } from '../calendar/day.ts';
import { stopMarkIn } from './stop-mark.ts';
import { headerWords, withoutAccents } from './text.ts';

/** The number of different texts that are stored for a column. A column of choices has fewer. */
const mostTexts = 1000;
/** The longest mark that people put beside some rows, such as `x`, `JM` or `done`. */
const longestMark = 4;

/** A dash or `n/a` is the same as an empty cell. */
export function valueKey(text: string): string {
  const key = withoutAccents(text).trim().replaceAll(/\s+/g, ' ');
  return /^(?:[-–—]+|n\/?a)$/.test(key) ? '' : key;
}

/** Words for no and for yes in many languages, and truth values of spreadsheet programs, compared without accents. */
const no =
  wordsOf(`n no nope not nok ng f false off 0 nein nee non nao falsch faux falso falsz onwaar nie nej nei hayir net ei
   ne nem nu jo ez hapana siyo la cha hayi rara beeko aa mba maya lakki oya nedda ayi iyayi aiwa kwete tjhe
   nnyaa daabi deedeet tsia tidak khong hindi aap н нет не ні жоқ ложь οχι لا خیر نہیں לא 否 不 不是 いいえ 아니오 아니요 아니
   नहीं না ไม่ ไม่ใช่ አይ አይደለም ✗ ✘ ☐ ❌`);
const yes =
  wordsOf(`y yes yep ok okay go x t true on 1 j ja jah o oui s si sim v wahr vrai verdadero verdadeiro vero waar prawda
   jes tak evet da kylla ano igen taip bai ndiyo ndio yebo ewe beeni ee eh i haa eeyyee yego yee inde hongu
   aane waaw iyo oo eny iva ya co д да иә так истина ναι نعم بله ہاں כן 是 はい 예 네 हाँ হ্যাঁ ใช่ አዎ`);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).map(withoutAccents));
}

/** Returns the answer at the start of a text: `yes` for `Yes, pay`, `no` for `no (CFO)`, `x` for `[x]`, `0` for `0.00`. */
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

/** Returns a pattern of whole words as headerWords returns them. In the list, `*` stands for further letters. */
const patternOf = (words: string) =>
  `(?<![^ ])(?:${withoutAccents(words).replaceAll(/\n */g, '').replaceAll('*', '\\p{L}*')})(?![^ ])`;

/** Nouns for a state. A header with one of them names a state even if the values are numbers, which are codes then. */
const states = new RegExp(
  patternOf(`*status*|*freigabe*|statut|statuut|state|stato|estado|situacao|etat|stand|stage|zustand|hali|isimo|stav|tila|
    durum|sonuc|errors?|fehler|erreur|results?|resultado?|resultaat|resultat|risultato|ergebnis|wynik|outcome|
    decision|action|aktion|response|matokeo|umphumela|kondisi|hasil|ket qua|*статус|состояние|результат|стан|стање|
    κατασταση|*状态|*狀態|*结果|*結果|*ステータス|*상태|*결과|trang thai|الحالة|حالة|الحالة .*|حالة .*|
    (?:transaction|transfer|provider|gateway|response) (?:message|comments?|remarks?|reason|notes?)`),
  'u',
);
/** Words for what was or will be done with a row. `Paid as` is left out: it says how a row is paid. */
const done =
  patternOf(`paid|unpaid|payable|approv*|unapproved|authori[sz]*|includ*|exclu*|on hold|hold|held|withheld|cancel*|void(?:ed)?|
    skip(?:ped)?|stop(?:ped)?|reject*|declin*|terminat*|resign*|leavers?|deceased|dismissed|active|inactive|suspen*|
    block(?:ed)?|releas*|ready|confirm(?:ed)?|verified|processed|completed|done|success*|unsuccess*|fail*|sent|
    settled|revers*|refund*|select(?:ed)?|eligible|enabled|disabled|reviewed|checked|auth|tick(?:ed)?|cleared|
    duplicated?|deleted?|ignored?|removed?|disputed?|pending|flag(?:ged)?|marked|posted|executed|disburs*|accepted|
    returned|bounced|proceed|process|keep|drop|employed|onboarded|transferred|delivered|remitted|dispatched|submitted|
    credited|signed|sign ?off|signature|bezahlt|gezahlt|ausgezahlt|zahlen|auszahlen|uberwiesen|uberweisen|genehmigt|
    freigegeben|gesperrt|sperre|storniert|erledigt|gekundigt|ausgetreten|aktiv|inaktiv|ausgeschlossen|ausschlie*|
    gebucht|verbucht|gepruft|bestatigt|offen|gesendet|versendet|verschickt|abgelehnt|angewiesen|ausgefuhrt|
    fehlgeschlagen|gescheitert|erfolgreich|unterschrieben|unterschrift|abgeschlossen|zuruckgestellt|payee?s|a payer|
    approuv*|valide*|autoris*|inclu*|annul*|bloque*|actif|inactif|regle|demissionne|retenu|rejete*|reussi*|echoue*|
    echec|envoyee?s?|viree?s?|transfere|effectue*|signee?s?|refuse*|traitee?s?|versee?s?|terminee?s?|pagad[oa]s?|
    pagar|pagat[oaie]|aprob*|aprov*|autoriz*|activ[oa]|inactiv[oa]|ativ[oa]|inativ[oa]|liberad[oa]|retenid[oa]|
    retid[oa]|fallid[oa]s?|fallo|exitos[oa]s?|exito|rechazad[oa]s?|enviad[oa]s?|transferid[oa]s?|firmad[oa]|
    assinad[oa]|rejeitad[oa]s?|falhou|falhad[oa]|falha|sucesso|cancelad[oa]|anulad[oa]|proces+ad[oa]|realizad[oa]|
    completad[oa]|concluid[oa]|inviat[oa]|riuscit[oa]|fallit[oa]|approvat[oa]|rifiutat[oa]|firmat[oa]|betaald?|
    uitbetaald|goedgekeur*|geblokkeerd|geannuleerd|gekanselleer|actief|aktief|geslaagd|gelukt|mislukt?|verzonden|
    overgemaakt|oorbetaal|afgewezen|afgekeur*|getekend|ondertekend|geteken|verwerkt?|gestuur|geweier|suksesvol|*lipwa|
    lipa|lipia|zuia|sitisha|*idhinishwa|*tumwa|*kataliwa|*shindwa|*shindikana|*kamilika|*fanikiwa|*khokhiwe|
    *khokhelwe|*thunyelwe|*hlulekile|*phumelele|*vunyiwe|*vunyelwe|*vunywe|*lefilwe|*duwetswe|odendi|odenmis|odenmedi|
    onaylandi|gonderildi|iptal|basarili|basarisiz|reddedildi|zaplacon[oaey]|oplacon[oaey]|zatwierdzon[oaey]|
    wyslan[oaey]|odrzucon[oaey]|udan[ey]|nieudan[ey]|platit|achitat|zaplacen[oa]|placen[oa]|fizetve|betalt|betald|
    maksettu|godkant|godkendt|godkjent|dibayar|terbayar|disetujui|dikirim|ditolak|berhasil|gagal|lunas|đa .*|
    thanh cong|that bai|bayad|оплачен*|выплачен*|проведен*|отклонен*|одобрен*|утвержден*|отправлен*|исполнен*|
    успе[шх]*|неуспеш*|ошибка|сплачен*|виплачен*|відхилен*|платено|плаћено|πληρωθηκε|πληρωμενο|*已付*|*已支付*|*批准|*审批|*成功|
    *失败|*失敗|*支払済み?|*承認|*지급완료|*지급됨|*승인|*성공|*실패|مدفوع|تم .*|فشل|نجح|ناجح.*`);
const decisions = new RegExp(`${done}(?! as(?![^ ]))`, 'u');
/** Matches values that say how a payment ended: `Payment successful`, or with a reason `Failed: wrong account`. */
const about = '(?:(?:payment|transaction|transfer|pago|pagamento|paiement|zahlung|betaling|the|was|is|has|been|not) )*';
const ended = patternOf('*success*|fail*|errors?|insufficient|reject*|declin*|fehlgeschlagen|echou*|echec|fallid[oa]');
const begun = patternOf('draft|open|queued|initiated|in progress|entwurf|brouillon|borrador|rascunho|черновик|草稿');
const outcomes = new RegExp(`^${about}(?:${ended}.*|${done}|${begun})$`, 'u');
/** Matches headers that say which day is meant. Days under another header, such as `Transferred`, say what was done. */
const dayHeader = new RegExp(
  patternOf(
    '*(?:date|datum|data|tag|дата)|dates?|fecha|day|jour|dob|birth*|born|due|expir*|start|end|hired?|joined|tarehe|tarih',
  ),
  'u',
);
/** Matches `Pay`, `To pay`, `Do not pay` and `Pay (Y/N)`, but not `Pay group`. */
const payAlone =
  /^(?:(?:ok|ready|do|not|don t|dont|to|please|must|a|zu) )*(?:pay|payment|payout|pago|paye|zahlung|paiement|pagamento)(?: (?:now|this|him|her|them|row|ok|y n|yes no|j n|this month|today))*$/;

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

export function createTally(header: string) {
  const named = decisionOf(header);
  const texts = new Map<string, number>();
  let others = 0;
  let unknown = 0;

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
    asks(): boolean {
      const all = values();
      const isSame = all.length + Math.sign(others) + Math.sign(unknown) < 2;
      if (isSame) return named !== null && (unknown > 0 || saysNo(header, all[0]?.text ?? ''));
      if (named === 'state' || (named === 'decision' && !isCount(header, all))) return true;
      return isMark(all, others > 0) || (!dayHeader.test(headerWords(header)) && isStamp(all));
    },
    named,
    values,
    others: () => others,
    unknown: () => unknown,
  };
}

/** True if some rows have a day and others have none, as when people write when a row was done. */
const isStamp = (values: readonly ColumnValue[]) =>
  values.some(({ text }) => text === '') &&
  values.every(({ text }) => text === '' || (daysIn(text).length > 0 && /\d.*\D.*\d/.test(text)));

/** True if most filled cells are yes or no, if half of them are outcomes, or if some rows have one short mark. */
function isMark(values: readonly ColumnValue[], hasOthers: boolean): boolean {
  const filled = values.filter(({ text }) => text !== '');
  const rowsOf = (some: readonly ColumnValue[]) => some.reduce((sum, { rows }) => sum + rows, 0);
  if (hasOthers || filled.length === 0) return false;
  // Each stop mark is an error on its row already.
  const others = filled.filter(({ text }) => stopMarkIn(text) === null);
  const ended = others.filter(({ text }) => outcomes.test(headerWords(text)));
  if (ended.length > 0 && rowsOf(ended) * 2 >= rowsOf(others)) return true;
  const answers = filled.filter(({ text }) => isYesNo(text));
  if (answers.length === filled.length) return true;
  const [first] = filled;
  if (filled.length === 1)
    return first!.text.length <= longestMark && !/\p{Sc}/u.test(first!.text) && !isNumber(first!.text);
  // Single letters are ignored, since they may be grades or sexes.
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
