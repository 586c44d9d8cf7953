/** Finds remarks that a row must not be paid, such as `DO NOT PAY`, `ON HOLD` or `(resigned)`. */
import { withoutAccents, withoutZeroWidth } from './text.ts';

const longest = 200;

const phrase = `do ?not ?(?:pay|process|release|send|disburse|transfer|make payment)|(?:must|should|shall|may) not be (?:paid|processed|released)|don'?t (?:pay|process|release|send)|not (?:to (?:be paid|pay)|for payment|payable)|dnp|stop pay(?:ment)?|no payment|hold payment|payment (?:is )?on hold|already (?:paid|sent|settled)|nicht (?:be|aus)?zahlen|zahlungs?stopp|zahlsperre|nicht uberweisen|(?:bereits|schon) (?:bezahlt|uberwiesen)|ne pas (?:payer|verser|regler)|deja (?:payee?|reglee?)|ya pagad[oa]|ja pago|reeds betaald?|asilipwe|no pagar|nao pagar|moenie betaal(?: nie)?|usilipe|msilipe|niet (?:uit)?betalen|no pague|non pagare|ungakhokhi|nie placic|odemeyin|jangan (?:di)?bayar`;
const word = `(?:please |put )?(?:on[ -]?)?hold|stop(?:ped)?|cancel(?:l?ed)?|void(?:ed)?|skip(?:ped)?|terminated|resigned|retired|fired|deceased|dismissed|suspended|revers(?:ed|al)|reject(?:ed)?|declined|disputed|withheld|failed|bounced|flag(?:ged)?|left (?:the )?company|duplicated?|exclude[ds]?|deleted?|removed?|ignored?|blocked|(?:already )?paid|paid (?:in full|already|twice)|(?:not|un)(?: yet)? ?(?:approved|authori[sz]ed)|nicht (?:freigegeben|genehmigt)|non approuvee?|no aprobad[oa]|nao aprovad[oa]|refunded|settled|ex employee|(?:pending|awaiting) (?:approval|authori[sz]ation)|bezahlt|gesperrt|storniert|doppelt|gekundigt|annulee?|pagad[oa]|suspendue?|bloquee?|anulado|cancelado|suspendido|suspenso|gekanselleer|imefutwa|imesitishwa`;
/** Matches the reason after a stop word, as in `hold until Friday` or `paid on 3 Nov`. */
const reason = `(?: (?:back|until|till|since|for|per|pending|on|in|as|this|it|off|am|bis|vom|le|el|em)\\b.*)?`;
const mark = new RegExp(
  `^(?:(?:${phrase})\\b.*|(?:${word})${reason}|(?:rejected|declined|cancelled|withheld) by\\b.*|paid \\d.*)$`,
);
const anywhere = new RegExp(`\\b(?:${phrase}|(?<!(?:not|never|longer) )on hold)\\b`);
/** Matches a stop word at a text's end. Causes only a warning, because names such as `Bus stop` match too. */
const atEnd = new RegExp(`(?<!\\b(?:not|never|be|being|get|no)) (?:${word})$`);
const atStart = new RegExp(`^(?:${word}) `);
const inCapitals = new RegExp(`\\b(?:${word})\\b`);

export function stopMarkIn(text: string): 'whole' | 'part' | null {
  if (text.length > longest) return null;
  const plain = plainText(text);
  const parts = plain
    .split(/[()[\]{}:;,.!*|_/]+| [-–—]+ |[-–—]+$|^[-–—]+/u)
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .filter((part) => part !== '');
  if (parts.length === 1 && mark.test(parts[0]!)) return 'whole';
  return parts.some((part) => mark.test(part)) || anywhere.test(plain) ? 'part' : null;
}

/** True for a stop word at the end (`INV 12 paid`), or in capitals beside small letters (`PAID in cash`). */
export function hasStopWord(text: string): boolean {
  if (text.length > longest) return false;
  const capitals = text.replaceAll(/[\p{L}\p{N}]*\p{Ll}[\p{L}\p{N}]*/gu, '|');
  return atEnd.test(plainText(text).trim()) || (capitals.includes('|') && inCapitals.test(plainText(capitals)));
}

/** True for a text such as `CANCELLED SAL 5`, but also for a harmless one such as `Paid leave`. */
export const beginsWithStopWord = (text: string) => text.length <= longest && atStart.test(plainText(text).trim());

const plainText = (text: string) =>
  withoutAccents(withoutZeroWidth(text))
    .replaceAll('’', "'")
    .replaceAll(/(?<=\p{L})[-_](?=\p{L})/gu, ' ');
