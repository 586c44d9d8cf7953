/** Keeps the language of the house (docs/contributing/style.md): where sentences stand, what reads them, and their words. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comparedTexts } from '../compared-texts.ts';
import * as exceptions from '../house-exceptions.ts';
import { isProse, sentencesIn } from './sentences.ts';
import { codeOf, countIn, expectAtMost, files, nodesIn, roomOf } from './source.ts';
import { type Node, nameOf, outwards, parsed } from './syntax.ts';
import { wordsRead } from './words-read.ts';

const tests = join(import.meta.dirname, '..');

const expectNone = (found: ReadonlyMap<string, number>, what: string) => expectAtMost(found, {}, what);

/** How often something occurs in the comments of each file. */
const inComments = (pattern: RegExp) =>
  countIn(files, (file) => commentsOf(codeOf(file)).filter((line) => pattern.test(line)).length);

/** The lines of a file's comments, without their marks. */
function commentsOf(code: string): string[] {
  return code.split('\n').flatMap((line) => {
    const [, words] = /^\s*(?:\/\/|\/\*\*?|\*)\s*(.*?)(?:\s*\*\/)?$/.exec(line) ?? [];
    return words === undefined || words === '' || words === '/' ? [] : [words];
  });
}

/**
 * Left out: tests of the sentences themselves, tests that read pages of docs or source code, and campaigns, whose judges
 * report in their own words.
 */
const ownWords =
  /^(messages|golden|corpus|house|independent|kill|model|simulation|commands|fuzz|systemd)\/|^console\/page\/golden|^(docs\.test|house\.test|compared-texts|long)\.ts$/;

/** True for code that writes a number, a date or a list for people. */
const formats = (node: Node): boolean =>
  node.type === 'MemberExpression' &&
  (/^toLocale\w*String$/.test(nameOf(node)) || (nameOf(node.object) === 'Intl' && nameOf(node).endsWith('Format'))) &&
  // The name of a zone is data.
  ![...outwards(node)].some((one) => nameOf(one) === 'resolvedOptions');

describe('the language of the house', () => {
  it('facts inside: sentences stand in messages and in the shells alone', () => {
    const shells = /^(messages|cli|console\/page|service|sheet\/write)\//;
    const found = countIn(
      files.filter((file) => !shells.test(file)),
      (file) => sentencesIn(nodesIn(file), file).length,
    );
    expectNone(found, 'sentences: make them facts, with their words in messages/');
  });

  it('facts inside: numbers, dates and lists become words in messages and on the page alone', () => {
    const found = countIn(
      files.filter((file) => !/^(messages|console\/page)\//.test(file)),
      (file) => nodesIn(file).filter(formats).length,
    );
    expectNone(found, 'formats: put them in messages/');
  });

  it('facts inside: nothing reads a message, a reason or a note', () => {
    const found = countIn(files, (file) => wordsRead(nodesIn(file), file).length);
    expectAtMost(found, exceptions.wordsRead, 'places that read a sentence: compare facts');
  });

  it.each([
    ['"The batch was not sent."', true],
    ['"The batch" + " was not" + " sent."', true],
    ['"The batch " + name + " was not sent."', true],
    ['["The batch", name, "was not sent."].join(" ")', true],
    ['isSent ? "The batch was sent." : "nothing"', true],
    ['"The batch was not sent | ask the approver | then run it again"', true],
    ['"The batch was not sent|ask the approver|then run it again"', true],
    ['"Wait for it AND send it IN order"', true],
    ['"Wait for the approver, and look IN (the folder) of the batch"', true],
    ['"SELECT one of the batches"', true],
    ['throw new Error("The batch was not sent by anybody in this house.")', true],
    ['throw new Error("The batch was not sent.")', false],
    ['"state = ? AND closed IS NULL ORDER BY id"', false],
    ['"SELECT id, name FROM batch WHERE name LIKE ?"', false],
    ['isSent ? "was sent" : "was not"', false],
    ['["not sent", "in doubt"].includes(word)', false],
    ['"632005|Absa Bank|Amalgamated Banks of South Africa"', false],
  ])('facts inside: %s is a sentence: %s', (code, isFound) => {
    const found = sentencesIn(parsed(code), 'ledger/a.ts');
    expect(found.length > 0, found.join()).toBe(isFound);
  });

  it('facts inside: SQL is a sentence in a file without a database', () => {
    expect(sentencesIn(parsed('"SELECT id, name FROM batch WHERE name LIKE ?"'), 'app/a.ts')).toHaveLength(1);
  });

  it.each([
    ['new Date(at).toLocaleString("en-GB")', true],
    ['count.toLocaleString()', true],
    ['new Intl.NumberFormat("en")', true],
    ['Intl.DateTimeFormat().format(at)', true],
    ['Intl.supportedValuesOf("currency")', false],
    ['Intl.DateTimeFormat().resolvedOptions().timeZone', false],
    ['new Intl.DisplayNames(["en"], { type: "currency" })', false],
  ])('facts inside: %s makes words: %s', (code, isFound) => {
    expect(parsed(code).some(formats)).toBe(isFound);
  });

  it.each([
    // Words by their name.
    ['message.replaceAll("a", "")', true],
    ['error.message?.split(separator)', true],
    ['words.endsWith(end)', true],
    ['problem.message.includes(value)', true],
    ['note!.lastIndexOf(mark)', true],
    ['why.match(/^a/)', true],
    ['reason.toLowerCase().includes(sought)', true],
    ['"not sent".includes(message)', true],
    ['const pattern = /a/; pattern.test(message)', true],
    ['const read = ({ message: text }) => pattern.exec(text)', true],
    ['function read(error) { const { reason: text = "" } = error; return text.search(/a/); }', true],
    ['const text = error.message; text.startsWith("a")', true],
    ['one.message === other.message', true],
    ['if (words !== last) write(words)', true],
    ['switch (message) { case "a": }', true],
    ['seen.has(error.message)', true],
    ['switch (error.reason) { case "code": }', false],
    ['codes.has(row.reason)', false],
    ['message === null || message === "" || message !== undefined', false],
    ['reason === "code" || row.reason !== reason', false],
    ['text.replaceAll("a", "")', false],
    ['messages.slice(1)', false],
    ['const read = ({ message: text }) => write(text); const cut = (text) => text.slice(1)', false],
    ['unitWords.test(text)', false],
    // Words by the function that makes them.
    ['const said = pageWords(fact); said.startsWith("a")', true],
    ['pageWords(fact).replace(/a$/, "")', true],
    ['(pageWords(fact) ?? "").slice(1)', true],
    ['const said = isHeld ? pageWords(fact) : null; if (said === last) stop()', true],
    ['const say = (fact) => "a" + pageWords(fact); say(fact).includes("a")', true],
    ['function say(fact) { return pageWords(fact).trim(); } const said = say(fact); pattern.test(said)', true],
    ['pageWords(one) === pageWords(other)', true],
    ['switch (await pageWords(fact)) { case "a": }', true],
    ['seen.has(pageWords(fact))', true],
    ['new Map(known).get(pageWords(fact))', true],
    ['known.indexOf(pageWords(fact))', true],
    ['meanings[pageWords(fact)]', true],
    ['endWords[end].includes("a")', true],
    ['endWords.paid(fact).includes("a")', true],
    ['const said = pageWords(fact); write(`a`, said.length, said.toUpperCase())', false],
    ['const pageWords = (fact) => fact.code; pageWords(fact).startsWith("a")', false],
    ['pageWords(fact) === "code"', false],
    ['endWords.list.slice(1)', false],
    // A phrase is a part of a sentence.
    ['row.text.startsWith("Looks like")', true],
    ['said.startsWith("Held:")', true],
    ['/^Looks/.test(said)', true],
    ['/account changed by/i.test(said)', true],
    [String.raw`said.match(/^Payment (\S+) bears/)`, true],
    [String.raw`said.split(/not\s+sent/)`, true],
    ['new RegExp("account changed")', true],
    ['const mark = "copied to a"; home.startsWith(mark)', true],
    ['held === "Account changed"', true],
    ['reason !== "Account changed"', true],
    ['switch (said) { case "Account changed": }', true],
    ['new Set(["The account changed"]).has(said)', true],
    ['new Map([["The account changed", 1]])', true],
    ['["The account changed"].indexOf(said)', true],
    ["sql(`SELECT id FROM payout WHERE reason LIKE 'Account changed:%'`)", true],
    ["sql(`SELECT id FROM payout WHERE reason GLOB '*changed by*'`)", true],
    ["sql(`SELECT id FROM payout WHERE instr(reason, 'Account changed') > 0`)", true],
    ["sql(`SELECT id FROM payout WHERE reason = 'Account changed by the payee'`)", true],
    ["sql(`SELECT id FROM payout WHERE state = 'in doubt' AND name LIKE ?`)", false],
    ["sql(`SELECT CASE WHEN id = 1 THEN 'may be paid' ELSE 'not to be sent' END FROM payout`)", false],
    ['word === "not sent" || word === "in doubt"', false],
    ['["not sent", "in doubt"].includes(word)', false],
    ['key === "Enter"', false],
    [String.raw`/^(?:kes|zar|pay|paid)\b/.test(text)`, false],
    [String.raw`/^application\/json(?:; ?charset=utf-8)?$/i.test(type)`, false],
  ])('facts inside: %s reads words: %s', (code, isFound) => {
    const imported = "import { endWords, pageWords } from '../messages/words.ts';";
    const text = code.startsWith('const pageWords') ? code : `${imported}\n${code}`;
    expect(wordsRead(parsed(text), 'console/a.ts').length > 0).toBe(isFound);
  });

  it('facts inside: sheets are read, and their readers do not read words from messages', () => {
    const count = (code: string) => wordsRead(parsed(code), 'sheet/a.ts').length;
    expect(count('/^Total amount/.test(text)')).toBe(0);
    expect(count("import { pageWords } from '../messages/words.ts'; /a/.test(pageWords(fact))")).toBe(1);
  });

  it('facts inside: tests compare codes and facts, and test/messages compares the sentences', () => {
    const names = globSync('**/*.{ts,tsx}', { cwd: tests }).filter((name) => !ownWords.test(name));
    const read = names.map((name) => ({ name, nodes: parsed(readFileSync(join(tests, name), 'utf8'), name) }));
    const prose = comparedTexts(read).filter(({ text }) => isProse(text));
    const found = new Map<string, number>();
    for (const { file } of prose) found.set(roomOf(file) || file, (found.get(roomOf(file) || file) ?? 0) + 1);
    expectAtMost(found, exceptions.comparedSentences, 'compared sentences: compare codes and facts');
  });

  it.each([
    ['expect(out).toBe(S)', true],
    ['expect(out).toContain("a " + S)', true],
    ['expect(out === S).toBe(true)', true],
    ['expect(out.split(S)).toHaveLength(2)', true],
    ['expect(out.replace(S, "")).toBe("")', true],
    ['expect([S].indexOf(out)).toBe(0)', true],
    ['assert.equal(out, S)', true],
    ['if (out !== S) throw fault', true],
    ['out.lastIndexOf(S)', true],
    ['said.has(S)', true],
    ['new Set([S]).has(out)', true],
    ['switch (out) { case S: }', true],
    ['console.log(S); expect(out).toBe(S)', true],
    ['const expected = S; expect(out).toBe(expected)', true],
    ['console.log(S); it(S, () => run())', false],
    ['run(S); expect(out).toBe(S)', false],
    ['expect(out, S).toBe(1)', false],
  ])('facts inside: %s compares a text: %s', (code, isFound) => {
    const nodes = parsed(code.replaceAll(/\bS\b/g, '"The batch is paid."'));
    const texts = comparedTexts([{ name: 'a.test.ts', nodes }]).map(({ text }) => text);
    expect(texts.some(isProse), texts.join()).toBe(isFound);
  });

  it.each([
    ['The batch was not sent.', true],
    ['nothing was sent', true],
    ['stopped at the console by Ada', true],
    ['not sent', false],
    ['State Bank of India, Bank of China', false],
    ['Upper Karoo Windmill Works', false],
    ['error NAME_CHARACTERS name 2 → Thandi', false],
    ['ZAR row 100,000, batch 2,000,000; BTC:sat day 0', false],
  ])('facts inside: %s is prose: %s', (text, isFound) => {
    expect(isProse(text)).toBe(isFound);
  });

  it('no comment opens with a relative clause', () => {
    const opening = /^(Of|What|Who|Whoever|Whose|Whether|Whom|As|Those|Which|Where|With|Without)\b/;
    expectNone(inComments(opening), 'such comments');
  });

  it('no comment and no sentence uses words of the old style', () => {
    const old =
      /\b(told|whoever|anew|otherwise|by now|in vain|mend(s|ed)?|hand(s|ed|ing)? (it |them |that )?in|tak(es?|en) in|lets? go|(go(es|ne)?|went) on with|of before|once more|the ways? on|(is|was|were) made( \S+)? by|looked for|became of)\b/i;
    expectNone(inComments(old), 'such comments');
    const found = countIn(
      files.filter((one) => !one.startsWith('console/page/')),
      (file) => sentencesIn(nodesIn(file), file).filter((text) => old.test(text)).length,
    );
    expectNone(found, 'such sentences');
  });

  it('no comment cites a document that is not in the repository', () => {
    const absent =
      /\b(design|traps|survival|first-design) [A-Z]?\d|\b(of|in) the design\b|\bplan of survival\b|\btraps [A-Z]\b/;
    expectNone(inComments(absent), 'such comments');
    const citing = globSync('**/*.{ts,tsx}', { cwd: tests }).filter((file) =>
      commentsOf(readFileSync(join(tests, file), 'utf8')).some((line) => absent.test(line)),
    );
    expect(citing.map((file) => `test/${file}: write the reason itself`)).toEqual([]);
  });
});
