/**
 * Finds code that reads words for people: it looks for something in them, takes a part of them, or compares them. Words are
 * whatever a function of `messages/` returns, under each name that takes them, and fields such as `message`.
 */
import { dirname, join } from 'node:path';
import { isSql } from './sentences.ts';
import {
  bare,
  isFunction,
  lookedFor,
  type Node,
  nameOf,
  nodeOf,
  nodesOf,
  outwards,
  patternOf,
  textOf,
  wayTo,
} from './syntax.ts';

/** A field for words. */
const wordsField = /^(message|sentence|words)$|[a-z](Message|Sentence)$/;
/** A field for words or for a code: code may compare it with another code, but takes no code apart. */
const eitherField = /^(reason|note|why)$/;

/** Methods of texts. An array has the methods in `listMethods` too. */
const textMethods =
  /^(charAt|charCodeAt|codePointAt|localeCompare|substring|startsWith|endsWith|match|matchAll|replace|replaceAll|search|split)$/;
const listMethods = /^(at|includes|indexOf|lastIndexOf|slice)$/;
const findMethods = /^(includes|indexOf|lastIndexOf|has|get)$/;
const keepMethods = /^(concat|normalize|padEnd|padStart|toLowerCase|toString|toUpperCase|trim|trimEnd|trimStart)$/;

/** These files read sheets, and messages of other programs. */
const readsOthers =
  /^(sheet\/|pipeline\/intake\/|domain\/rows\/(decision-column|stop-mark)\.ts$|audit\/result\.ts$|ledger\/store\/postgres\/|service\/http\/server\.ts$)/;

type Strength = 'words' | 'either' | 'none';

/** Returns what declares a name: its value if there is one, and the field that a pattern takes it from. */
export function declarationOf(identifier: Node): { readonly value: Node | null; readonly field: string | null } | null {
  const name = nameOf(identifier);
  const declared = (pattern: unknown, value: unknown) => {
    const way = wayTo(name, nodeOf(pattern));
    if (way === null) return null;
    const field = way.findLast((step) => typeof step === 'string') ?? null;
    return { value: way.length === 0 ? nodeOf(value) : null, field: field as string | null };
  };
  for (const scope of outwards(identifier)) {
    const statements = [scope.body, scope.consequent].flatMap((one) => [...nodesOf(one)]);
    const inner = statements.map((one) => nodeOf(one.declaration) ?? one);
    const found = [
      ...(isFunction(scope) ? nodesOf(scope.params).map((param) => declared(param, null)) : []),
      ...inner.filter(({ type }) => type === 'FunctionDeclaration').map((one) => declared(one.id, one)),
      ...inner.flatMap(({ declarations }) => nodesOf(declarations).map(({ id, init }) => declared(id, init))),
    ].find((one) => one !== null);
    if (found) return found;
  }
  return null;
}

/** Returns the expressions that a function returns. */
function returnedBy(called: Node, nodes: readonly Node[]): readonly unknown[] {
  if (nodeOf(called.body)?.type !== 'BlockStatement') return [called.body];
  return nodes
    .filter((node) => node.type === 'ReturnStatement' && [...outwards(node)].find(isFunction) === called)
    .map(({ argument }) => argument);
}

function importedFrom(nodes: readonly Node[], file: string): ReadonlySet<string> {
  const imports = nodes.filter(({ type, source }) => {
    const from = String(nodeOf(source)?.value);
    return type === 'ImportDeclaration' && join(dirname(file), from).startsWith('messages/');
  });
  return new Set(imports.flatMap(({ specifiers }) => nodesOf(specifiers).map(({ local }) => nameOf(local))));
}

class Words {
  readonly #known = new Map<Node, Strength>();
  readonly #nodes: readonly Node[];
  readonly #isForeign: boolean;
  readonly #speakers: ReadonlySet<string>;

  constructor(nodes: readonly Node[], file: string) {
    this.#nodes = nodes;
    this.#isForeign = readsOthers.test(file);
    this.#speakers = importedFrom(nodes, file);
  }

  /** A name may stand for itself: while its strength is being found, it has none. */
  of(given: unknown): Strength {
    const node = bare(given);
    if (node === null) return 'none';
    if (!this.#known.has(node)) {
      this.#known.set(node, 'none');
      this.#known.set(node, this.#find(node));
    }
    return this.#known.get(node)!;
  }

  #strongest(given: readonly unknown[]): Strength {
    const found = given.map((one) => this.of(one));
    return found.find((one) => one === 'words') ?? found.find((one) => one === 'either') ?? 'none';
  }

  #find(node: Node): Strength {
    const { type, left, right, consequent, alternate } = node;
    if (type === 'LogicalExpression') return this.#strongest([left, right]);
    if (type === 'BinaryExpression') return node.operator === '+' ? this.#strongest([left, right]) : 'none';
    if (type === 'ConditionalExpression') return this.#strongest([consequent, alternate]);
    if (type === 'TemplateLiteral') return this.#strongest(nodesOf(node.expressions));
    if (type === 'CallExpression') return this.#ofCall(bare(node.callee), node);
    if (type === 'MemberExpression')
      return this.#isSpeaker(node.object) || this.#isCommand(nameOf(node)) ? 'words' : this.#byField(nameOf(node));
    if (type !== 'Identifier') return 'none';
    const declaration = declarationOf(node);
    const value = bare(declaration?.value);
    if (this.#isCommand(declaration?.field)) return 'words';
    if (value === null) return this.#byField(declaration?.field ?? nameOf(node));
    return isFunction(value) ? 'none' : this.#strongest([value]);
  }

  /** A next action has its printed command in this field. A variable with this name is often a parsed command. */
  #isCommand = (field: string | null | undefined) => !this.#isForeign && field === 'command';

  #byField(name: string): Strength {
    if (this.#isForeign) return 'none';
    return wordsField.test(name) ? 'words' : eitherField.test(name) ? 'either' : 'none';
  }

  #ofCall(callee: Node | null, call: Node): Strength {
    if (callee?.type === 'MemberExpression' && keepMethods.test(nameOf(callee))) return this.of(callee.object);
    if (callee?.type === 'MemberExpression') return this.#isSpeaker(callee.object) ? 'words' : 'none';
    if (callee?.type !== 'Identifier') return 'none';
    if (this.#isSpeaker(callee)) return 'words';
    if (nameOf(callee) === 'String') return this.#strongest(nodesOf(call.arguments));
    const value = bare(declarationOf(callee)?.value);
    return value !== null && isFunction(value) ? this.#strongest(returnedBy(value, this.#nodes)) : 'none';
  }

  #isSpeaker(given: unknown): boolean {
    const node = bare(given);
    return node?.type === 'Identifier' && this.#speakers.has(nameOf(node)) && declarationOf(node) === null;
  }

  isRead(node: Node): boolean {
    const { type, left, right } = node;
    if (type === 'SwitchStatement') return this.of(node.discriminant) === 'words';
    if (type === 'MemberExpression')
      return node.computed === true && this.of(node.property) === 'words' && !this.#mayBeList(node.property);
    if (type === 'BinaryExpression' && /^[!=]==?$/.test(String(node.operator))) return this.#isCompared([left, right]);
    const callee = bare(node.callee);
    if (type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false;
    const method = nameOf(callee);
    const [first] = nodesOf(node.arguments);
    if (/^(test|exec)$/.test(method)) return this.of(first) !== 'none';
    if (textMethods.test(method)) return this.of(callee.object) !== 'none' || this.of(first) === 'words';
    if (findMethods.test(method) && this.of(first) === 'words') return true;
    return listMethods.test(method) && this.of(callee.object) !== 'none' && !this.#mayBeList(callee.object);
  }

  /** A list may have the name `words`, and may be a part of a map in `messages/`. */
  #mayBeList(given: unknown): boolean {
    const node = bare(given);
    return (
      nameOf(node) === 'words' ||
      (node?.type === 'MemberExpression' && node.computed !== true && this.#isSpeaker(node.object))
    );
  }

  /** Null, undefined and an empty text say only that there are no words. A text without a blank is a code. */
  #isCompared(sides: readonly unknown[]): boolean {
    const isNothingOrCode = sides.some((side) => {
      const node = bare(side);
      return nameOf(node) === 'undefined' || (node?.type === 'Literal' && !/\s/.test(String(node.value)));
    });
    return (
      !isNothingOrCode && sides.some((side) => this.of(side) === 'words' && bare(side)?.type !== 'UnaryExpression')
    );
  }
}

/** A part of a sentence. The words of states, such as `not sent`, are codes. */
const isPhrase = (text: string) => /[A-Z][a-z]+ [a-z]|[a-z]{2,} [a-z]{2,} [a-z]/.test(text);
/** The beginning of a sentence, or two words of it. */
const isPart = (text: string) =>
  /^\^[A-Z][a-z]{2,}(?:[ :,.]|$)|(?<![A-Za-z])[A-Za-z][a-z]+[,.:]? (?:[^\n]*[ \u2026])?[a-z]{2,}/.test(text);

/** Returns the text that an expression or a constant is. */
function constantText(given: unknown): string {
  const node = bare(given);
  const value = node?.type === 'Identifier' ? bare(declarationOf(node)?.value) : node;
  return (value && textOf(value)) ?? '';
}

const hasPhrase = (list: unknown): boolean =>
  bare(list)?.type === 'ArrayExpression' &&
  nodesOf(bare(list)?.elements).some((one) => isPhrase(constantText(one)) || hasPhrase(one));

/** True for code that looks for a phrase: such a phrase is a part of a sentence, whatever has it. */
function looksForPhrase(node: Node): boolean {
  const { type, operator } = node;
  const text = textOf(node);
  if (text !== null && isSql(text)) return looksForPhraseBySql(text);
  if (type === 'SwitchCase') return isPhrase(constantText(node.test));
  if (type === 'BinaryExpression')
    return /^[!=]==?$/.test(String(operator)) && [node.left, node.right].some((one) => isPhrase(constantText(one)));
  if ('regex' in node) return isPart(patternOf(node) ?? '');
  const callee = bare(node.callee);
  const [first] = nodesOf(node.arguments);
  if (type === 'NewExpression' && /^(Set|Map)$/.test(nameOf(callee))) return hasPhrase(first);
  if (type === 'NewExpression' && nameOf(callee) === 'RegExp') return isPart(lookedFor(constantText(first)));
  if (type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false;
  const method = nameOf(callee);
  if (textMethods.test(method)) return isPart(`${method === 'startsWith' ? '^' : ''}${constantText(first)}`);
  return findMethods.test(method) && (isPhrase(constantText(first)) || hasPhrase(callee.object));
}

function looksForPhraseBySql(text: string): boolean {
  const quoted = text.matchAll(/(\b(?:LIKE|GLOB)\s*|\b(?:instr|strpos)\([^']*)?(?<!\b(?:THEN|ELSE) )'[%*]?([^']*)'/gi);
  return [...quoted].some(([, search, words = '']) => (search === undefined ? isPhrase(words) : isPart(`^${words}`)));
}

/** Returns the nodes that read words. */
export function wordsRead(nodes: readonly Node[], file: string): readonly Node[] {
  const words = new Words(nodes, file);
  return nodes.filter((node) => words.isRead(node) || (!readsOthers.test(file) && looksForPhrase(node)));
}
