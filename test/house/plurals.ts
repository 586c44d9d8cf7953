/** Finds words that code chooses by a count, and lists that code joins: `messages/format/numbers.ts` writes both. */
import { isSql } from './sentences.ts';
import { bare, inwards, type Node, nameOf, nodesOf, textOf } from './syntax.ts';
import { declarationOf } from './words-read.ts';

export const joinsList = ({ callee, arguments: args }: Node): boolean =>
  nameOf(callee) === 'join' && nodesOf(args).some((one) => /^,? (and|or) $/.test(textOf(one) ?? ''));

export const choosesPlural = ({ type, test, consequent, alternate }: Node): boolean =>
  type === 'ConditionalExpression' && asksForOne(test) && [consequent, alternate].every(isText);

/** True for a comparison with one or two, also behind a name. */
function asksForOne(given: unknown): boolean {
  const test = bare(given);
  if (test?.type === 'Identifier') return asksForOne(declarationOf(test)?.value);
  const parts = [test?.left, test?.right];
  if (test?.type === 'LogicalExpression') return parts.some(asksForOne);
  const number = parts.map((one) => bare(one)?.value).find((one) => typeof one === 'number');
  if (/^[!=]==?$/.test(String(test?.operator))) return number === 1;
  return /^[<>]=?$/.test(String(test?.operator)) && (number === 1 || number === 2);
}

/** Codes, which are in capitals or have `_`, and SQL are no texts. */
function isText(given: unknown): boolean {
  const node = bare(given);
  if (node === null) return false;
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].every(isText);
  if (node.type === 'BinaryExpression') return [node.left, node.right].some(isText);
  if (node.type === 'ArrayExpression') return nodesOf(node.elements).some(isText);
  if (node.type === 'ObjectExpression') return nodesOf(node.properties).some(({ value }) => isText(value));
  if (node.type.startsWith('JSX'))
    return [...inwards(node)].some(({ type, value }) => type === 'JSXText' && /\p{L}/u.test(String(value)));
  const text = textOf(node);
  return text !== null && !isSql(text) && !/^([A-Z\d]+|\w*_\w*)$/.test(text);
}
