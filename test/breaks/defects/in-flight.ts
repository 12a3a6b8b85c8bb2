// Records that appear while lists are read: a trade at every request boundary of a night, one night after another. None may
// break an account, and none may hide a record that is never listed.
import { isoOf } from '../../../src/base/time.ts';
import type { Database } from '../../../src/database/connection.ts';
import { textOf, unitsOf } from '../../../src/sandbox/amount.ts';
import { randomOf } from '../../../src/sandbox/random.ts';
import { worldOf } from '../../../src/sandbox/sandbox.ts';
import { effectsOf, figure, type Row, type Sums, word } from './effects.ts';
import { type Lie, liarOf } from './liar.ts';
import { openNights } from './nights.ts';
import { brokenOf } from './play.ts';

const HOUR = 3_600_000;

export type Flights = {
  readonly seeds: number;
  /** Request boundaries with a new trade, each in a night of its own. */
  readonly boundaries: number;
  /** Breaks that should not exist or are wrong, and breaks that are missing. */
  readonly wrong: readonly string[];
};

export const nothing = (): Flights => ({ seeds: 0, boundaries: 0, wrong: [] });

export const merged = (a: Flights, b: Flights): Flights => ({
  seeds: a.seeds + b.seeds,
  boundaries: a.boundaries + b.boundaries,
  wrong: [...a.wrong, ...b.wrong],
});

export const linesOf = ({ seeds, boundaries, wrong }: Flights): string[] => [
  `${seeds} seeds: something moved at ${boundaries} request boundaries, each in a night of its own`,
  `breaks that should not be, and hidden ones: ${wrong.length}`,
  ...wrong.slice(0, 20),
];

/** The flights of a seed, with nothing missing and with something missing each night. */
export const flyTwice = async (seed: number, database: Database): Promise<Flights> => {
  const [whole, missing] = [
    await fly(2 * seed, database),
    await fly(2 * seed + 1, database, { isMissing: true }),
  ];
  return { ...merged(whole, missing), seeds: 1 };
};

/** A fill of a part of the amount: two successive nights never have the same one, which a check would take for lasting. */
const partOf = ({ body }: Pick<Row, 'body'>, share: number) =>
  Object.fromEntries(
    ['amount', 'cost', 'feeAmount'].map((name) => [name, textOf(figure(body, name) / BigInt(share))]),
  );

/**
 * One world, a night for each boundary. With `missing`, each night also lacks a record, of another amount
 * each time, in the currency that is in flight: the break must be exactly their sum. A `step` skips boundaries.
 */
export const fly = async (
  seed: number,
  database: Database,
  { isMissing = false, step = 1 }: { readonly isMissing?: boolean; readonly step?: number } = {},
): Promise<Flights> => {
  const world = liarOf(
    worldOf({ seed: 1_000_000 + seed, entities: 1, days: 3, perDay: 10, until: '2026-06-10T00:00:00Z' }),
  );
  const entity = `flight-${seed}`;
  const nights = await openNights(database, { seed, entity, world });
  const random = randomOf(`flight:${seed}`);
  const model = world.rows('main', 'trades').find(({ body }) => figure(body, 'amount') > 0n);
  if (!model) return nothing();
  const place = `assets:trading ${word(model.body, 'symbol').split('/')[0]}`;
  const wrong: string[] = [];
  let lies: readonly Lie[] = [];
  let lost = 0n;
  try {
    const requests = await nights.night();
    for (let boundary = 1; boundary <= requests + 1; boundary += step) {
      world.advance(HOUR);
      if (isMissing) {
        const units = random.units(unitsOf('0.001')) + 1n;
        lost += units;
        lies = [...lies, { moved: new Map([[place, units]]) }];
      }
      const [id, timeMs] = [random.uuid(), world.now()];
      const trade: Row = {
        ...model,
        id,
        at: timeMs,
        stream: 'trades',
        body: { ...model.body, ...partOf(model, 1 + (boundary % 5)), id, createdAt: isoOf(timeMs) },
      };
      world.tell(lies);
      lies = [...lies, { added: [trade], moved: effectsOf(trade) }];
      await nights.night((nth) => void (nth === boundary && world.tell(lies)));
      world.tell(lies);
      const expected: Sums = lost === 0n ? new Map() : new Map([[place, lost]]);
      for (const broken of await brokenOf(database, entity, expected))
        if (broken.found !== broken.expected)
          wrong.push(
            `seed ${seed}, boundary ${boundary}: ${broken.place} is off by ${broken.expected}, the break says ${broken.found}`,
          );
    }
    return { seeds: 1, boundaries: Math.ceil((requests + 1) / step), wrong };
  } finally {
    await nights.close();
  }
};
