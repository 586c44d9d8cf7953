/** Reads code as a tree of nodes for the tests of the house, and finds the values and the texts of its names. */
import { parseAst } from 'vite';

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

/** A way to a part of a value: `[0, 'text']` leads to `text` in `[{ text }]`. */
export type Way = readonly (string | number)[];

export const isNode = (one: unknown): one is Node => typeof one === 'object' && one !== null && 'type' in one;
export const nodeOf = (part: unknown): Node | null => (isNode(part) ? part : null);
export const nodesOf = (part: unknown): readonly Node[] => (Array.isArray(part) ? part.filter(isNode) : []);
export const isFunction = ({ type }: Node) => /^(Arrow)?Function(Declaration|Expression)$/.test(type);

export const nameOf = (node: unknown): string => {
  const { name, property } = (node ?? {}) as { name?: string; property?: { name?: string } };
  return name ?? property?.name ?? '';
};

const parents = new Map<Node, Node>();

export const parentOf = (node: Node) => parents.get(node);

/** Returns all nodes of a file, outer nodes first. */
export function parsed(code: string, file = 'code.ts'): readonly Node[] {
  const nodes: Node[] = [];
  const walk = (part: unknown, parent: Node | null): void => {
    if (Array.isArray(part)) for (const one of part) walk(one, parent);
    else if (isNode(part)) {
      nodes.push(part);
      if (parent !== null) parents.set(part, parent);
      for (const child of Object.values(part)) walk(child, part);
    }
  };
  walk(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), null);
  return nodes;
}

/** The node and the nodes around it, innermost first. */
export function* outwards(node: Node): Generator<Node> {
  for (let one: Node | undefined = node; one !== undefined; one = parents.get(one)) yield one;
}

export function* inwards(node: Node): Generator<Node> {
  yield node;
  for (const part of Object.values(node))
    for (const one of Array.isArray(part) ? part : [part]) if (isNode(one)) yield* inwards(one);
}

/** Returns what stands inside `!`, `?.`, `await`, brackets and casts. */
export function bare(given: unknown): Node | null {
  let node = nodeOf(given);
  while (node !== null && /^((Chain|Parenthesized|TS\w+)Expression|AwaitExpression)$/.test(node.type))
    node = nodeOf(node.expression ?? node.argument);
  return node;
}

/** Returns the way through a pattern to a name in it. Null if the pattern does not have the name. */
export function wayTo(name: string, pattern: Node | null): Way | null {
  if (pattern === null) return null;
  if (pattern.type === 'Identifier') return pattern.name === name ? [] : null;
  if (pattern.type === 'AssignmentPattern') return wayTo(name, nodeOf(pattern.left));
  const parts: readonly (readonly [string | number, Node | null])[] =
    pattern.type === 'ArrayPattern'
      ? (pattern.elements as unknown[]).map((one, index) => [index, nodeOf(one)] as const)
      : nodesOf(pattern.properties).map((one) => [nameOf(one.key), nodeOf(one.value)] as const);
  for (const [step, part] of parts) {
    const rest = wayTo(name, part);
    if (rest !== null) return [step, ...rest];
  }
  return null;
}

/** Returns the text of a string, or of a template without its values. */
export function textOf({ type, value, quasis }: Node): string | null {
  if (type === 'Literal') return typeof value === 'string' ? value : null;
  if (type !== 'TemplateLiteral') return null;
  return (quasis as { value: { cooked: string } }[]).map((part) => part.value.cooked).join(' \u2026 ');
}

/** Returns the text that a regular expression looks for, with a line for each alternative and a gap for other text. */
export function patternOf({ regex }: Node): string | null {
  return typeof regex === 'object' && regex !== null ? lookedFor((regex as { pattern: string }).pattern) : null;
}

export const lookedFor = (pattern: string) =>
  pattern
    .replaceAll(/\\s[+*?]?/g, ' ')
    .replaceAll(/\[[^\]]*\][*+?]?|\\[a-zA-Z][*+?]?|\.[*+?]|\{[\d,]+\}/g, '\u2026')
    .replaceAll('|', '\n')
    .replaceAll(/\(\?<?[:=!]|[()$?*+]/g, '')
    .replaceAll(/\\(.)/g, '$1');
