/** Finds what people write into a row that must not be paid: `DO NOT PAY`, `ON HOLD`, `(resigned)`. */
import { withoutAccents } from './text.ts';

/** A text that says more is not searched. */
const longest = 200;

const phrase = `do not (?:pay|process|release|send)|don'?t (?:pay|process|release|send)|not to (?:be paid|pay)|dnp|stop payment|no payment|hold payment|payment (?:is )?on hold|already (?:paid|sent|settled)|nicht (?:be|aus)?zahlen|nicht uberweisen|(?:bereits|schon) (?:bezahlt|uberwiesen)|ne pas (?:payer|verser|regler)|deja payee?|ya pagad[oa]|ja pago|reeds betaald?|asilipwe|no pagar|nao pagar|moenie betaal(?: nie)?|usilipe`;
const word = `(?:please |put )?(?:on[ -]?)?hold|stop(?:ped)?|cancel(?:l?ed)?|void(?:ed)?|skip(?:ped)?|terminated|resigned|deceased|dismissed|suspended|revers(?:ed|al)|reject(?:ed)?|declined|disputed|withheld|failed|bounced|flag(?:ged)?|left (?:the )?company|duplicated?|exclude[ds]?|deleted?|removed?|ignored?|blocked|(?:already )?paid|paid (?:in full|already|twice)|(?:not|un)(?: yet)? ?(?:approved|authori[sz]ed)|(?:pending|awaiting) (?:approval|authori[sz]ation)|bezahlt|gesperrt|storniert|doppelt|gekundigt|annulee?|pagad[oa]|suspendue?|bloquee?|anulado|cancelado|suspendido|suspenso|gekanselleer|imefutwa|imesitishwa`;
/** Text that may follow such a word: `hold until Friday`, `paid on 3 Nov`, `rejected by the CFO`. */
const reason = `(?: (?:back|until|till|for|per|pending|on|in|as|this|it)\\b.*)?`;
const mark = new RegExp(
  `^(?:(?:${phrase})\\b.*|(?:${word})${reason}|(?:rejected|declined|cancelled|withheld) by\\b.*|paid \\d.*)$`,
);
const anywhere = new RegExp(`\\b(?:${phrase})\\b`);

/** Returns `whole` where the text says nothing but that its row is not to be paid, `part` where a part of it says so, else null. */
export function stopMarkIn(text: string): 'whole' | 'part' | null {
  if (text.length > longest) return null;
  const plain = withoutAccents(text).replaceAll('’', "'");
  const parts = plain
    .split(/[()[\]{}:;,.!*|_/]+| [-–—]+ |[-–—]+$|^[-–—]+/u)
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .filter((part) => part !== '');
  if (parts.length === 1 && mark.test(parts[0]!)) return 'whole';
  return parts.some((part) => mark.test(part)) || anywhere.test(plain) ? 'part' : null;
}
