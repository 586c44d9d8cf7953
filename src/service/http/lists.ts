/** Makes the pages of a list, and the marker (`offset`) for the next page. */
import { type ListOrder, positionOf, type Span } from '../store/store.ts';
import type { Call } from './call.ts';
import { HttpRefusal } from './call.ts';
import type { Secrets } from './secrets.ts';

export interface ListSettings {
  readonly order: ListOrder;
  readonly pageSize: number;
}

type ListCall = Call<unknown, { limit: number; offset?: string | undefined }>;

/** All positions get this length, so that a marker's length does not show how large the position is. */
const positionLength = 36;

export function listsOf(settings: ListSettings, secrets: Secrets) {
  // The purpose contains the order, so that the service refuses a marker from a list in another order.
  const purposeOf = (list: string, tenantId: string) => `marker ${JSON.stringify([list, tenantId, settings.order])}`;

  function positionIn(list: string, tenantId: string, marker: string): string {
    try {
      return secrets.unseal(purposeOf(list, tenantId), marker).trimEnd();
    } catch {
      // The interface does not show the answer to an unknown `offset` (interface 4.17, 4.21). This service answers 400.
      throw new HttpRefusal(400, 'offset is not a marker of this list');
    }
  }

  return {
    /** Reads one item more than the page shows, to learn if there is a next page. */
    async page<Row extends { seq: number; id: string }>(
      list: string,
      tenantId: string,
      call: ListCall,
      read: (span: Span) => Promise<Row[]>,
    ): Promise<{ rows: Row[]; offsetMarker: string | null }> {
      const size = call.sentQuery.limit === undefined ? settings.pageSize : call.query.limit;
      const { offset } = call.query;
      const after = offset === undefined ? null : positionIn(list, tenantId, offset);
      const rows = await read({ order: settings.order, after, count: size + 1 });
      const shown = rows.slice(0, size);
      const last = rows.length > size ? shown.at(-1) : undefined;
      if (last === undefined) return { rows: shown, offsetMarker: null };
      // Encrypts the position, because a readable position would show how many records other tenants have.
      const position = positionOf(last, settings.order).padEnd(positionLength);
      return { rows: shown, offsetMarker: secrets.seal(purposeOf(list, tenantId), position) };
    },
  };
}

export type Lists = ReturnType<typeof listsOf>;
