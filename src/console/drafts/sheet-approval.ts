/** Shows approvers the review of a sheet's plan, and stores their signatures and declines. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { approvePlan } from '../../app/approve-plan.ts';
import { endProposal, whyNotEndPlan } from '../../app/end-proposal.ts';
import { type PlanEnding, whyNotApprove } from '../../approval/approval.ts';
import { isoTime } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import type { Note } from '../../domain/note.ts';
import type { UploadRecord } from '../../ledger/ledger.ts';
import { readerZone } from '../../messages/format/times.ts';
import { noteOnPage } from '../../messages/notes.ts';
import { beyondWords } from '../../messages/refusals/control-refusals.ts';
import { messageOf, messageOfError, type PageMessage, pageWords } from '../../messages/web/messages.ts';
import { openPolicy } from '../../pipeline/plans/approved.ts';
import type { Requests, Review } from '../api.ts';
import type { Reader } from '../batches/reading.ts';
import type { Reviewed } from '../batches/review.ts';
import { actorFor, eyesOf, Refused, refused, refusedBy, seenBy, type Who } from '../http/route.ts';
import { doing, factsOf, isWaiting, type PlanFacts, type SheetOrder, type SheetRecords } from './sheet-records.ts';

const isOfSeries = ({ note }: Note) => note === 'series-first' || note === 'series-compared';
const endings: { readonly [R in Who['role']]?: PlanEnding } = { approver: 'plan-declined', preparer: 'plan-withdrawn' };

export type Approval = ReturnType<typeof openApproval>;

interface Kept {
  readonly key: string;
  readonly review: Promise<Reviewed>;
}

export function openApproval(order: SheetOrder, records: SheetRecords, reader: Reader) {
  const { clock } = order;
  const { uploads, holds } = order.ledger;
  const { get } = records;
  /** The reviews of each upload, by their reader's eyes and time zone. */
  const reviews = new Map<string, Map<string, Kept>>();
  const forget = (id: string): void => void reviews.delete(id);
  /** Rises when rows were sent, because other plans of the day may then need more approvals. */
  let sendings = 0;

  function planFacts(record: UploadRecord, digest?: string): PlanFacts {
    const { plan: facts } = factsOf(record);
    if (facts === null) throw refused(409, 'PLAN_MISSING');
    if (digest !== undefined && facts.digest !== digest) throw new PayrunError('PLAN_MOVED', {});
    return facts;
  }

  /** Keeps the review until something that it depends on changes. Throws if the plan's file changed. */
  async function reviewed(
    record: UploadRecord,
    eyes = eyesOf(null),
    { path, digest, retry }: Pick<PlanFacts, 'path' | 'digest' | 'retry'> = planFacts(record),
  ): Promise<Reviewed> {
    const policy = order.policy();
    const key = JSON.stringify([
      digest,
      sendings,
      statSync(dirname(path)).mtimeMs,
      statSync(policy, { throwIfNoEntry: false })?.mtimeMs,
    ]);
    const own = reviews.get(record.id) ?? new Map<string, Kept>();
    reviews.set(record.id, own);
    const name = JSON.stringify([eyes.masked, readerZone()]);
    const kept = own.get(name);
    if (kept?.key === key) return await kept.review;
    const review = reader.ask('review', { path, policy, now: clock.now(), retry, eyes }).then((read) => {
      if (read.digest === digest) return read;
      throw refusedBy({ code: 'PLAN_MOVED', facts: {} });
    });
    own.set(name, { key, review });
    review.catch(() => own.get(name)?.review === review && own.delete(name));
    return await review;
  }

  function whyNot(record: UploadRecord, person: Who, { approvals }: Pick<Reviewed, 'approvals'>): PageMessage | null {
    if (person.role !== 'approver') return messageOf('APPROVER_NEEDED');
    const makers = uploads.makersOf(planFacts(record).request.batch, record.plan);
    return whyNotApprove(actorFor(person), makers, approvals)?.refusal ?? null;
  }

  /** Throws if the plan that the person saw no longer waits. */
  function waiting(id: string, digest: string): UploadRecord {
    const record = get(id);
    planFacts(record, digest);
    if (!isWaiting(record)) throw new PayrunError('PLAN_MOVED', {});
    return record;
  }

  const end = (ending: PlanEnding) =>
    async function endPlan(id: string, { digest, reason }: Requests['endPlan'], person: Who): Promise<void> {
      const { batch } = planFacts(get(id), digest).request;
      await endProposal(order, { batch, ending, reason, seen: digest }, actorFor(person));
      forget(id);
    };

  return {
    planFacts,
    reviewed,
    waiting,
    /** Throws if the plan has too few approvals, or if the person approved it. */
    async requirePayable(record: UploadRecord, person: Who): Promise<void> {
      await reader.ask('requirePayable', planFacts(record).path, order.policy(), actorFor(person), clock.now());
    },
    async review(id: string, person: Who): Promise<Review> {
      const record = get(id);
      const { declined, plan: facts } = factsOf(record);
      const see = <T>(of: T) => seenBy(person, of);
      const { terms, approvalNotes, ...read } = await reviewed(record, eyesOf(person));
      const said = see(facts?.notes ?? []);
      const compared = said.filter(isOfSeries);
      const isToPay = facts !== null && isWaiting(record);
      const why = whyNot(record, person, read);
      const ending = endings[person.role] ?? null;
      const paused = isToPay ? holds.pausedBy(facts.request.batch) : null;
      const no = isToPay
        ? await reader.ask('declineBefore', { batch: read.batch, rows: facts.rows, now: clock.now() })
        : null;
      return {
        ...read,
        notes: [
          ...compared,
          ...see(terms).filter(({ note }) => compared.length === 0 || note !== 'of-series'),
          ...see(approvalNotes),
        ].map((note) => ({ note: note.note, message: noteOnPage(note) })),
        // The page shows the pause that stands now.
        reading: said.filter((note) => !isOfSeries(note) && note.note !== 'paused').map(noteOnPage),
        stops: [
          ...(paused === null ? [] : [pageWords(see(messageOfError(paused)))]),
          ...see(facts?.stops ?? []).map((one) => beyondWords(one, 'page')),
        ],
        declined: see(declined),
        declinedBefore: no && { ...see(no), at: isoTime(no.at) },
        whyNot: why && pageWords(why),
        mayEnd:
          isToPay &&
          ending !== null &&
          whyNotEndPlan(
            order.ledger,
            { ...record, batch: facts.request.batch, digest: facts.digest },
            ending,
            actorFor(person),
          ) === null
            ? ending
            : null,
      };
    },
    async approve(id: string, { digest, password }: Requests['approve'], person: Who): Promise<void> {
      const record = waiting(id, digest);
      const { path, request } = planFacts(record, digest);
      const why = whyNot(record, person, await reviewed(record));
      if (why !== null) throw new Refused(403, why);
      const approver = {
        ...actorFor(person),
        async unlock() {
          const key = await order.keys.unlock(person.id, password);
          // Checks again, because the plan may have changed while the password was checked.
          waiting(id, digest);
          return key;
        },
      };
      const policy = openPolicy(order.policy());
      const { fingerprint } = await approvePlan(order, { path, seen: digest, policy }, approver);
      // If another approver declined the plan meanwhile, the plan is never paid.
      waiting(id, digest);
      const { batch } = request;
      await uploads.tell(
        doing(person, 'plan-approved', { upload: id, file: record.file, batch, plan: digest, fingerprint }, batch),
      );
      forget(id);
    },
    decline: end('plan-declined'),
    withdraw: end('plan-withdrawn'),
    /** Returns the record as `approved` if its waiting plan has the signatures that the policy asks for now. */
    async current(record: UploadRecord): Promise<UploadRecord> {
      if (!isWaiting(record) || factsOf(record).plan === null) return record;
      const isApproved = await reviewed(record).then(
        ({ approvals, needed }) => approvals.length >= needed,
        () => false,
      );
      return isApproved ? { ...record, state: 'approved' } : record;
    },
    sentMore(): void {
      sendings += 1;
    },
    forget,
  };
}
