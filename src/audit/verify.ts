/** Audits a ledger: checks the trail's hash chain, replays the trail, and compares the outcome with the ledger. */
import { sha256 } from '../base/digest.ts';
import { destinationKey } from '../domain/accounts/merchant.ts';
import { rowOfContent } from '../domain/rows/digest.ts';
import { tagOf } from '../domain/rows/tag.ts';
import { hashBatch, hashSheet, momentHash, shortHash, wantedHash } from './bulk.ts';
import { genesis, link, readEntry } from './chain.ts';
import type { AuditRules, Evidence, EvidenceBatch, EvidenceRow, TrailLine } from './evidence.ts';
import type { FindingList } from './findings.ts';
import type { TrailPlan } from './plans.ts';
import { createReplay, type Replay } from './replay.ts';
import { checkContent, placeOf } from './row-content.ts';
import type { Story } from './story.ts';

export interface TrailFacts {
  readonly entries: number;
  readonly hash: string;
}

export function followTrail(lines: Iterable<TrailLine>, findings: FindingList, replay: Replay | null): TrailFacts {
  let hash = genesis;
  let entries = 0;
  for (const line of lines) {
    entries += 1;
    const where = { entry: line.seq };
    if (line.seq !== entries) {
      findings.add(where, 'unlinked', 'number', entries, line.seq);
      entries = line.seq;
    }
    const expected = link(hash, line.text);
    if (expected !== line.hash) findings.add(where, 'unlinked', 'hash', expected, line.hash);
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

export interface Audited extends TrailFacts {
  readonly rows: number;
  readonly replay: Replay;
  readonly totals: readonly AuditTotal[];
}

export interface AuditTotal {
  readonly batch: string;
  readonly currency: string;
  readonly unit: string;
  readonly from: string | null;
  readonly status: string;
  readonly rows: number;
  readonly amount: bigint;
}

export function auditLedger(
  evidence: Evidence,
  rules: AuditRules,
  findings: FindingList,
  exported: Iterable<TrailLine> | null = null,
): Audited {
  for (const { code, what } of evidence.faults()) findings.add({}, code, what);
  const replay = createReplay(rules, findings);
  for (const row of evidence.rows()) replay.know(row.id, row.batch, row.key);
  const facts = followTrail(exported ?? evidence.trail(), findings, replay);
  if (exported !== null) compareHeads(evidence, facts, findings);
  const batches = new Map(Array.from(evidence.batches(), (batch) => [batch.name, batch]));
  const sums = createSums(rules);
  const sheets = createSheetDigests();
  let rows = 0;
  for (const row of evidence.rows()) {
    rows += 1;
    checkContent(row, findings);
    checkStory(row, replay, batches.get(row.batch), findings);
    sums.add(row);
    sheets.add(row);
  }
  replay.reportMissing();
  checkSheets(evidence, batches, replay, sheets, findings);
  checkImports(evidence, batches, replay, findings);
  checkMerchants(evidence, replay, findings);
  checkDocuments(evidence, replay, findings);
  checkEarlier(evidence, batches, replay, findings);
  checkGone(evidence, replay, findings);
  checkCopies(evidence, replay, findings);
  checkSelf(evidence, replay, findings);
  for (const { payout } of evidence.strayContents()) findings.add({}, 'unexpected', `row content ${payout}`);
  return { ...facts, rows, replay, totals: sums.end() };
}

function compareHeads(evidence: Evidence, facts: TrailFacts, findings: FindingList): void {
  let entries = 0;
  let hash = genesis;
  for (const line of evidence.trail()) {
    entries = line.seq;
    hash = line.hash;
  }
  if (entries !== facts.entries)
    findings.add({ entry: facts.entries }, 'unlike-ledger', 'entry count', entries, facts.entries);
  else if (hash !== facts.hash) findings.add({ entry: entries }, 'unlike-ledger', 'last hash', hash, facts.hash);
}

function checkStory(row: EvidenceRow, replay: Replay, batch: EvidenceBatch | undefined, findings: FindingList): void {
  const where = placeOf(row);
  const story = replay.story(row.batch, row.key);
  if (story === null || !story.isImported) {
    findings.add(where, 'not-in-trail', 'import');
    return;
  }
  const place = story.lastEntry === 0 ? where : { ...where, entry: story.lastEntry };
  const compare = (column: string, agrees: boolean, expected: unknown, found: unknown) => {
    if (!agrees) findings.add({ ...place, column }, 'unlike-trail', column, expected, found);
  };
  compare('state', story.states.includes(row.state), story.states.join(' or '), row.state);
  compare('payment_id', row.paymentId === story.paymentId, story.paymentId, row.paymentId);
  const paidAmount = story.paidAmount === row.amount ? null : story.paidAmount;
  compare('paid_amount', row.paidAmount === paidAmount, paidAmount, row.paidAmount);
  compare('payment_status', row.paymentStatus === story.paymentStatus, story.paymentStatus, row.paymentStatus);
  compare('revision', row.revision === story.revision, story.revision, row.revision);
  compare('attempts', row.attempts === story.attempts, story.attempts, row.attempts);
  compare('reason', story.reasons.includes(row.reason), story.reasons.join(' or '), row.reason);
  compare('missed', row.missed === story.missed, story.missed, row.missed);
  compare('allowed', row.allowed === story.allowed, story.allowed, row.allowed);
  compare('released', row.released === story.released, story.released, row.released);
  compare('evidence', row.evidence === story.evidence, story.evidence, row.evidence);
  compare('closed', row.closed === story.closed, story.closed, row.closed);
  compare('submitted_at', row.submittedAt === story.submittedAt, story.submittedAt, row.submittedAt);
  compare('accepted_at', row.acceptedAt === story.acceptedAt, story.acceptedAt, row.acceptedAt);
  compare('settled_at', row.settledAt === story.settledAt, story.settledAt, row.settledAt);
  const answer = row.serviceDetails === null ? null : shortHash(row.serviceDetails);
  compare('serviceDetails', answer === story.answerHash, story.answerHash, answer);
  checkMerchantOf(row, story, replay, compare);
  const scope = batch?.tagScope ?? '';
  const tag = tagOf(scope, row.batch, row.key, row.revision);
  compare('tag', row.tag === tag, tag, row.tag);
  const { intent } = story;
  if (intent !== null) {
    compare('amount', intent.amount === row.amount, intent.amount, row.amount);
    if (intent.revision === row.revision) compare('tag', intent.tag === row.tag, intent.tag, row.tag);
  }
  const moment = row.sentMoment === null ? null : momentHash(row.sentMoment);
  compare('sent_moment', moment === story.moment, story.moment, moment);
}

/** A sent row must have the merchant that the trail names. An unsent row can have any merchant of its destination. */
function checkMerchantOf(
  row: EvidenceRow,
  story: Story,
  replay: Replay,
  compare: (column: string, agrees: boolean, expected: unknown, found: unknown) => void,
): void {
  const { merchantId, states } = story;
  if (merchantId !== null && !states.includes('ready') && !states.includes('planned')) {
    compare('merchant_id', row.merchantId === merchantId, merchantId, row.merchantId);
    return;
  }
  const known = replay.merchantIds(row.destination);
  const agrees = row.merchantId === null ? !states.includes('ready') || states.length > 1 : known.has(row.merchantId);
  compare('merchant_id', agrees, [...known].join(' or '), row.merchantId);
}

function createSums({ wordOf }: AuditRules) {
  const sums = new Map<string, { -readonly [K in keyof AuditTotal]: AuditTotal[K] }>();
  return {
    add({ batch, currency, unit, fromCountry, state, closed, amount, paidAmount }: EvidenceRow): void {
      if (state === 'invalid') return;
      const status = wordOf(state, closed);
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
function createSheetDigests() {
  const digests = new Map<number, string[]>();
  return {
    add({ sheet, digest, state }: EvidenceRow): void {
      if (state === 'invalid') return;
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
  evidence: Evidence,
  batches: ReadonlyMap<string, EvidenceBatch>,
  replay: Replay,
  rowsOf: ReturnType<typeof createSheetDigests>,
  findings: FindingList,
): void {
  const sheets = new Map(Array.from(evidence.sheets(), (sheet) => [sheet.id, sheet]));
  for (const batch of batches.values()) {
    const where = { batch: batch.name };
    const trail = replay.batch(batch.name);
    if (trail === null) {
      findings.add(where, 'not-in-trail', 'batch');
      continue;
    }
    const place = { ...where, entry: trail.entry };
    const sheet = sheets.get(batch.sheet);
    if (trail.sheet !== batch.sheet) findings.add(place, 'unlike-trail', 'sheet', trail.sheet, batch.sheet);
    if (sheet === undefined || sheet.batch !== batch.name) {
      findings.add(place, 'missing', 'sheet', batch.sheet, sheet?.id);
      continue;
    }
    const given = rowsOf.of(batch.sheet);
    const compare = (what: string, expected: unknown, found: unknown) => {
      if (expected !== found) findings.add(place, 'unlike-trail', what, expected, found);
    };
    compare('sheet name', trail.name, sheet.name);
    compare('sheet digest', trail.digest, sheet.digest);
    compare('digest of rows', trail.digest, given.digest);
    compare('row count', trail.rows, given.rows);
    compare('stored row count', trail.rows, sheet.rowCount);
    compare('invalid row count', trail.invalid, sheet.invalid);
    if (trail.identity !== null) compare('identity', trail.identity, batch.identity);
    if (trail.service !== null) compare('service', trail.service, batch.service);
    const plan = planOfSheet(sheet.options);
    const ran = replay.plansOf(batch.name).at(-1)?.plan ?? null;
    compare('plan', ran?.digest ?? null, plan?.digest ?? null);
    const approvals = (from: TrailPlan | null) => JSON.stringify(from?.approvals ?? []);
    compare('approvals', approvals(ran), approvals(plan));
    compare('earliest sending time', trail.quietUntil, batch.quietUntil);
    compare('list scan time', trail.listedAt, batch.listedAt);
  }
  for (const name of replay.batches()) if (!batches.has(name)) findings.add({ batch: name }, 'missing', 'batch');
  const read = new Map(Array.from(sheets.values(), (sheet) => [sheet.id, hashSheet(sheet)]));
  for (const { sheet, number, payout, problems } of evidence.invalid()) {
    const hash = read.get(sheet);
    if (hash === undefined) findings.add({ number }, 'unexpected', `invalid row (sheet ${sheet})`);
    else hash.invalid(number, payout, problems);
  }
  for (const sheet of sheets.values()) {
    const trail = replay.sheet(sheet.id);
    const place = { batch: sheet.batch, ...(trail === null ? {} : { entry: trail.entry }) };
    const found = read.get(sheet.id)?.end();
    if (trail?.batch !== sheet.batch || trail.digest !== sheet.digest || trail.rows !== sheet.rowCount)
      findings.add(place, 'unlike-trail', `sheet ${sheet.id}`, trail?.digest, sheet.digest);
    else if (trail.read !== null && trail.read !== found)
      findings.add(place, 'unlike-trail', `reading of sheet ${sheet.id}`, trail.read, found);
  }
}

function planOfSheet(options: string): TrailPlan | null {
  try {
    const { plan } = JSON.parse(options) as { plan?: TrailPlan };
    const approvals = plan?.approvals.map(({ approver, fingerprint, at }) => ({ approver, fingerprint, at }));
    return plan === undefined ? null : { digest: plan.digest, approvals: approvals ?? [] };
  } catch {
    // Adds no finding for damaged options, because `checkSheets` compares their hash.
    return null;
  }
}

/** Compares each batch with the hash of its newest import, which covers keys, numbers, contents and documents. */
function checkImports(
  evidence: Evidence,
  batches: ReadonlyMap<string, EvidenceBatch>,
  replay: Replay,
  findings: FindingList,
): void {
  const hashes = new Map<string, ReturnType<typeof hashBatch>>();
  const byRow = new Map<number, ReturnType<typeof hashBatch>>();
  for (const { name, tagScope, createdAt, repeatReason, listedSince } of batches.values()) {
    const trail = replay.batch(name);
    if (typeof trail?.imported === 'string')
      hashes.set(name, hashBatch(name, tagScope, createdAt, repeatReason, listedSince));
  }
  if (hashes.size === 0) return;
  for (const row of evidence.rows()) {
    const hash = hashes.get(row.batch);
    if (hash === undefined) continue;
    hash.row(row);
    byRow.set(row.id, hash);
  }
  for (const document of evidence.documents()) byRow.get(document.payout)?.document(document);
  for (const [name, hash] of hashes) {
    const trail = replay.batch(name);
    const found = hash.end();
    if (trail !== null && trail.imported !== found)
      findings.add({ batch: name, entry: trail.entry }, 'unlike-trail', 'imported content', trail.imported, found);
  }
}

function checkMerchants(evidence: Evidence, replay: Replay, findings: FindingList): void {
  const merchants = [...evidence.merchants()];
  const identities = new Set(merchants.map(({ identity }) => identity)).size;
  for (const merchant of merchants) {
    const trail = replay.merchant(merchant.destination);
    const where = { merchant: merchant.destination, ...(trail === null ? {} : { entry: trail.entry }) };
    const say = (what: string, expected: unknown, found: unknown) =>
      findings.add(where, 'unlike-trail', what, expected, found);
    if (!replay.hadIdentity(merchant.identity)) say('identity', undefined, merchant.identity);
    try {
      const content = rowOfContent(merchant.content, 0);
      const key = destinationKey(content.destination);
      if (key !== merchant.destination) say('content', merchant.destination, key);
      if (content.destination.country !== merchant.country)
        say('country', content.destination.country, merchant.country);
    } catch (error) {
      say('content', undefined, String(error));
    }
    const content = replay.merchantContent(merchant.identity, merchant.destination);
    const found = wantedHash(merchant.content, merchant.number);
    if (content !== found) say('content', content, found);
    // Merchant entries name no identity (service and API key). With several identities, any trail state can be right.
    const states = trail === null ? ['wanted'] : identities > 1 ? trail.everStates : trail.states;
    if (!states.includes(merchant.state)) say('state', states.join(' or '), merchant.state);
    if (identities > 1) {
      if (merchant.merchantId !== null && !replay.merchantIds(merchant.destination).has(merchant.merchantId))
        say('id', [...replay.merchantIds(merchant.destination)].join(' or '), merchant.merchantId);
      continue;
    }
    if (merchant.merchantId !== (trail?.merchantId ?? null)) say('id', trail?.merchantId ?? null, merchant.merchantId);
    if (merchant.reason !== (trail?.reason ?? null)) say('reason', trail?.reason ?? null, merchant.reason);
  }
  const kept = new Set(merchants.flatMap((one) => [`${one.identity}\n${one.destination}`, one.destination]));
  for (const [identity, destination] of replay.allMerchants())
    if (!kept.has(identity === null ? destination : `${identity}\n${destination}`))
      findings.add({ merchant: destination }, 'missing', 'merchant');
}

function checkDocuments(evidence: Evidence, replay: Replay, findings: FindingList): void {
  for (const document of evidence.documents()) {
    const trail = replay.document(document.payout, document.name);
    const known = replay.rowOf(document.payout);
    const where = { ...known, document: document.name, ...(trail === null ? {} : { entry: trail.entry }) };
    const say = (what: string, expected: unknown, found: unknown) =>
      findings.add(where, 'unlike-trail', what, expected, found);
    if (known === null) say('row', undefined, document.payout);
    const states = trail?.states ?? ['due'];
    const reasons = trail?.reasons ?? [null];
    const ids = trail?.documentIds ?? [null];
    if (!states.includes(document.state)) say('state', states.join(' or '), document.state);
    if (!reasons.includes(document.reason)) say('reason', reasons.join(' or '), document.reason);
    if (!ids.includes(document.documentId)) say('id', ids.join(' or '), document.documentId);
    if (trail !== null && trail.sha256 !== null && trail.sha256 !== document.sha256)
      say('hash', trail.sha256, document.sha256);
  }
}

function checkEarlier(
  evidence: Evidence,
  batches: ReadonlyMap<string, EvidenceBatch>,
  replay: Replay,
  findings: FindingList,
): void {
  const expected = new Map(
    Array.from(replay.earlier(), ({ id, batch, key, revision, paymentId }) => [
      tagOf(batches.get(batch)?.tagScope ?? '', batch, key, revision),
      JSON.stringify([id, revision, paymentId]),
    ]),
  );
  for (const { tag, payout, revision, paymentId } of evidence.earlier()) {
    const trail = expected.get(tag);
    expected.delete(tag);
    const found = JSON.stringify([payout, revision, paymentId]);
    if (trail !== found) findings.add({}, 'unlike-trail', `earlier tag ${tag}`, trail, found);
  }
  for (const [tag, trail] of expected) findings.add({}, 'missing', `earlier tag ${tag}`, trail, null);
}

function checkCopies(evidence: Evidence, replay: Replay, findings: FindingList): void {
  const expected = new Map(replay.copies());
  for (const { payout, copy, known } of evidence.copies()) {
    const pair = `${payout} ${copy}`;
    const trail = expected.get(pair);
    expected.delete(pair);
    if (trail?.known !== known) findings.add({}, 'unlike-trail', `copy ${pair}`, trail, { known });
  }
  for (const [pair, trail] of expected) findings.add({}, 'missing', `copy ${pair}`, trail, null);
}

/** Checks the lost payments: a person declared that these payments are missing from the service's list. */
function checkGone(evidence: Evidence, replay: Replay, findings: FindingList): void {
  const expected = new Map(replay.gone());
  for (const { paymentId, reason, at } of evidence.gone()) {
    const trail = expected.get(paymentId);
    expected.delete(paymentId);
    if (trail?.reason !== reason || trail.since !== at)
      findings.add({}, 'unlike-trail', `lost payment ${paymentId}`, trail, { reason, at });
  }
  for (const [paymentId, { reason }] of expected)
    findings.add({}, 'missing', `lost payment ${paymentId}`, reason, null);
}

/** The ledger's id selects the witness file. The ledger's path shows whether the ledger is a copy. */
function checkSelf(evidence: Evidence, replay: Replay, findings: FindingList): void {
  const trail = replay.self();
  const [self, ...others] = evidence.self();
  const place = trail === null ? {} : { entry: trail.entry };
  if (self === undefined || others.length > 0) {
    findings.add(place, 'unreadable', 'ledger id');
    return;
  }
  if (trail !== null && trail.id !== self.id) findings.add(place, 'unlike-trail', 'ledger id', trail.id, self.id);
  const path = trail?.path ?? null;
  if (path !== self.path) findings.add(place, 'unlike-trail', 'ledger path', path, self.path);
}
