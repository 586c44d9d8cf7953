/** The table of states as properties: whatever is asked of it, nothing leaves the table, and every state has its word. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DocumentState,
  documentMoves,
  documentStates,
  type MerchantState,
  mayMoveRow,
  merchantMoves,
  merchantStates,
  type RowState,
  rowMoves,
  rowStates,
  rowWords,
  wordOf,
} from '../../src/ledger/ledger.ts';

const state = fc.constantFrom(...rowStates);

describe('the states of a row', () => {
  it('each have a word, and every word but those of bad rows has a state', () => {
    for (const one of rowStates) expect(rowWords).toContain(wordOf[one]);
    const words = new Set(rowStates.map((one) => wordOf[one]));
    expect(rowWords.filter((word) => !words.has(word))).toEqual(['closed']);
  });

  it('have these words, one for one', () => {
    expect(wordOf).toEqual({
      invalid: 'invalid',
      planned: 'not sent',
      ready: 'not sent',
      accepted: 'pending',
      succeeded: 'paid',
      expired: 'unpaid',
      refused: 'unpaid',
      sending: 'in doubt',
      in_doubt: 'in doubt',
      absent: 'in doubt',
      withheld: 'held',
      held: 'held',
      duplicate: 'in doubt',
      duplicate_paid: 'paid twice',
    });
  });

  it('a random walk by allowed moves stays in the table', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 60 }), (choices) => {
        let at: RowState = 'planned';
        for (const choice of choices) {
          const ways: readonly RowState[] = rowMoves[at];
          const way = ways[choice % Math.max(1, ways.length)];
          if (way === undefined) return;
          expect(rowStates).toContain(way);
          at = way;
        }
      }),
    );
  });

  it('mayMoveRow is the table and nothing else', () => {
    fc.assert(
      fc.property(state, state, (from, to) => {
        expect(mayMoveRow(from, to)).toBe((rowMoves[from] as readonly RowState[]).includes(to));
      }),
    );
  });

  it('money leaves only from ready: nothing else becomes sending', () => {
    expect(rowStates.filter((from) => mayMoveRow(from, 'sending'))).toEqual(['ready']);
  });

  it('a doubt is never sent again by itself: from in_doubt and sending no short way leads to ready but "not sent"', () => {
    expect(mayMoveRow('in_doubt', 'ready')).toBe(false);
    expect(mayMoveRow('in_doubt', 'sending')).toBe(false);
    expect(mayMoveRow('in_doubt', 'planned')).toBe(false);
    expect(mayMoveRow('in_doubt', 'refused')).toBe(false);
  });

  it('what is paid stays paid, but for an alarm', () => {
    expect(rowMoves.succeeded).toEqual(['held', 'duplicate', 'duplicate_paid']);
  });

  it('an accepted row is never sent again', () => {
    for (const to of ['ready', 'planned', 'sending', 'refused', 'in_doubt', 'absent'] as const)
      expect([to, mayMoveRow('accepted', to)]).toEqual([to, false]);
  });

  it('every state can be reached from planned', () => {
    const reached = new Set<RowState>(['planned']);
    for (const one of reached) for (const to of rowMoves[one]) reached.add(to);
    expect([...rowStates].filter((one) => !reached.has(one))).toEqual([]);
  });
});

describe('merchants and documents', () => {
  it('move within their tables', () => {
    for (const [from, tos] of Object.entries(merchantMoves)) {
      expect(merchantStates).toContain(from);
      for (const to of tos) expect(merchantStates).toContain(to);
    }
    for (const [from, tos] of Object.entries(documentMoves)) {
      expect(documentStates).toContain(from);
      for (const to of tos) expect(documentStates).toContain(to);
    }
  });

  it.each<[string, MerchantState[]]>([
    ['is made', ['wanted', 'creating', 'known']],
    ['is there already', ['wanted', 'known']],
    ['is refused, and its row is corrected to one that is known', ['creating', 'refused', 'known']],
    ['is refused, and tried again', ['refused', 'wanted']],
    ['was not made, since the service was busy', ['creating', 'wanted']],
    ['lost its answer, and is found', ['creating', 'in_doubt', 'known']],
    ['lost its answer, and is not found', ['in_doubt', 'wanted']],
    ['lost its answer, and is found twice', ['in_doubt', 'held']],
    ['is found twice, until a person names one', ['wanted', 'held', 'known']],
    ['was held, and all of them are gone', ['held', 'wanted']],
    ['is known by another id than before', ['known', 'known']],
    ['is gone', ['known', 'wanted']],
    ['is known, and another like it came', ['known', 'held']],
  ])('a merchant that %s', (_title, story) => {
    for (const [at, from] of story.slice(0, -1).entries()) expect(merchantMoves[from]).toContain(story[at + 1]);
  });

  it.each<[string, DocumentState[]]>([
    ['is attached', ['due', 'uploading', 'attached']],
    ['is not in its folder, and then it is', ['due', 'missing', 'due']],
    ['vanished while it was read', ['uploading', 'missing']],
    ['was not sent, since the service was busy', ['uploading', 'due']],
    ['lost its answer, and is listed', ['uploading', 'in_doubt', 'attached']],
    ['lost its answer, and is not listed', ['in_doubt', 'due']],
  ])('a document that %s', (_title, story) => {
    for (const [at, from] of story.slice(0, -1).entries()) expect(documentMoves[from]).toContain(story[at + 1]);
  });

  it('an attached document is never sent again', () => {
    expect(documentMoves.attached).toEqual([]);
  });

  it('a merchant whose creation is in doubt is looked for before it is made again', () => {
    expect(merchantMoves.in_doubt).not.toContain('creating');
    expect(merchantStates.filter((from) => merchantMoves[from].includes('creating'))).toEqual(['wanted']);
  });
});
