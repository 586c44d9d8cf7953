/** Keeps the language of the house (docs/contributing/style.md): where sentences stand, what reads them, and their words. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/args/command-line.ts';
import { wordOf } from '../../src/cli/args/command-table.ts';
import { comparedTexts } from '../compared-texts.ts';
import * as exceptions from '../house-exceptions.ts';
import { choosesPlural, joinsList } from './plurals.ts';
import { isProse, sentencesIn } from './sentences.ts';
import { cases, codeOf, countIn, expectAtMost, files, nodesIn, roomOf } from './source.ts';
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
  /^(messages|golden|corpus|house|independent|kill|model|simulation|campaign|fuzz|systemd)\/|^console\/page\/golden|^(docs\.test|house\.test|compared-texts|long)\.ts$/;

/** True for code that writes a number, a date or a list for people. */
const formats = (node: Node): boolean =>
  node.type === 'MemberExpression' &&
  (/^toLocale\w*String$/.test(nameOf(node)) ||
    (nameOf(node.object) === 'Intl' && /Format$|^PluralRules$/.test(nameOf(node)))) &&
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

  it('facts inside: numbers, dates, plurals and lists become words in messages alone', () => {
    // The ledger reads a flag as 1, and the embedded service writes the words of another program.
    const others = files.filter((file) => !/^(messages|ledger|service)\//.test(file));
    const find = (file: string) => nodesIn(file).filter((one) => formats(one) || choosesPlural(one) || joinsList(one));
    expectAtMost(
      countIn(others, (file) => find(file).length),
      exceptions.oneAsFlag,
      'formats: take counted, oneOrMany, named or joined of messages/format/numbers.ts',
    );
  });

  it('facts inside: a printed command takes the program from `typed`', () => {
    const named = new RegExp(`\\bpayrun (?:(?:${Object.keys(commands).map(wordOf).join('|')})\\b|$)`);
    const texts = (file: string) =>
      nodesIn(file).map(({ type, value }) =>
        type === 'TemplateElement' ? (value as { raw: string }).raw : type === 'Literal' ? String(value) : '',
      );
    const found = countIn(
      files.filter((file) => /^(app|cli|console|messages|pipeline|sheet|watch|workers)\//.test(file)),
      (file) => texts(file).filter((text) => named.test(text)).length,
    );
    expectAtMost(found, exceptions.leavingTexts, 'commands with a fixed program: write typed(…)');
  });

  it('facts inside: nothing reads a message, a reason or a note', () => {
    const found = countIn(files, (file) => wordsRead(nodesIn(file), file).length);
    expectAtMost(found, exceptions.wordsRead, 'places that read a sentence: compare facts');
  });

  it.each(cases`
      "The batch was not sent."   "The batch" + " was not" + " sent."   "The batch " + name + " was not sent."
      ["The batch", name, "was not sent."].join(" ")   isSent ? "The batch was sent." : "nothing"
      "The batch was not sent | ask the approver | then run it again"
      "The batch was not sent|ask the approver|then run it again"   "Wait for it AND send it IN order"
      "Wait for the approver, and look IN (the folder) of the batch"   "SELECT one of the batches"
      throw new Error("The batch was not sent by anybody in this house.")
    Harmless:
      throw new Error("The batch was not sent.")   "state = ? AND closed IS NULL ORDER BY id"
      "SELECT id, name FROM batch WHERE name LIKE ?"   isSent ? "was sent" : "was not"
      ["not sent", "in doubt"].includes(word)   "632005|Absa Bank|Amalgamated Banks of South Africa"
  `)('facts inside: %s is a sentence: %s', (code, isFound) => {
    const found = sentencesIn(parsed(code), 'ledger/a.ts');
    expect(found.length > 0, found.join()).toBe(isFound);
  });

  it('facts inside: SQL is a sentence in a file without a database', () => {
    expect(sentencesIn(parsed('"SELECT id, name FROM batch WHERE name LIKE ?"'), 'app/a.ts')).toHaveLength(1);
  });

  it.each(cases`
      new Date(at).toLocaleString("en-GB")   count.toLocaleString()   new Intl.NumberFormat("en")
      Intl.DateTimeFormat().format(at)   new Intl.ListFormat("en").format(names)   new Intl.PluralRules("en")
    Harmless:
      Intl.supportedValuesOf("currency")   Intl.DateTimeFormat().resolvedOptions().timeZone
      new Intl.DisplayNames(["en"], { type: "currency" })
  `)('facts inside: %s makes words: %s', (code, isFound) => {
    expect(parsed(code).some(formats)).toBe(isFound);
  });

  it.each(cases`
      rows === 1 ? "is" : "are"   rows !== 1 ? "s" : ""   1 === rows.length ? "it" : "them"   rows > 1 ? "rows" : "row"
      rows < 2 ? "row" : "rows"   rows >= 2 ? "rows" : "row"   rows === 1 && isShown ? "it" : "them"
      const one = rows === 1; write(one ? "is" : "are")   const { is } = rows === 1 ? { is: "is" } : { is: "are" };
      const [it, they] = rows === 1 ? ["it", "it"] : ["them", "they"]   "row" + (rows === 1 ? "" : "s")
      rows === 1 ? "it" : isShort ? "all" : "all of them"   rows === 1 ? <b>it</b> : <b>them</b>
      names.join(" and ")   names.join(", or ")
    Harmless:
      rows === 1 ? row : rows   rows === 0 ? "none" : "some"   paid > 1 ? "paid_twice" : "paid"   one.same === 1 ? "BATCH_REPEATED" : "TOTALS_REPEATED"
      rows.length === 1 ? rows[0] : null   rows === 1 ? "it" : name   rows === 1 ? <Row /> : <Rows />
      states.length === 1 ? "state = ?" : "state IN (?, ?)"   oneOrMany(rows, "is", "are")   names.join(", ")
  `)('facts inside: %s writes a plural or a list: %s', (code, isFound) => {
    expect(parsed(code, 'code.tsx').some((node) => choosesPlural(node) || joinsList(node))).toBe(isFound);
  });

  it.each(cases`
      message.replaceAll("a", "")   error.message?.split(separator)   words.endsWith(end)
      problem.message.includes(value)   note!.lastIndexOf(mark)   why.match(/^a/)
      reason.toLowerCase().includes(sought)   "not sent".includes(message)
      const pattern = /a/; pattern.test(message)   const read = ({ message: text }) => pattern.exec(text)
      function read(error) { const { reason: text = "" } = error; return text.search(/a/); }
      const text = error.message; text.startsWith("a")   one.message === other.message
      if (words !== last) write(words)   switch (message) { case "a": }   seen.has(error.message)
      const said = pageWords(fact); said.startsWith("a")   pageWords(fact).replace(/a$/, "")
      next[0].command.startsWith("payrun")   step.command.includes("--retry")   one.command === "payrun resume"
      next.some(({ command }) => command?.includes("--retry"))   const { command: text } = next; text.startsWith("payrun")
      (pageWords(fact) ?? "").slice(1)   const said = isHeld ? pageWords(fact) : null; if (said === last) stop()
      const say = (fact) => "a" + pageWords(fact); say(fact).includes("a")
      function say(fact) { return pageWords(fact).trim(); } const said = say(fact); pattern.test(said)
      pageWords(one) === pageWords(other)   switch (await pageWords(fact)) { case "a": }   seen.has(pageWords(fact))
      new Map(known).get(pageWords(fact))   known.indexOf(pageWords(fact))   meanings[pageWords(fact)]
      endWords[end].includes("a")   endWords.paid(fact).includes("a")   row.text.startsWith("Looks like")
      said.startsWith("Held:")   /^Looks/.test(said)   /account changed by/i.test(said)
      said.match(/^Payment (\S+) bears/)   said.split(/not\s+sent/)   new RegExp("account changed")
      const mark = "copied to a"; home.startsWith(mark)   held === "Account changed"   reason !== "Account changed"
      switch (said) { case "Account changed": }   new Set(["The account changed"]).has(said)
      new Map([["The account changed", 1]])   ["The account changed"].indexOf(said)
      sql("SELECT id FROM payout WHERE reason LIKE 'Account changed:%'")
      sql("SELECT id FROM payout WHERE reason GLOB '*changed by*'")
      sql("SELECT id FROM payout WHERE instr(reason, 'Account changed') > 0")
      sql("SELECT id FROM payout WHERE reason = 'Account changed by the payee'")
    Harmless:
      switch (error.reason) { case "code": }   codes.has(row.reason)
      message === null || message === "" || message !== undefined   reason === "code" || row.reason !== reason
      text.replaceAll("a", "")   messages.slice(1)
      const read = ({ message: text }) => write(text); const cut = (text) => text.slice(1)   unitWords.test(text)
      const said = pageWords(fact); write(said.length, said.toUpperCase())
      const pageWords = (fact) => fact.code; pageWords(fact).startsWith("a")   pageWords(fact) === "code"
      endWords.list.slice(1)   sql("SELECT id FROM payout WHERE state = 'in doubt' AND name LIKE ?")
      sql("SELECT CASE WHEN id = 1 THEN 'may be paid' ELSE 'not to be sent' END FROM payout")
      word === "not sent" || word === "in doubt"   ["not sent", "in doubt"].includes(word)   key === "Enter"
      /^(?:kes|zar|pay|paid)\b/.test(text)   /^application\/json(?:; ?charset=utf-8)?$/i.test(type)
  `)('facts inside: %s reads words: %s', (code, isFound) => {
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

  it.each(cases`
      expect(out).toBe(S)   expect(out).toContain("a " + S)   expect(out === S).toBe(true)
      expect(out.split(S)).toHaveLength(2)   expect(out.replace(S, "")).toBe("")   expect([S].indexOf(out)).toBe(0)
      assert.equal(out, S)   if (out !== S) throw fault   out.lastIndexOf(S)   said.has(S)   new Set([S]).has(out)
      switch (out) { case S: }   console.log(S); expect(out).toBe(S)   const expected = S; expect(out).toBe(expected)
    Harmless:
      console.log(S); it(S, () => run())   run(S); expect(out).toBe(S)   expect(out, S).toBe(1)
  `)('facts inside: %s compares a text: %s', (code, isFound) => {
    const nodes = parsed(code.replaceAll(/\bS\b/g, '"The batch is paid."'));
    const texts = comparedTexts([{ name: 'a.test.ts', nodes }]).map(({ text }) => text);
    expect(texts.some(isProse), texts.join()).toBe(isFound);
  });

  it.each(cases`
      The batch was not sent.   nothing was sent   stopped at the console by Ada
    Harmless:
      not sent   State Bank of India, Bank of China   Upper Karoo Windmill Works
      error NAME_CHARACTERS name 2 → Thandi   ZAR row 100,000, batch 2,000,000; BTC:sat day 0
  `)('facts inside: %s is prose: %s', (text, isFound) => {
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
