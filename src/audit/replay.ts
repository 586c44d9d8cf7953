/** Replays the trail: computes from its entries the state that each row should have. */
import { because, type StoredReasons } from '../domain/sending/reason.ts';
import { readSpans } from './bulk.ts';
import type { TrailEntry } from './chain.ts';
import { isMove } from './evidence.ts';
import type { FindingList, FindingPlace } from './findings.ts';
import { createPlans, text } from './plans.ts';
import { newStory, type Story } from './story.ts';

/** `data`: what the trail stores about the sheet. `loose` counts lines with mistakes and without a row in the ledger. */
interface ReplayedSheet extends Pick<TrailEntry, 'batch' | 'data'> {
  readonly entry: number;
}

interface ReplayedBatch {
  sheet: ReplayedSheet;
  identity: string | null;
  service: string | null;
  quietUntil: number | null;
  listedAt: number | null;
}

interface ReplayedMerchant {
  entry: number;
  states: string[];
  everStates: string[];
  merchantId: string | null;
  ids: ReadonlySet<string>;
  reason: StoredReasons | null;
}

interface ReplayedDocument {
  entry: number;
  states: string[];
  reasons: (StoredReasons | null)[];
  documentIds: (string | null)[];
  /** The document's hash; null if a later sheet could have replaced the file. */
  sha256: string | null;
}

export type Replay = ReturnType<typeof createReplay>;

const uploadEnded = because({ kind: 'upload-ended' });

const placeOf = ({ batch, key }: Story): FindingPlace => ({ batch, row: key });

const earlierOf = ({ id, batch, key, revision, paymentId }: Story) => ({ id, batch, key, revision, paymentId });

const storedReason = (reason: unknown) => (reason == null ? null : (JSON.stringify(reason) as StoredReasons));

export function createReplay(findings: FindingList) {
  const stories = new Map<string, Story>();
  const storiesById = new Map<number, Story>();
  const batches = new Map<string, ReplayedBatch>();
  const sheets = new Map<number, ReplayedSheet>();
  const plans = createPlans();
  const merchants = new Map<string, ReplayedMerchant>();
  const merchantContents = new Map<string, string | null>();
  const documents = new Map<string, ReplayedDocument>();
  const earlier: ReturnType<typeof earlierOf>[] = [];
  const copies = new Map<string, { readonly known: string | null }>();
  const gone = new Map<string, { readonly reason: string | null; readonly at: number }>();
  let self: { readonly entry: number; readonly id: string | null; readonly home: string } | null = null;
  const identities = new Set<string>();
  const missing = new Set<number>();
  let rowsKnown = false;

  const nameOf = (batch: string | null, key: string) => `${batch}\n${key}`;
  /** Adds a row of the ledger. Without a ledger, the replay knows rows only by their keys. */
  function know(id: number, batch: string, key: string): void {
    rowsKnown = true;
    const story = newStory(id, batch, key);
    stories.set(nameOf(batch, key), story);
    storiesById.set(id, story);
  }

  /** Entries about many rows name no keys. So a row can be planned or ready before an entry names the row's key. */
  function storyOf(batch: string | null, key: string): Story {
    const name = nameOf(batch, key);
    let story = stories.get(name);
    if (story === undefined) {
      story = newStory(null, String(batch), key);
      story.isImported = !rowsKnown;
      story.states = ['planned', 'ready'];
      stories.set(name, story);
    }
    return story;
  }

  const ofBatch = (batch: string | null) => stories.values().filter((story) => story.batch === String(batch));

  /** Returns the rows that an entry names by their ids. Null without a ledger, or if the list of ids is damaged. */
  function listedStories(seq: number, { ids }: TrailEntry['data']): Story[] | null {
    const spans = typeof ids === 'string' ? readSpans(ids) : null;
    if (spans === null) findings.add({ entry: seq }, 'missing', 'list-of-rows');
    if (spans === null || !rowsKnown) return null;
    const listed: Story[] = [];
    for (const [first, last] of spans)
      for (let id = first; id <= last; id += 1) {
        const story = storiesById.get(id);
        if (story !== undefined) listed.push(story);
        // Stops here, because a damaged list of ids can name billions of rows.
        else if (missing.add(id).size > 10_000) return listed;
      }
    return listed;
  }

  function takeSheet(seq: number, { batch, data }: TrailEntry): void {
    const before = batches.get(String(batch));
    const identity = text(data.identity) ?? before?.identity ?? null;
    const service = text(data.service) ?? before?.service ?? null;
    const sheet = { entry: seq, batch, data };
    batches.set(String(batch), { quietUntil: null, listedAt: null, ...before, sheet, identity, service });
    if (identity !== null) identities.add(identity);
    sheets.set(Number(data.sheet), sheet);
    const listed = listedStories(seq, data);
    for (const story of listed ?? ofBatch(batch).filter(({ isImported }) => !isImported)) {
      if (story.isImported) findings.add({ ...placeOf(story), entry: seq }, 'twice', 'import');
      story.isImported = true;
      story.states = ['planned'];
    }
    // Sheets can remove an unsent document and add it again. So each new sheet adds `due` to the possible states.
    for (const [name, document] of documents) {
      const story = storiesById.get(Number(name.slice(0, name.indexOf('\n'))));
      if (story?.batch !== batch || !document.states.some((state) => state === 'due' || state === 'missing')) continue;
      document.states = [...new Set([...document.states, 'due'])];
      document.reasons = [...document.reasons, null];
      document.documentIds = [...document.documentIds, null];
      document.sha256 = null;
    }
  }

  function takeMany(seq: number, { batch, data }: TrailEntry): void {
    const from = String(data.from);
    const to = String(data.to);
    if (!isMove(from, to)) findings.add({ entry: seq }, 'impossible', 'move', undefined, `${from} -> ${to}`);
    const listed = listedStories(seq, data);
    if (listed === null) {
      for (const story of ofBatch(batch)) {
        if (!story.states.includes(from)) continue;
        story.states = [...new Set([...story.states, to])];
        story.reasons = [...new Set([...story.reasons, null])];
      }
      return;
    }
    for (const story of listed) {
      findings.compare({ ...placeOf(story), entry: seq }, 'unlike-trail', 'earlier-state', story.states, from);
      story.states = [to];
      if (to === 'ready') story.reasons = [null];
      story.lastEntry = seq;
    }
    findings.compare({ entry: seq }, 'unlike-trail', 'row-count', [data.rows], listed.length);
  }

  function takeMove(seq: number, entry: TrailEntry, story: Story): void {
    const { data, at } = entry;
    const from = String(data.from);
    const to = String(data.to);
    const place = { entry: seq, ...placeOf(story) };
    findings.compare(place, 'unlike-trail', 'earlier-state', story.states, from);
    if (!isMove(from, to)) findings.add(place, 'impossible', 'move', undefined, `${from} -> ${to}`);
    story.states = [to];
    if (to === 'sending') {
      story.attempts += 1;
      story.submittedAt = at;
      story.moment = text(data.moment);
      const { tag, merchantId, amount } = data;
      if (typeof tag === 'string' && typeof merchantId === 'string' && typeof amount === 'number')
        story.intent = { tag, merchantId, amount, revision: story.revision };
    }
    if (to === 'accepted') story.acceptedAt = at;
    if (['succeeded', 'expired', 'duplicate_paid'].includes(to)) story.settledAt = at;
    // A row with a mistake loses its content, and all decisions about that content.
    if (to === 'invalid')
      Object.assign(story, { merchantId: null, intent: null, missed: null, allowed: null, answerHash: null });
    if (to === 'planned' && data.earlier !== undefined) correct(entry, story);
    else takeFacts(entry, story);
  }

  function correct(entry: TrailEntry, story: Story): void {
    const revision = Number(entry.data.revision);
    if (revision > story.revision) earlier.push(earlierOf(story));
    Object.assign(story, {
      revision,
      paymentId: null,
      paidAmount: null,
      paymentStatus: null,
      answerHash: null,
      settledAt: null,
      reasons: [null],
      missed: null,
      intent: null,
      merchantId: null,
      // A decision about other money does not count for the corrected content.
      ...(entry.data.change === 'corrected' ? { allowed: text(entry.data.allowed) } : {}),
    });
    for (const name of documents.keys()) if (name.startsWith(`${story.id}\n`)) documents.delete(name);
  }

  function takeFacts(entry: TrailEntry, story: Story): void {
    const { what, data } = entry;
    if (typeof data.revision === 'number' && data.revision !== story.revision) {
      earlier.push(earlierOf(story));
      story.revision = data.revision;
    }
    story.merchantId = text(data.merchantId) ?? story.merchantId;
    if ('paymentId' in data) {
      story.paymentId = text(data.paymentId);
      story.paidAmount = typeof data.paidAmount === 'number' ? data.paidAmount : null;
    } else if (data.to === 'expired') story.paidAmount = null;
    if ('paymentStatus' in data) story.paymentStatus = text(data.paymentStatus);
    story.allowed = text(data.allowed) ?? story.allowed;
    story.released = text(data.released) ?? story.released;
    story.evidence = storedReason(data.evidence) ?? story.evidence;
    if ('closed' in data) story.closed = text(data.closed);
    story.answerHash = text(data.serviceDetails) ?? story.answerHash;
    if (typeof data.submittedAt === 'number') story.submittedAt = data.submittedAt;
    // An intent clears `reason` and `missed`, unless its entry gives new ones.
    const isIntent = what === 'move' && data.to === 'sending';
    if ('reason' in data || isIntent) story.reasons = [storedReason(data.reason)];
    if ('missed' in data || isIntent) story.missed = text(data.missed);
  }

  function takeMerchant(seq: number, { data }: TrailEntry): void {
    const destination = String(data.destination);
    const to = String(data.to);
    const before = merchants.get(destination);
    const merchantId = text(data.merchantId);
    const ids = new Set(before?.ids);
    if (merchantId !== null) ids.add(merchantId);
    merchants.set(destination, {
      entry: seq,
      // A refused merchant can also be `wanted`, because the next batch with this merchant tries to create it.
      states: to === 'refused' ? [to, 'wanted'] : [to],
      everStates: [...new Set([...(before?.everStates ?? ['wanted', 'in_doubt']), to])],
      merchantId,
      ids,
      reason: storedReason(data.reason),
    });
  }

  function takeWanted({ data }: TrailEntry): void {
    for (const [destination, content] of Object.entries(data.contents ?? {}))
      merchantContents.set(nameOf(text(data.identity), destination), text(content));
  }

  function takeDocument(seq: number, { data }: TrailEntry, story: Story): void {
    const name = `${story.id}\n${String(data.name)}`;
    const before = documents.get(name);
    documents.set(name, {
      entry: seq,
      states: [String(data.to)],
      reasons: [storedReason(data.reason)],
      documentIds: text(data.documentId) === null ? (before?.documentIds ?? [null]) : [text(data.documentId)],
      sha256: text(data.sha256),
    });
  }

  function takeSelf(seq: number, { data }: TrailEntry): void {
    const id = text(data.ledger);
    if (id === null) return;
    if (self !== null && self.id !== id) findings.add({ entry: seq }, 'unlike-trail', 'ledger-id', self.id, id);
    self = { entry: seq, id, home: JSON.stringify(data.home) };
  }

  /** Marks merchants and documents as in doubt if a crashed run was sending them. */
  function takeRecovered(seq: number): void {
    for (const merchant of merchants.values())
      if (merchant.states.includes('creating')) Object.assign(merchant, { entry: seq, states: ['in_doubt'] });
    for (const document of documents.values())
      if (document.states.includes('uploading'))
        Object.assign(document, { entry: seq, states: ['in_doubt'], reasons: [uploadEnded] });
  }

  function takeCopies({ data }: TrailEntry, { id }: Story): void {
    const found = Array.isArray(data.copies) ? (data.copies as readonly { id?: unknown }[]) : [];
    for (const copy of found) copies.set(`${id} ${Number(copy.id)}`, { known: null });
    for (const pair of Array.isArray(data.pairs) ? (data.pairs as readonly unknown[]) : [])
      if (Array.isArray(pair)) copies.set(pair.join(' '), { known: text(data.why) });
  }

  return {
    know,
    take(seq: number, entry: TrailEntry, payout: number | null | undefined): void {
      const { what, batch, row, data } = entry;
      plans.take(entry);
      if (row === null || row === undefined) {
        if (payout != null) findings.add({ entry: seq }, 'unexpected', 'row-id', null, payout);
        if (what === 'sheet') takeSheet(seq, entry);
        else if (what === 'move') takeMany(seq, entry);
        else if (what === 'wanted') takeWanted(entry);
        else if (what === 'merchant') takeMerchant(seq, entry);
        else if (what === 'recovered') takeRecovered(seq);
        else if (what === 'gone') {
          gone.set(String(data.paymentId), { reason: text(data.reason) ?? null, at: entry.at });
        } else if (what === 'home') takeSelf(seq, entry);
        else if (what === 'listed' && batch === null) for (const one of batches.values()) one.listedAt = null;
        else if (what === 'bound' || what === 'quiet' || what === 'listed') {
          const trail = batches.get(String(batch));
          if (trail === undefined) return;
          if (what === 'quiet') trail.quietUntil = Number(data.until);
          else if (what === 'listed') trail.listedAt = Number(data.at);
          else {
            identities.add(String(data.identity));
            Object.assign(trail, { identity: text(data.identity), service: text(data.service) });
          }
        }
        return;
      }
      const story = storyOf(batch, row);
      if (payout !== undefined && rowsKnown && payout !== story.id)
        findings.add({ entry: seq, ...placeOf(story) }, 'unlike-ledger', 'row-id', story.id, payout);
      story.lastEntry = seq;
      if (what === 'move') takeMove(seq, entry, story);
      else if (what === 'note') {
        takeFacts(entry, story);
        takeCopies(entry, story);
      } else if (what === 'document') takeDocument(seq, entry, story);
    },
    story: (batch: string, key: string) => stories.get(nameOf(batch, key)) ?? null,
    /** Returns the rows that `know` added, then other rows in the order of their first entries. */
    stories: () => stories.values(),
    rowOf(id: number): FindingPlace | null {
      const story = storiesById.get(id);
      return story === undefined ? null : placeOf(story);
    },
    batches: () => batches.keys(),
    batch: (name: string): Readonly<ReplayedBatch> | null => batches.get(name) ?? null,
    plansOf: plans.of,
    sheet: (id: number) => sheets.get(id) ?? null,
    hadIdentity: (identity: string) => identities.has(identity),
    merchant: (destination: string): Readonly<ReplayedMerchant> | null => merchants.get(destination) ?? null,
    merchantContent: (identity: string, destination: string) =>
      merchantContents.get(nameOf(identity, destination)) ?? null,
    /** Yields each merchant. The identity (service and API key) is null if an entry names only the destination. */
    *allMerchants(): Iterable<readonly [identity: string | null, destination: string]> {
      for (const name of merchantContents.keys()) {
        const cut = name.indexOf('\n');
        yield [name.slice(0, cut), name.slice(cut + 1)];
      }
      for (const destination of merchants.keys()) yield [null, destination];
    },
    /** `path`: where the ledger last sent payments; null if it never sent. */
    self: () => self,
    document: (payout: number, name: string): Readonly<ReplayedDocument> | null =>
      documents.get(`${payout}\n${name}`) ?? null,
    gone: (): typeof gone => gone,
    /** Each key has two row ids, such as `12 15`: a row and its possible copy. */
    copies: (): ReadonlyMap<string, { readonly known: string | null }> => copies,
    earlier: (): readonly ReturnType<typeof earlierOf>[] => earlier,
    reportMissing(): void {
      for (const id of missing) findings.add({ id }, 'missing', 'row');
      for (const story of stories.values())
        if (story.id === null) findings.add({ ...placeOf(story), entry: story.lastEntry }, 'missing', 'row');
    },
  };
}
