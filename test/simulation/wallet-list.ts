// The list of wallet transactions by cursor: after a record, or at a position in the list, which additions shift.
import type { WireObject } from '../../src/sandbox/wire-json.ts';
import type { Listed } from '../../src/sandbox/world.ts';
import type { SimWorld } from './life.ts';

type WalletPage = { readonly rows: readonly WireObject[]; readonly next: string | null };

/** One page, newest first; null if the cursor is unknown. */
export const walletPage = (
  world: SimWorld,
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
): WalletPage | null => {
  const rows = world.rows('main', 'wallet-transactions').toReversed();
  const place = cursor === undefined ? 0 : placeOf(rows, cursor);
  if (place === null) return null;
  const page = rows.slice(place, place + Math.min(limit, world.plan.walletMax));
  const [end, last] = [place + page.length, page.at(-1)];
  const next = last === undefined || end >= rows.length ? null : nextOf(world, end, last);
  return { rows: page.map(({ body }) => body), next };
};

const nextOf = ({ plan }: SimWorld, end: number, { at: time, id }: Listed): string =>
  Buffer.from(plan.isCursorByPlace ? `place ${end}` : `after ${id} ${time}`).toString('base64');

const placeOf = (rows: readonly Listed[], cursor: string): number | null => {
  const [kind, first = '', time = ''] = Buffer.from(cursor, 'base64').toString('utf8').split(' ');
  if (kind === 'place') return Number.parseInt(first, 10);
  if (kind !== 'after') return null;
  const same = rows.findIndex(({ id }) => id === first);
  if (same !== -1) return same + 1;
  const next = rows.findIndex((row) => row.at <= Number.parseFloat(time)); // the record is gone, but its time is in the cursor
  return next === -1 ? rows.length : next;
};
