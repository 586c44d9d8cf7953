/** Lists the points at which a run can die, and the passings of each at which the tests kill it. */
import type { SceneName } from './scenes.ts';

export interface Kill {
  readonly at: string;
  readonly scene?: SceneName;
  /** The passings that every test run dies at; the long campaign takes all of 1, 2, 3, 7 and the last. */
  readonly gate: readonly number[];
}

export interface Point {
  readonly id: string;
  readonly what: string;
  readonly kills: readonly Kill[];
  /** A test of its own, beside this table. */
  readonly own?: true;
  /** What has to be built before a run can die there. */
  readonly awaits?: string;
}

const kill = (at: string, gate: number[] = [], scene?: SceneName): Kill => ({
  at,
  gate,
  ...(scene === undefined ? {} : { scene }),
});
const verdict: SceneName = 'a person lets absent rows go';
const retried: SceneName = 'a refused row is retried';
const found: SceneName = 'two answers are lost';
const lost: SceneName = 'a pass has missed two payments';
const resend: SceneName = 'a pass has missed a payment that may be sent again';

export const points: readonly Point[] = [
  {
    id: 'C1',
    what: 'before the input is copied',
    kills: [kill('before copy of copy', [1]), kill('before fsync of copy')],
  },
  { id: 'C2', what: 'inside the import', kills: [kill('before commit of import', [1])] },
  {
    id: 'C3',
    what: 'after the import',
    kills: [kill('after commit of import', [1]), kill('before commit of ready'), kill('after commit of ready')],
  },
  { id: 'C4', what: 'before the intent is committed', kills: [kill('before commit of intent', [2])] },
  {
    id: 'C5',
    what: 'after the intent, before its bytes',
    kills: [kill('after commit of intent', [3]), kill('before POST /payments')],
  },
  { id: 'C6', what: 'while the bytes leave', kills: [kill('half POST /payments', [7])] },
  {
    id: 'C7',
    what: 'while the service makes the payment',
    kills: [kill('after POST /payments', [2], 'payments are made late')],
  },
  { id: 'C8', what: 'the answer comes to nobody', kills: [kill('after POST /payments', [7])] },
  {
    id: 'C9',
    what: 'the answer is there, and not yet committed',
    kills: [kill('answer to POST /payments'), kill('before commit of accepted', [2])],
  },
  { id: 'C10', what: 'after the answer is committed', kills: [kill('after commit of accepted', [3])] },
  {
    id: 'C11',
    what: 'after a refusal, or a "not now", is committed',
    kills: [
      kill('after commit of refused', [1], 'a payment is refused'),
      kill('after commit of not sent', [], 'the service is busy'),
    ],
  },
  {
    id: 'C12',
    what: 'between the two tries around a new token',
    kills: [
      kill('before POST /token', [2], 'no token of before is good any more'),
      kill('answer to POST /token', [], 'no token of before is good any more'),
      kill('before commit of intent', [], 'no token of before is good any more'),
    ],
  },
  {
    id: 'C13',
    what: 'while the first token is fetched',
    kills: [kill('before POST /token'), kill('after POST /token', [1]), kill('answer to POST /token')],
  },
  {
    id: 'C14',
    what: 'a merchant is made, and its id not kept',
    kills: [
      kill('after commit of merchant intent'),
      kill('after POST /merchants', [2]),
      kill('answer to POST /merchants'),
      kill('before commit of merchant known'),
    ],
  },
  {
    id: 'C15',
    what: 'in the middle of a pass',
    kills: [kill('answer to GET /payments', [2], found), kill('after GET /payments', [], found)],
  },
  {
    id: 'C16',
    what: 'found, and not yet committed',
    kills: [kill('before commit of found', [1], found), kill('after commit of found', [], found)],
  },
  { id: 'C17', what: 'not found, and not yet committed', kills: [kill('before commit of absent', [1], lost)] },
  {
    id: 'C18',
    what: 'after an absent row is ready again',
    kills: [
      kill('after commit of released', [1], resend),
      kill('before POST /payments', [], resend),
      kill('after POST /payments', [], resend),
    ],
  },
  {
    id: 'C19',
    what: "around a person's verdict",
    kills: [kill('before commit of released', [1], verdict), kill('after commit of released', [], verdict)],
  },
  {
    id: 'C20',
    what: 'a document was sent, and its answer lost',
    kills: [
      kill('after commit of upload intent'),
      kill('half POST /payments/:id/document'),
      kill('after POST /payments/:id/document', [1]),
      kill('answer to POST /payments/:id/document'),
      kill('before commit of attached'),
    ],
  },
  { id: 'C21', what: 'a webhook was received, and not yet committed', kills: [], awaits: 'receiving webhooks' },
  {
    id: 'C22',
    what: 'half a result is written',
    kills: [kill('half write of result', [2]), kill('before fsync of result')],
  },
  {
    id: 'C23',
    what: 'around the renaming of the result',
    kills: [kill('before rename of result', [1]), kill('after rename of result'), kill('before fsync of folder')],
  },
  {
    id: 'C24',
    what: 'half way through making a ledger',
    kills: [kill('before commit of new ledger', [1]), kill('after commit of new ledger')],
  },
  { id: 'C25', what: 'the ledger is lost, or restored from an old copy', kills: [], own: true },
  { id: 'C26', what: 'the end of the log never came to the disk', kills: [], own: true },
  {
    id: 'retry',
    what: 'around a row that is retried',
    kills: [
      kill('before commit of retried', [1], retried),
      kill('after commit of retried', [], retried),
      kill('after POST /payments', [], retried),
    ],
  },
];
