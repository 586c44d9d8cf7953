/** Finds the sentences in code, and counts their words. */
import { bare, type Node, nameOf, nodesOf, outwards } from './syntax.ts';

/** Returns the text of a literal, a template, a sum, or a joined list; of two alternatives the longer one. */
function wholeText(given: unknown): string | null {
  const node = bare(given);
  if (node === null) return null;
  const { type, value, quasis, expressions, left, right, operator, consequent, alternate, callee } = node;
  if (type === 'Literal') return typeof value === 'string' ? value : null;
  if (type === 'TemplateLiteral') {
    const values = (expressions as readonly unknown[]).map(textIn);
    return (quasis as { value: { cooked: string } }[])
      .map((part, at) => part.value.cooked + (values[at] ?? ''))
      .join('');
  }
  if (type === 'BinaryExpression' && operator === '+')
    return [left, right].every((one) => wholeText(one) === null) ? null : textIn(left) + textIn(right);
  const list = bare((callee as Node | undefined)?.object);
  if (type === 'CallExpression' && nameOf(callee) === 'join' && list?.type === 'ArrayExpression')
    return nodesOf(list.elements).map(textIn).join(' ');
  return type === 'ConditionalExpression' ? longer(wholeText(consequent), wholeText(alternate)) : null;
}

const textIn = (node: unknown): string => wholeText(node) ?? ' \u2026 ';

const longer = (one: string | null, other: string | null) =>
  one !== null && (other === null || wordCount(one) >= wordCount(other)) ? one : other;

/** Words of a sentence: no tags, no names of fields, no values of a template. */
export function wordCount(text: string): number {
  const words = text.replaceAll(/<style>[\s\S]*<\/style>|<[^>]*>/g, ' ').split(/\s+/);
  return words.filter((word) => /^[\p{Ps}\p{Pi}"'`]*\p{L}[\p{L}'\u2019-]*[\p{P}`]*$/u.test(word)).length;
}

const verb = /\b(?:is|are|was|were|be|been|has|have|had|may|can|cannot|must|did|does|will|not|no|nothing|none|never)\b/;

/** Prose has two lower-case words next to each other, which names and cells do not have. Three words need a verb too. */
export const isProse = (text: string) =>
  !isSql(text) && /(?<!\S)[a-z]{2,}\S? [a-z]{2,}/.test(text) && wordCount(text) >= (verb.test(text) ? 3 : 4);

/** Matches the phrases and comparisons of SQL, and not its single words in capitals. */
const sql =
  /\b(?:IS (?:NOT )?(?:NULL|DISTINCT)|(?:ORDER|GROUP|PARTITION) BY|CASE (?:WHEN|\w+ WHEN)|(?:INSERT|REPLACE) INTO|DELETE FROM|UNION ALL|SELECT\b[\s\S]*\b(?:FROM|AS)|UPDATE \S+ SET|(?:CREATE|ALTER|DROP) (?:\w+ )*(?:TABLE|INDEX|FUNCTION|TRIGGER|VIEW|SCHEMA|SEQUENCE)|CROSS JOIN|ON CONFLICT|PRIMARY KEY|DECLARE \w+ \w+;)\b|\b(?:EXISTS|IN|AS|MATERIALIZED|OVER|coalesce|count) \(|\b(?:coalesce|count)\(|[\w?)'\u2026] (?:=|<>|<=|>=|<|>) [\w?(':\u2026]|\w AS "?\w+"?,|\bPRAGMA \w+=/;

const startsAsSentence = /^\s*\p{Lu}\p{Ll}+,? \p{L}/u;

export const isSql = (text: string) => sql.test(text) && !startsAsSentence.test(text);

/** Only these files have a database of their own. The embedded service may contain sentences. */
const databases = /^(ledger\/|base\/(lock|sqlite)\.ts$|console\/inspection\/check-table\.ts$)/;

const isStyle = (text: string) => /[{;]\s*[a-z-]+:[^;]+;/.test(text);

const isListed = (text: string) =>
  /^[\w.]+(,\s+[\w.]+)*$/.test(text) ||
  (/\S\|\S/.test(text) && !/\s\||\|\s/.test(text) && !startsAsSentence.test(text));

/** True for SQL, style sheets, lists of words, types, and the reason of an assertion. */
function isNoSentence(text: string, node: Node, file: string): boolean {
  if ((databases.test(file) && isSql(text)) || isStyle(text) || isListed(text) || !/\p{Ll}/u.test(text)) return true;
  const around = [...outwards(node)].slice(1);
  const isList = around.some(
    ({ type, callee, property }, depth) =>
      (depth === 0 && type === 'MemberExpression' && nameOf(property) === 'split') ||
      (type === 'CallExpression' && /^(words|wordsIn|byWord|eachOf|pairs|listed)$/.test(nameOf(callee))) ||
      // A text in a type lists names.
      type === 'TSLiteralType',
  );
  const isAssertion = around.some(
    ({ type, callee }) =>
      (type === 'CallExpression' && nameOf(callee) === 'assert') ||
      (type === 'NewExpression' && /^(Range|Type)?Error$/.test(nameOf(callee))),
  );
  return isList || (isAssertion && wordCount(text) <= 8);
}

/** Returns the texts of four or more words that read as sentences. A text within another is a part of it. */
export function sentencesIn(nodes: readonly Node[], file: string): readonly string[] {
  return nodes.flatMap((node) => {
    const text = wholeText(node);
    if (text === null || wordCount(text) < 4 || isNoSentence(text, node, file)) return [];
    return [...outwards(node)].slice(1).some((one) => wholeText(one) !== null) ? [] : [text];
  });
}
