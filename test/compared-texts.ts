/**
 * Finds the texts that tests compare with what Payrun writes. The house test counts the sentences among them. A name stands
 * for its value: a constant, a function that makes a text, a parameter of a helper, and a column of a table of cases.
 */
import {
  inwards,
  isFunction,
  isNode,
  type Node,
  nameOf,
  nodeOf,
  nodesOf,
  outwards,
  parentOf,
  patternOf,
  textOf,
  type Way,
  wayTo,
} from './house/syntax.ts';

export interface ComparedText {
  readonly file: string;
  readonly text: string;
}

export interface TestFile {
  readonly name: string;
  readonly nodes: readonly Node[];
}

/** An expression, and the file that it stands in. */
type Placed = readonly [node: Node, file: TestFile];

const readsText =
  /^(startsWith|endsWith|includes|indexOf|lastIndexOf|localeCompare|match|matchAll|search|split|replace|replaceAll|has)$/;
const findsText = /^(stringMatching|stringContaining|getByText|getByTitle|hasText|hasNotText)$/;
/** A test needs the whole name of a control to reach the control. */
const control =
  /^(button|link|tab|radio|checkbox|textbox|combobox|option|heading|form|group|region|dialog|table|menuitem|navigation)$/;

/** Returns the `expect(…)` of a matcher such as `expect(…).not.toBe`. Null for other functions. */
function expectOf(callee: Node | null): Node | null {
  if (callee?.type !== 'MemberExpression') return null;
  const inner = nodeOf(callee.object);
  const isExpect = inner?.type === 'CallExpression' && /^(expect|poll|soft)$/.test(nameOf(inner.callee));
  return isExpect ? inner : expectOf(inner);
}

/** Returns the list that is searched, as in `[…].includes` and `new Set([…]).has`. */
function listedIn(searched: unknown): readonly Node[] {
  const list = nodeOf(searched);
  const inSet = list?.type === 'NewExpression' ? nodesOf(list.arguments)[0] : list;
  return inSet?.type === 'ArrayExpression' ? [inSet] : [];
}

/** Returns what a node compares with a text of Payrun. */
function comparedBy(node: Node): readonly Node[] {
  if (node.type === 'Property') return findsText.test(nameOf(node.key)) ? [node.value as Node] : [];
  if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(String(node.operator)))
    return nodesOf([node.left, node.right]).filter((side) => textOf(side) !== null);
  if (node.type === 'SwitchCase') return nodesOf([node.test]);
  const callee = nodeOf(node.callee);
  if (node.type !== 'CallExpression' || callee === null) return [];
  const given = nodesOf(node.arguments);
  const name = nameOf(callee);
  if (callee.type === 'MemberExpression' && /^(test|exec)$/.test(name)) return [callee.object as Node];
  if (callee.type === 'MemberExpression' && nameOf(callee.object) === 'assert') return given.slice(0, 2);
  if (callee.type === 'MemberExpression' && readsText.test(name))
    return nodesOf([...listedIn(callee.object), given[0]]);
  if (name === 'getByRole') return control.test(String(given[0]?.value)) ? [] : given.slice(1);
  return findsText.test(name) || expectOf(callee) !== null ? given : [];
}

function namedFunction(node: Node): string {
  const parent = parentOf(node);
  const isNamedByVariable = node.type !== 'FunctionDeclaration' && parent?.type === 'VariableDeclarator';
  return nameOf(isNamedByVariable ? parent.id : node.id);
}

class Reader {
  readonly found = new Map<Node, TestFile>();
  readonly #files: readonly TestFile[];
  readonly #seen = new Set<Node>();
  /** Names of which the values are being found: a function may call itself. */
  readonly #underWay = new Set<Node>();

  constructor(files: readonly TestFile[]) {
    this.#files = files;
  }

  /** Finds the texts in a compared value. A name in `labels` is a value of the test: it stands on both sides. */
  read(node: Node | null, file: TestFile, labels: ReadonlySet<string>): void {
    if (node === null || this.#seen.has(node) || (node.type === 'Identifier' && labels.has(nameOf(node)))) return;
    this.#seen.add(node);
    if ((textOf(node) ?? patternOf(node)) !== null) this.found.set(node, file);
    const values = /^(Identifier|MemberExpression)$/.test(node.type) ? this.#follow([[node, file]], []) : [];
    for (const [value, from] of values) if (value !== node) this.read(value, from, labels);
    if (node.type === 'Property') this.read(nodeOf(node.value), file, labels);
    else if (node.type !== 'MemberExpression' || values.length === 0)
      for (const part of Object.values(node))
        for (const one of Array.isArray(part) ? nodesOf(part) : nodesOf([part])) this.read(one, file, labels);
  }

  /** Returns the expressions that a name stands for. */
  #valuesOf(identifier: Node, file: TestFile): readonly Placed[] {
    if (this.#underWay.has(identifier)) return [];
    this.#underWay.add(identifier);
    const values = this.#valuesInScope(nameOf(identifier), identifier, file);
    this.#underWay.delete(identifier);
    return values;
  }

  #valuesInScope(name: string, place: Node, file: TestFile): readonly Placed[] {
    for (const scope of outwards(place)) {
      for (const [index, param] of (isFunction(scope) ? nodesOf(scope.params) : []).entries()) {
        const way = wayTo(name, param);
        if (way !== null) return this.#follow(this.#givenTo(scope, index, file), way);
      }
      if (scope.type === 'ForOfStatement') {
        const way = wayTo(name, nodeOf(nodesOf((scope.left as Node).declarations)[0]?.id));
        if (way !== null) return this.#follow(this.#elementsOf([[scope.right as Node, file]]), way);
      }
      const found = nodesOf(scope.body).flatMap((statement) => this.#declared(name, statement, file));
      if (found.length > 0) return found;
    }
    return [];
  }

  #declared(name: string, statement: Node, file: TestFile): readonly Placed[] {
    const inner = nodeOf(statement.declaration) ?? statement;
    if (inner.type === 'FunctionDeclaration' && nameOf(inner.id) === name) return [[inner.body as Node, file]];
    return nodesOf(inner.declarations).flatMap(({ id, init }) => {
      const way = wayTo(name, nodeOf(id));
      const value = nodeOf(init);
      if (way === null || value === null) return [];
      const made = value.type === 'AwaitExpression' ? nodeOf(value.argument) : value;
      // The arguments of a call are what the test gives. Only these calls return a text of their arguments.
      const isGiven = made?.type === 'CallExpression' && !/^(raw|join|replaceAll?)$/.test(nameOf(made.callee));
      return isGiven ? [] : this.#follow([[value, file]], way);
    });
  }

  /** Returns what the calls of a function give as one of its parameters. */
  #givenTo(called: Node, index: number, file: TestFile): readonly Placed[] {
    const name = namedFunction(called);
    if (name !== '')
      return this.#callsOf(name, called, file).flatMap(([call, from]) =>
        nodesOf(call.arguments)
          .slice(index, index + 1)
          .map((given) => [given, from] as const),
      );
    const callee = nodeOf(parentOf(called)?.callee);
    if (callee === null) return [];
    const isEach = callee.type === 'CallExpression' && nameOf(callee.callee) === 'each';
    const isLoop =
      callee.type === 'MemberExpression' && /^(map|flatMap|forEach|filter|every|some)$/.test(nameOf(callee));
    const table = isEach ? nodesOf(callee.arguments)[0] : isLoop ? nodeOf(callee.object) : null;
    const rows = this.#elementsOf(isNode(table) ? [[table, file]] : []);
    const areLists = isEach && rows.some(([row]) => row.type === 'ArrayExpression');
    return areLists ? this.#follow(rows, [index]) : index === 0 ? rows : [];
  }

  #callsOf(name: string, called: Node, file: TestFile): readonly Placed[] {
    const isExported = [...outwards(called)].some(({ type }) => type === 'ExportNamedDeclaration');
    return (isExported ? this.#files : [file]).flatMap((one) =>
      one.nodes
        .filter(({ type, callee }) => type === 'CallExpression' && nodeOf(callee)?.name === name)
        .map((call) => [call, one] as const),
    );
  }

  #elementsOf(lists: readonly Placed[]): readonly Placed[] {
    return this.#follow(lists, []).flatMap(([{ elements }, file]) =>
      this.#follow(
        nodesOf(elements).map((one) => [one, file]),
        [],
      ),
    );
  }

  /** Replaces names by their values, and goes the way from each value to a part of it. */
  #follow(values: readonly Placed[], way: Way): readonly Placed[] {
    const plain = values.flatMap(([value, file]): readonly Placed[] => {
      if (value.type === 'Identifier') return this.#follow(this.#valuesOf(value, file), []);
      if (/^TS(As|Satisfies|NonNull)Expression$/.test(value.type))
        return this.#follow([[value.expression as Node, file]], []);
      if (value.type === 'MemberExpression' && value.computed !== true)
        return this.#follow([[value.object as Node, file]], [nameOf(value)]);
      return [[value, file]];
    });
    const [step, ...rest] = way;
    if (step === undefined) return plain;
    const inner = plain.flatMap(([{ elements, properties }, file]): readonly Placed[] => {
      const named = nodesOf(properties).find(({ key }) => nameOf(key) === step)?.value;
      const part = nodeOf(typeof step === 'number' ? (elements as unknown[] | undefined)?.[step] : named);
      return part === null ? [] : [[part, file]];
    });
    return this.#follow(inner, rest);
  }
}

/** A text that is a title of a test, says why something is expected or waited for, or is only printed. */
function isLabel(node: Node): boolean {
  const parent = parentOf(node);
  const given = nodesOf(parent?.arguments);
  const name = nameOf(parent?.callee);
  return (
    (given[0] === node && /^(it|test|describe|until\w*|eventually)$/.test(name)) ||
    (given[1] === node && name === 'expect') ||
    nameOf((parent?.callee as Node | undefined)?.object) === 'console'
  );
}

/** Returns the texts that the tests of a folder compare, without those that the same file also gives to Payrun. */
export function comparedTexts(files: readonly TestFile[]): readonly ComparedText[] {
  const reader = new Reader(files);
  for (const file of files)
    for (const node of file.nodes) {
      const actual = expectOf(nodeOf(node.callee));
      const labels = new Set(
        actual === null ? [] : [...inwards(actual)].filter(({ type }) => type === 'Identifier').map(nameOf),
      );
      for (const compared of comparedBy(node)) reader.read(compared, file, labels);
    }
  const givenIn = new Map(
    files.map((file) => [
      file,
      file.nodes.flatMap((node) => (reader.found.has(node) || isLabel(node) ? [] : (textOf(node) ?? []))),
    ]),
  );
  return [...reader.found].flatMap(([node, file]) => {
    const text = textOf(node) ?? patternOf(node) ?? '';
    return givenIn.get(file)?.some((given) => given.includes(text)) ? [] : [{ file: file.name, text }];
  });
}
