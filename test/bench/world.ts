// A world for measuring: only movements, with a given number in one millisecond; its other lists are empty.

import { isoOf, msOf } from '../../src/base/time.ts';
import { exact } from '../../src/sandbox/wire-json.ts';
import { pricesOf } from '../../src/sandbox/world/prices.ts';
import type { Listed, World } from '../../src/sandbox/world.ts';

const START = msOf('2026-01-01T00:00:00.000Z');
const WALLET = '00000000-0000-4000-8000-000000000001';
/** A prime number of milliseconds, so that no page ends at a round time. */
const STEP_MS = 7_919;

export type Shape = { readonly entities: number; readonly movements: number; readonly inOneMs: number };

/** A world of `entities` accounts, each with `movements` deposits, `inOneMs` of them at every instant. */
export const movementWorld = ({ entities, movements, inOneMs }: Shape): World => {
  const names = Array.from({ length: entities }, (_, index) => (index === 0 ? 'main' : uuid(0xb000 + index)));
  const rows = new Map(names.map((id, index) => [id, listOf(index, movements, inOneMs)]));
  return {
    entities: names.map((id) => ({ entityId: id, userId: id, name: id, email: `${id}@example.invalid` })),
    prices: pricesOf(0),
    now: () => START,
    advance: () => {},
    rows: (entity, stream) => (stream === 'movements' ? (rows.get(entity) ?? []) : []),
    pockets: () => [],
    trading: (entity) => [
      {
        id: WALLET,
        currency: 'EUR',
        balance: `${rows.get(entity)?.length ?? 0}`,
        blocked: '0',
        createdAt: isoOf(START),
      },
    ],
    earn: () => null,
    truth: () => [],
    defects: () => [],
  };
};

const listOf = (entity: number, count: number, inOneMs: number): Listed[] =>
  Array.from({ length: count }, (_, place) => {
    const timeMs = START + Math.floor(place / inOneMs) * STEP_MS;
    const id = uuid(entity * 10_000_000 + place);
    const words = { movementType: 'deposit', serviceOrderName: 'admin', status: 'completed' };
    return {
      id,
      at: timeMs,
      body: { id, walletId: WALLET, amount: exact('1'), currency: 'EUR', createdAt: isoOf(timeMs), ...words },
    };
  }).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));

const uuid = (n: number): string => `00000000-0000-4000-9000-${n.toString(16).padStart(12, '0')}`;
