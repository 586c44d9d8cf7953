/** Audits a ledger: checks the trail's hash chain, replays the trail, and compares the outcome with the ledger. */
import { sha256 } from '../base/digest.ts';
import { columnOf, type Each, given, wordsIn } from '../base/words.ts';
import { destinationKey } from '../domain/accounts/merchant.ts';
import { rowOfContent } from '../domain/rows/digest.ts';
import { tagOf } from '../domain/rows/tag.ts';
import { hashBatch, hashSheet, momentHash, shortHash, wantedHash } from './bulk.ts';
import { genesis, link, readEntry } from './chain.ts';
import { type Evidence, type EvidenceBatch, type EvidenceRow, statusOf, type TrailLine } from './evidence.ts';
import type { FindingList, FindingPlace, FindingSubject } from './findings.ts';
import { createReplay, type Replay } from './replay.ts';
import { checkContent, placeOf } from './row-content.ts';
import type { Story } from './story.ts';

/** Returns the number of entries, and the hash of the last entry. */
export function followTrail(lines: Iterable<TrailLine>, findings: FindingList, replay: Replay | null) {
  let hash = genesis;
  let entries = 0;
  for (const line of lines) {
    entries += 1;
    const where = { entry: line.seq };
    findings.compare(where, 'unlinked', 'number', [entries], line.seq);
    entries = line.seq;
    findings.compare(where, 'unlinked', 'hash', [link(hash, line.text)], line.hash);
    // Continues from the stored hash, so that one break in the chain is only one finding.
    hash = line.hash;
    let entry: ReturnType<typeof readEntry>;
    try {
      entry = readEntry(line.text);
    } catch (error) {
      findings.add(where, 'unreadable', 'entry', undefined, String(error));
      continue;
    }
    replay?.take(line.seq, entry, line.payout);
  }
  return { entries, hash };
}

export interface AuditTotal extends Each<'batch currency unit status', string> {
  readonly from: string | null;
  readonly rows: number;
  readonly amount: bigint;
}

export function auditLedger(evidence: Evidence, findings: FindingList, exported: Iterable<TrailLine> | null = null) {
  for (const { where, code, what, found } of evidence.faults()) findings.add(where, code, what, undefined, found);
  const replay = createReplay(findings);
  for (const row of evidence.rows()) replay.know(row.id, row.batch, row.key);
  const facts = followTrail(exported ?? evidence.trail(), findings, replay);
  if (exported !== null) compareHeads(evidence, facts, findings);
  const batches = new Map(Array.from(evidence.batches(), (batch) => [batch.name, batch]));
  const sums = createSums();
  const sheets = createSheetDigests(evidence);
  let rows = 0;
  for (const row of evidence.rows()) {
    rows += 1;
    checkContent(row, findings);
    checkStory(row, replay, findings);
    sums.add(row);
    sheets.add(row);
  }
  replay.reportMissing();
  const check = { evidence, batches, replay, findings };
  checkSheets(check, sheets);
  checkImports(check);
  checkMerchants(check);
  checkDocuments(check);
  checkTables(check);
  checkSelf(check);
  for (const { payout } of evidence.strayContents()) findings.add({ id: payout }, 'unexpected', 'row-content');
  return { ...facts, rows, replay, totals: sums.end() };
}

interface Check {
  readonly evidence: Evidence;
  readonly batches: ReadonlyMap<string, EvidenceBatch>;
  readonly replay: Replay;
  readonly findings: FindingList;
}

function compareHeads(evidence: Evidence, facts: ReturnType<typeof followTrail>, findings: FindingList): void {
  let entries = 0;
  let hash = genesis;
  for (const line of evidence.trail()) {
    entries = line.seq;
    hash = line.hash;
  }
  const where = { entry: facts.entries };
  if (entries !== facts.entries) findings.add(where, 'unlike-ledger', 'entry-count', entries, facts.entries);
  else findings.compare(where, 'unlike-ledger', 'last-hash', [hash], facts.hash);
}

function checkStory(row: EvidenceRow, replay: Replay, findings: FindingList): void {
  const where = placeOf(row);
  const story = replay.story(row.batch, row.key);
  if (story === null || !story.isImported) {
    findings.add(where, 'not-in-trail', 'import');
    return;
  }
  const place = story.lastEntry === 0 ? where : { ...where, entry: story.lastEntry };
  const compare = (field: string, possible: readonly unknown[], found: unknown) => {
    const column = columnOf(field);
    findings.compare({ ...place, column }, 'unlike-trail', 'value', possible, found);
  };
  for (const field of singleFields) compare(field, [story[field]], row[field]);
  compare('state', story.states, row.state);
  compare('reason', story.reasons, row.reason);
  compare('paidAmount', [story.paidAmount === row.amount ? null : story.paidAmount], row.paidAmount);
  compare('serviceDetails', [story.answerHash], row.serviceDetails === null ? null : shortHash(row.serviceDetails));
  compare('sentMoment', [story.moment], row.sentMoment === null ? null : momentHash(row.sentMoment));
  compare('merchantId', possibleMerchants(row, story, replay), row.merchantId);
  compare('tag', [tagOf(row.batch, row.key, row.revision)], row.tag);
  const { intent } = story;
  if (intent === null) return;
  compare('amount', [intent.amount], row.amount);
  if (intent.revision === row.revision) compare('tag', [intent.tag], row.tag);
}

/** The columns that have exactly one value after the trail's entries about the row. */
const singleFields = wordsIn(
  'paymentId paymentStatus revision attempts missed allowed released evidence closed submittedAt acceptedAt settledAt',
);

/** A sent row must have the merchant that the trail names. An unsent row can have any merchant of its destination. */
function possibleMerchants(
  { destination }: EvidenceRow,
  { merchantId, states }: Story,
  replay: Replay,
): readonly (string | null)[] {
  const isReady = states.includes('ready');
  if (merchantId !== null && !isReady && !states.includes('planned')) return [merchantId];
  const known = [...(replay.merchant(destination)?.ids ?? [])];
  return isReady && states.length === 1 ? known : [null, ...known];
}

function createSums() {
  const sums = new Map<string, { -readonly [K in keyof AuditTotal]: AuditTotal[K] }>();
  return {
    add({ batch, currency, unit, fromCountry, state, closed, amount, paidAmount }: EvidenceRow): void {
      if (state === 'invalid') return;
      const status = statusOf(state, closed);
      const key = JSON.stringify([batch, currency, unit, fromCountry, status]);
      const sum = sums.get(key) ?? { batch, currency, unit, from: fromCountry, status, rows: 0, amount: 0n };
      sum.rows += 1;
      sum.amount += BigInt(paidAmount ?? amount);
      sums.set(key, sum);
    },
    end: (): AuditTotal[] => [...sums.keys()].sort().map((key) => sums.get(key) as AuditTotal),
  };
}

/** A sheet's digest is the hash of the sorted digests of its rows without mistakes. */
function createSheetDigests(evidence: Evidence) {
  const digests = new Map<number, string[]>();
  const mistaken = new Set(Array.from(evidence.invalid(), ({ sheet, payout }) => `${sheet} ${payout}`));
  return {
    add({ id, sheet, digest }: EvidenceRow): void {
      if (mistaken.has(`${sheet} ${id}`)) return;
      const list = digests.get(sheet);
      if (list === undefined) digests.set(sheet, [digest]);
      else list.push(digest);
    },
    of(sheet: number): { rows: number; digest: string } {
      const list = digests.get(sheet) ?? [];
      return { rows: list.length, digest: sha256(list.sort().join('')) };
    },
  };
}

function checkSheets(
  { evidence, batches, replay, findings }: Check,
  rowsOf: ReturnType<typeof createSheetDigests>,
): void {
  const sheets = new Map(Array.from(evidence.sheets(), (sheet) => [sheet.id, { sheet, hash: hashSheet(sheet) }]));
  for (const batch of batches.values()) {
    const trail = replay.batch(batch.name);
    if (trail === null) {
      findings.add({ batch: batch.name }, 'not-in-trail', 'batch');
      continue;
    }
    const { entry, data } = trail.sheet;
    const found = rowsOf.of(batch.sheet);
    const compare = findings.unlikeTrail({ batch: batch.name, entry });
    compare('sheet', [data.sheet], batch.sheet);
    compare('digest-of-rows', [data.digest], found.digest);
    compare('row-count', [data.rows], found.rows);
    if (trail.identity !== null) compare('identity', [trail.identity], batch.identity);
    if (trail.service !== null) compare('service', [trail.service], batch.service);
    compare('earliest-sending-time', [trail.quietUntil], batch.quietUntil);
    compare('list-scan-time', [trail.listedAt], batch.listedAt);
    if (sheets.get(batch.sheet)?.sheet.batch !== batch.name)
      findings.add({ batch: batch.name, entry }, 'missing', 'sheet', batch.sheet);
  }
  for (const name of replay.batches()) if (!batches.has(name)) findings.add({ batch: name }, 'missing', 'batch');
  for (const { sheet, number, payout, problems } of evidence.invalid()) {
    const hash = sheets.get(sheet)?.hash;
    if (hash === undefined) findings.add({ sheetId: sheet, number }, 'unexpected', 'invalid-row');
    else hash.invalid(number, payout, problems);
  }
  for (const { sheet, hash } of sheets.values()) {
    const trail = replay.sheet(sheet.id);
    const place = { batch: sheet.batch, sheetId: sheet.id, ...given({ entry: trail?.entry }) };
    if (trail?.batch !== sheet.batch || trail.data.digest !== sheet.digest || trail.data.rows !== sheet.rowCount)
      findings.add(place, 'unlike-trail', 'sheet', trail?.data.digest, sheet.digest);
    // The hash also covers the sheet's name, its mistakes, and its plan with the approvals.
    else findings.compare(place, 'unlike-trail', 'reading', [trail.data.read], hash.end());
  }
}

/** Compares each batch with the hash of its newest import, which covers keys, numbers, contents and documents. */
function checkImports({ evidence, batches, replay, findings }: Check): void {
  const hashes = new Map<string, ReturnType<typeof hashBatch>>();
  const byRow = new Map<number, ReturnType<typeof hashBatch>>();
  for (const batch of batches.values()) hashes.set(batch.name, hashBatch(batch));
  for (const row of evidence.rows()) {
    const hash = hashes.get(row.batch);
    if (hash === undefined) continue;
    hash.row(row);
    byRow.set(row.id, hash);
  }
  for (const document of evidence.documents()) byRow.get(document.payout)?.document(document);
  for (const [name, hash] of hashes) {
    const trail = replay.batch(name)?.sheet;
    if (trail === undefined) continue;
    const place = { batch: name, entry: trail.entry };
    findings.compare(place, 'unlike-trail', 'imported-content', [trail.data.imported], hash.end());
  }
}

function checkMerchants({ evidence, replay, findings }: Check): void {
  const merchants = [...evidence.merchants()];
  const identities = new Set(merchants.map(({ identity }) => identity)).size;
  for (const merchant of merchants) {
    const trail = replay.merchant(merchant.destination);
    const compare = findings.unlikeTrail({ merchant: merchant.destination, ...given({ entry: trail?.entry }) });
    if (!replay.hadIdentity(merchant.identity)) compare('identity', [], merchant.identity);
    try {
      const { destination } = rowOfContent(merchant.content, 0);
      compare('content', [merchant.destination], destinationKey(destination));
      compare('country', [destination.country], merchant.country);
    } catch (error) {
      compare('content', [], String(error));
    }
    const content = replay.merchantContent(merchant.identity, merchant.destination);
    compare('content', [content], wantedHash(merchant.content, merchant.number));
    // Merchant entries name no identity (service and API key). With several identities, any trail state can be right.
    if (identities > 1) {
      compare('state', trail?.everStates ?? ['wanted'], merchant.state);
      compare('id', [null, ...(trail?.ids ?? [])], merchant.merchantId);
    } else {
      compare('state', trail?.states ?? ['wanted'], merchant.state);
      compare('id', [trail?.merchantId ?? null], merchant.merchantId);
      compare('reason', [trail?.reason ?? null], merchant.reason);
    }
  }
  const kept = new Set(merchants.flatMap((one) => [`${one.identity}\n${one.destination}`, one.destination]));
  for (const [identity, destination] of replay.allMerchants())
    if (!kept.has(identity === null ? destination : `${identity}\n${destination}`))
      findings.add({ merchant: destination }, 'missing', 'merchant');
}

function checkDocuments({ evidence, replay, findings }: Check): void {
  for (const document of evidence.documents()) {
    const trail = replay.document(document.payout, document.name);
    const known = replay.rowOf(document.payout);
    const compare = findings.unlikeTrail({ ...known, document: document.name, ...given({ entry: trail?.entry }) });
    if (known === null) compare('row', [], document.payout);
    compare('state', trail?.states ?? ['due'], document.state);
    compare('reason', trail?.reasons ?? [null], document.reason);
    compare('id', trail?.documentIds ?? [null], document.documentId);
    compare('hash', [trail?.sha256 ?? document.sha256], document.sha256);
  }
}

/** Checks the tables of earlier tags, of lost payments that a person declared, and of rows with possible copies. */
function checkTables({ evidence, replay, findings }: Check): void {
  type Listed = Iterable<readonly [key: string, values: object]>;
  const compare = (what: FindingSubject, place: (key: string) => FindingPlace, trail: Listed, ledger: Listed) => {
    const expected = new Map(trail);
    for (const [key, values] of ledger) {
      const possible = [JSON.stringify(expected.get(key))];
      findings.compare(place(key), 'unlike-trail', what, possible, JSON.stringify(values));
      expected.delete(key);
    }
    for (const [key, values] of expected) findings.add(place(key), 'missing', what, values, null);
  };
  compare(
    'earlier-tag',
    (tag) => ({ tag }),
    replay
      .earlier()
      .map(({ id: payout, batch, key, revision, paymentId }) => [
        tagOf(batch, key, revision),
        { payout, revision, paymentId },
      ]),
    Array.from(evidence.earlier(), ({ tag, payout, revision, paymentId }) => [tag, { payout, revision, paymentId }]),
  );
  compare(
    'lost-payment',
    (payment) => ({ payment }),
    replay.gone(),
    Array.from(evidence.gone(), ({ paymentId, reason, at }) => [paymentId, { reason, at }]),
  );
  compare(
    'copy',
    (pair) => ({ pair }),
    replay.copies(),
    Array.from(evidence.copies(), ({ payout, copy, known }) => [`${payout} ${copy}`, { known }]),
  );
}

/** The ledger's id selects the witness file. The ledger's home shows whether the ledger is a copy. */
function checkSelf({ evidence, replay, findings }: Check): void {
  const trail = replay.self();
  const [self, ...others] = evidence.self();
  const place = given({ entry: trail?.entry });
  if (self === undefined || others.length > 0) {
    findings.add(place, 'unreadable', 'ledger-id');
    return;
  }
  const compare = findings.unlikeTrail(place);
  compare('ledger-id', [trail?.id ?? self.id], self.id);
  compare('ledger-home', [trail?.home ?? null], self.home);
}
