/** The end of a list: the troubles are over, and a person follows each batch until nothing moves any more. */
import { wordOfRow } from '../../src/ledger/ledger.ts';
import type { Command, Place } from './commands.ts';
import type { SeenBatch } from './seen.ts';

const roundsMost = 4;

/** A person scans, releases what is absent, and resumes. Twice the horizon lies between two rounds. */
const round = (place: Place): readonly Command[] => [
  { do: 'reconcile', ...place },
  { do: 'release-absent', ...place },
  { do: 'resume', ...place },
  { do: 'wait', minutes: 25 },
];

const endHolds = ({ ledger, batch }: Place): readonly Command[] => [
  { do: 'end pause', ledger, batch, all: false },
  { do: 'end pause', ledger, batch, all: true },
  { do: 'withdraw', ledger, batch },
];

export function drainCommands(batches: readonly (Place & SeenBatch)[], rounds: number): readonly Command[] | null {
  if (rounds > 0 && !batches.some(({ rows }) => rows.some(moves))) return null;
  if (rounds === roundsMost) return null;
  return [
    ...(rounds === 0 ? ([{ do: 'settle' }, { do: 'wait', minutes: 25 * 60 }] as const) : []),
    ...(rounds === 0 ? batches.flatMap(endHolds) : []),
    ...batches.flatMap(({ ledger, batch }) => round({ ledger, batch })),
    ...batches.flatMap(({ ledger, batch, rows }) =>
      rows.filter(isLeft).map(({ key }) => ({ do: 'drop', ledger, batch, key }) as const),
    ),
  ];
}

type Row = SeenBatch['rows'][number];

/** No sheet sends an absent row that the newest one lacks, so a person drops it. */
const isLeft = ({ state, closed, isInHead }: Row) => state === 'absent' && closed === null && !isInHead;

/** A row that something other than a person's word still has to end. */
function moves(row: Row): boolean {
  const word = wordOfRow(row);
  return word === 'pending' || word === 'in doubt' || (word === 'not sent' && row.isInHead);
}

/** Returns the rows that never end. `isStopped`: an alarm or another ledger stops the batch, until a person answers. */
export const neverEnds = (
  batches: readonly (Place & SeenBatch)[],
  isStopped: (place: Place) => boolean,
): readonly string[] =>
  batches.flatMap(({ ledger, batch, rows }) =>
    rows
      .filter((row) => !isStopped({ ledger, batch }) && moves(row) && !row.state.startsWith('duplicate'))
      .map(({ key, state }) => `${batch}/${key} never ends: it is ${state}`),
  );
