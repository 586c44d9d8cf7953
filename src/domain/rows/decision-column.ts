/** Recognises a column that may decide which rows to pay: its values form groups, under a header about paying. */
import { daysIn } from '../calendar/day.ts';
import { stopMarkIn } from './stop-mark.ts';
import { headerWords, withoutAccents } from './text.ts';

const mostTexts = 1000;
/** A column with more values than this describes single rows, as names or dates do. It does not divide the rows into groups. */
const mostValues = 6;
/** The most letters of a mark that people put beside some rows, such as `x`, `JM` or `later`. */
const longestMark = 5;

/** Returns the value for comparison. A dash or `n/a` equals an empty cell. */
export function valueKey(text: string): string {
  const key = withoutAccents(text).trim().replaceAll(/\s+/g, ' ');
  return /^(?:[-–—]+|n\/?a)$/.test(key) ? '' : key;
}

const listed = (words: string) => words.trim().replaceAll(/\s*\n\s*/g, '|');

/**
 * Matches a whole header that says nothing about paying, such as `Department` but not `Department approved`. Payrun
 * never asks a person about its column. If a header is missing here, Payrun only asks without need. `Manager` is not
 * here, because it may hold decisions.
 */
const harmless = new RegExp(
  `^(?:(?:${listed(`
    employee|staff|payee|payer|payment|pay|account|bank|customer|client|supplier|vendor|company|recipient|receiver
    beneficiary|contact|home|work|job|cost|business|transaction|salary|reporting|line|first|middle|last|other|full
    preferred|maiden|postal|expense|sub|employment|contract|invoice|tax|vat|gl|pension|farmer`)}) )*(?:${listed(`
    department|dept|division|section|unit|cent(?:re|er)|branch|office|site|location|plant|store|town|city|suburb|county
    province|region|area|district|zone|country|nationality|language|gender|sex|title|salutation|job|position
    designation|role|occupation|profession|grade|level|band|rank|class|category|type|kind|team|crew|group|shift|project
    programme|program|product|customer|client|supplier|vendor|company|employer|entity|holder|payer|method|frequency|mode
    terms|purpose|marital status|fund|donor|grant|budget line|scheme|charges|charge bearer|swift|bic|po|depot|school
    village|ward|route|station|outlet|ledger|race|religion|residency|season|vehicle|kst|lohnart|banco|names?|surname
    nickname|initials|person|address|street|(?:tax|vat|cost|gl|job) code|due|(?:due|invoice|birth|start|end|hire
    joining) date|date of birth|geburtsdatum|eintrittsdatum|afdeling|kostesentrum|tak|kantoor|terrein|stad|dorp
    provinsie|streek|geslag|pos|posbenaming|graad|span|projek|titel|kategorie|tipe|departement|service|centre de couts?
    agence|ville|sexe|genre|poste|fonction|equipe|projet|titre|civilite|categorie|pays|societe|entreprise|prenom|adresse
    (?:mode|methode) de paiement|departamento|setor|centro de custos?|filial|agencia|local|cidade|regiao|provincia|sexo
    genero|cargo|funcao|categoria|equipa|projec?to|titulo|tipo|empresa|morada|endereco|(?:forma|metodo) de pagamento
    idara|kituo|tawi|ofisi|eneo|mji|jiji|mkoa|kanda|wilaya|jinsia|cheo|kazi|daraja|timu|kikundi|mradi|aina|kampuni
    anwani|abteilung|kostenstelle|filiale|niederlassung|standort|werk|ort|bezirk|land|geschlecht|anrede|stelle|funktion
    tatigkeit|beruf|stufe|gruppe|lohngruppe|projekt|art|typ|firma|vorname|nachname|strasse`)})(?: (?:code|id|name|no|number|nr))?$`,
  'u',
);
/** Matches headers of free text. The column decides only if values repeat, answer yes or no, or report an outcome. */
const freeText = new RegExp(
  `^(?:(?:payment|internal|other) )?(?:${listed(`
    notes?|remarks?|comments?|memo|descriptions?|details?|reason|message|explanation|opmerkings?|beskrywing|rede|remarques?
    commentaires?|observations?|motif|notas?|observaco?es|observacao|comentarios?|descricao|motivo|maelezo|maoni|sababu
    bemerkung(?:en)?|anmerkung(?:en)?|notiz(?:en)?|kommentare?|beschreibung|grund`)})$`,
);

const states =
  /(?<!\p{L})(?:\p{L}*status|statut|state|etat|estado|situacao|results?|resultado|resultaat|outcome|response|action|decision|errors?)(?!\p{L})/u;
/** Matches words for a decision about a row, except in `Paid as`, which means a way of paying. */
const decisions =
  /(?<!\p{L})(?:(?:un)?paid|(?:un)?approv\p{L}*|(?:un)?authori[sz]\p{L}*|includ\p{L}*|exclu\p{L}*|releas\p{L}*|ready|active)(?! as(?!\p{L}))(?!\p{L})|^(?:(?:ok|please|do not|don t) (?:to )?)?pay(?: y n)?$/u;
/** Matches English words with which payment providers report the end of a payment. */
const outcomes = /\b(?:un)?success|\bfail(?:ed|ure)|\binsufficient|\breject|\bdeclin|\berror/;
const no = /^(?:no?|nein|nee|non|nao|hapana|false|falsch|faux|falso|0(?:[.,]0+)?|☐|✗|✘|❌|[[(]\s*[\])])$/;

function namedBy(header: string): 'state' | 'decision' | null {
  const words = headerWords(header);
  if (/\?\s*$/.test(header.slice(0, 200))) return 'decision';
  if (harmless.test(words)) return null;
  if (states.test(words)) return 'state';
  return decisions.test(words) || stopMarkIn(words) !== null ? 'decision' : null;
}

export interface ColumnValue {
  /** The value as its first row writes it; empty for empty cells. */
  readonly text: string;
  readonly rows: number;
}

export function createTally(header: string) {
  const words = headerWords(header);
  const named = namedBy(header);
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
    /** Adds one trimmed cell. null stands for unknown content: a formula without a current result, or an error. */
    add(text: string | null): void {
      if (text === null) unknown += 1;
      else if (texts.has(text) || text === '' || texts.size < mostTexts) texts.set(text, (texts.get(text) ?? 0) + 1);
      else others += 1;
    },
    /** True if the column may decide which rows to pay, so that Payrun has to ask a person. */
    asks(isMerged = false): boolean {
      const all = values();
      const isSame = all.length + Math.sign(others) + Math.sign(unknown) < 2;
      if (isSame) return named !== null && (unknown > 0 || isHeld(named, words, all[0]?.text ?? ''));
      return divides({ words, named, isMerged }, all, { others, unknown });
    },
    named,
    isHarmless: harmless.test(words),
    values,
    others: () => others,
    unknown: () => unknown,
  };
}

function divides(
  { words, named, isMerged }: { words: string; named: 'state' | 'decision' | null; isMerged: boolean },
  values: readonly ColumnValue[],
  { others, unknown }: { others: number; unknown: number },
): boolean {
  const filled = values.filter(({ text }) => text !== '');
  if (named !== null) return true;
  if (filled.length === 0) return false;
  // Asks nothing about stop marks. Each is already an error of its row, unless its cell is merged over several rows.
  if (!isMerged && filled.every(({ text }) => stopMarkIn(text) !== null)) return false;
  if (filled.some(({ text }) => isDecision(text))) return true;
  if (harmless.test(words) && !filled.some(({ text }) => isAnswer(valueKey(text)))) return false;
  const different = values.length + Math.sign(others) + Math.sign(unknown);
  if (filled.every(({ text }) => /^\S+@\S+\.\S+$|^https?:/.test(text))) return false;
  if (filled.every(({ text }) => isNumber(text))) return isZeroOne(filled, different);
  if (filled.every(({ text }) => isDay(text))) return filled.length < values.length;
  const rows = rowsOf(filled);
  if (rowsOf(filled.filter(({ text }) => outcomes.test(valueKey(text)))) * 2 >= rows + others) return true;
  if (different > mostValues)
    return filled.some(
      ({ text, rows: same }) =>
        same * 2 >= rowsOf(values) + others + unknown ||
        (!freeText.test(words) && decisions.exec(valueKey(text))?.index === 0),
    );
  if (filled.every(({ text }) => text.length <= longestMark && !/\d/.test(text))) return true;
  if (freeText.test(words)) return rows >= filled.length * 2;
  // False if three or more values never repeat, because each then describes a single row.
  return values.length < 3 || values.some((one) => one.rows > 1) || unknown > 0;
}

/** True for a tick, a cross or a word for no: each is a decision under any header. A single letter may be a code. */
const isAnswer = (key: string) => /^(?:x|[^\p{L}\p{N}]{1,3})$/u.test(key) || (/\p{L}{2}/u.test(key) && no.test(key));

/** True for a value that is exactly one word of decision, such as `Approved`. */
const isDecision = (text: string) =>
  decisions.exec(valueKey(text))?.[0] === valueKey(text) && stopMarkIn(text) === null;

const rowsOf = (values: readonly ColumnValue[]) => values.reduce((sum, { rows }) => sum + rows, 0);

/** True for a number, and for an id without letters, such as `0000012345-2`. */
export const isNumber = (text: string) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text) && daysIn(text).length === 0;

const isDay = (text: string) => daysIn(text).length > 0 && /\d.*\D.*\d/.test(text);

/** True for a column of 1 and 0, or of 1 and empty cells. */
const isZeroOne = (filled: readonly ColumnValue[], different: number) =>
  different === 2 && filled.every(({ text }) => /^[01](?:[.,]0+)?$/.test(text));

/**
 * True if a column with a single value may say not to pay: `no` under `Approved`, or `yes` under `Hold`. Under a header for a
 * state, any value may: a report of earlier payments says `Completed` in each row.
 */
function isHeld(named: 'state' | 'decision', words: string, text: string): boolean {
  if (text === '') return false;
  if (named === 'state') return true;
  const isNo = no.test(valueKey(text));
  return stopMarkIn(words) !== null ? !isNo : isNo || stopMarkIn(text) !== null;
}
