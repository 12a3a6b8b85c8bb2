// Careless walks through the real landing: the simulation must detect what they lose and wrongly claim. They use the ideas
// of the rivals, and each claims that its whole list is complete.
import type { Extraction } from '../../jobs/extraction.ts';
import { isoOf, msOf } from '../../src/base/time.ts';
import type { RecordWalk } from '../../src/extract/extract.ts';
import { CONTRACT, type WireRow } from '../../src/gateway/contract/contract.ts';
import type { ReadOperation } from '../../src/gateway/contract/operation.ts';
import { type Destination, landWalk } from '../../src/land/pages.ts';
import { peopleKey } from '../../src/privacy/people-key.ts';

const { movements, trades } = CONTRACT.trading;
const EVERYTHING = { from: null, to: '2100-01-01T00:00:00.000Z' };

type Ask = (query: Record<string, string | number>) => Promise<{ rows: WireRow[]; receipt: never }>;

const asking =
  ({ gateway }: Extraction, operation: ReadOperation<{ rows: WireRow[] }>): Ask =>
  async (query) => {
    const { page, receipt } = await gateway.call(operation, { query });
    return { rows: page.rows, receipt: receipt as never };
  };

/** Continues at the oldest instant less a millisecond: loses records of that instant that were not on the page. */
async function* byTime(ask: Ask): RecordWalk {
  for (let to: string | null = null; ; ) {
    const { rows, receipt } = await ask({ limit: 100, ...(to !== null && { to }) });
    const isLast = rows.length < 100;
    yield {
      page: { rows, proof: receipt, isFull: false },
      ...(isLast && { covers: { ...EVERYTHING, proof: 'window' } }),
    };
    if (isLast) return;
    to = isoOf(msOf(String(rows.at(-1)?.createdAt)) - 1);
  }
}

/** Advances by the requested limit: loses what a server that returns fewer records left out. */
async function* byLimit(ask: Ask): RecordWalk {
  for (let offset = 0; ; offset += 50) {
    const { rows, receipt } = await ask({ limit: 50, offset, sort: 'createdAt', direction: 'asc' });
    const isLast = rows.length === 0;
    yield {
      page: { rows, proof: receipt, isFull: false },
      ...(isLast && { covers: { ...EVERYTHING, proof: 'window' } }),
    };
    if (isLast) return;
  }
}

const landed =
  (stream: 'movements' | 'trades', walk: (extraction: Extraction) => RecordWalk) =>
  async (extraction: Extraction): Promise<void> => {
    const { work, entity } = extraction;
    const key = await peopleKey(work.db, entity.id);
    const destination: Destination = {
      db: work.db,
      run: work.run,
      entity: entity.id,
      stream,
      scope: '',
      key,
    };
    await landWalk(destination, walk(extraction), () => {});
  };

export const CARELESS = {
  'page by time without splitting': landed('movements', (it) => byTime(asking(it, movements))),
  'advance by the limit asked': landed('trades', (it) => byLimit(asking(it, trades))),
} as const;
