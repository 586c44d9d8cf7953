/** Makes the pages of a list, and the marker (`offset`) for the next page. */
import type { Span } from '../store/store.ts';
import { type Call, HttpRefusal } from './call.ts';
import type { Secrets } from './secrets.ts';

type ListCall = Call<unknown, { limit: number; offset?: string | undefined }>;

/** All positions get this length, so that a marker's length does not show how large the position is. */
const positionLength = 16;

export function listsOf(secrets: Secrets) {
  const purposeOf = (list: string, tenantId: string) => `marker ${JSON.stringify([list, tenantId])}`;

  function positionIn(list: string, tenantId: string, marker: string): number {
    try {
      return Number(secrets.unseal(purposeOf(list, tenantId), marker));
    } catch {
      // The interface does not show the answer to an unknown `offset` (interface 4.17, 4.21). This service answers 400.
      throw new HttpRefusal(400, 'offset is not a marker of this list');
    }
  }

  return {
    /** Reads one item more than the page shows, to learn if there is a next page. */
    async page<Row extends { seq: number }>(
      list: string,
      tenantId: string,
      { query: { limit, offset } }: ListCall,
      read: (span: Span) => Promise<Row[]>,
    ): Promise<{ rows: Row[]; offsetMarker: string | null }> {
      const after = offset === undefined ? null : positionIn(list, tenantId, offset);
      const rows = await read({ after, count: limit + 1 });
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      if (last === undefined) return { rows: shown, offsetMarker: null };
      // Encrypts the position, because a readable position would show how many records other tenants have.
      const position = String(last.seq).padStart(positionLength, '0');
      return { rows: shown, offsetMarker: secrets.seal(purposeOf(list, tenantId), position) };
    },
  };
}

export type Lists = ReturnType<typeof listsOf>;
