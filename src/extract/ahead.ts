// Pages that are requested before their turn, while those before them land.
import type { Landed, Walk, WalkStep } from './step.ts';

/** The same walk with its first page requested now. If nobody reads it, its failure does not matter. */
export const begun = <Row, Proof>(walk: Walk<Row, Proof>): Walk<Row, Proof> => {
  const first = walk.next({ fresh: 0 });
  first.catch(() => {});
  return continued(walk, first);
};

async function* continued<Row, Proof>(
  walk: Walk<Row, Proof>,
  first: ReturnType<Walk<Row, Proof>['next']>,
): Walk<Row, Proof> {
  let landed: Landed;
  for (let next = await first; !next.done; next = await walk.next(landed)) landed = yield next.value;
}

/** The same walk; calls `onStep` with each of its steps, before it lands. */
export async function* observed<Row, Proof>(
  walk: Walk<Row, Proof>,
  onStep: (step: WalkStep<Row, Proof>) => void,
): Walk<Row, Proof> {
  let landed: Landed = { fresh: 0 };
  for (let next = await walk.next(landed); !next.done; next = await walk.next(landed)) {
    onStep(next.value);
    landed = yield next.value;
  }
}

/** The same walk; calls `onAnswer` once its first page is there, before it lands. */
export async function* announced<Row, Proof>(walk: Walk<Row, Proof>, onAnswer: () => void): Walk<Row, Proof> {
  let landed: Landed = { fresh: 0 };
  for (let pages = 0; ; pages += 1) {
    const next = await walk.next(landed);
    if (pages === 0) onAnswer();
    if (next.done) return;
    landed = yield next.value;
  }
}

/**
 * Fetches a page by its place, along with those that are foreseen to follow it: an answer that takes longer than the pace of requests
 * allows delays none of them. What was foreseen wrongly is dropped, and its failure does not matter.
 */
export const foreseeing = <Place, Fetched>(
  fetch: (place: Place) => Promise<Fetched>,
): ((place: Place, foreseen: readonly Place[]) => Promise<Fetched>) => {
  let requested = new Map<Place, Promise<Fetched>>();
  const request = (place: Place): Promise<Fetched> => {
    const page = requested.get(place) ?? fetch(place);
    page.catch(() => {});
    return page;
  };
  return (place, foreseen) => {
    const page = request(place);
    requested = new Map(foreseen.map((next) => [next, request(next)]));
    return page;
  };
};

/** The same items, of which up to `itemsMax` are fetched before they are taken. A failure is thrown in its turn. */
export async function* fetchedAhead<Item>(
  items: AsyncGenerator<Item, void>,
  itemsMax: number,
): AsyncGenerator<Item, void> {
  const fetched: Promise<IteratorResult<Item, void>>[] = [];
  let isFetching = false;
  const fetchOn = (): void => {
    if (isFetching || fetched.length >= itemsMax) return;
    isFetching = true;
    const next = items.next();
    fetched.push(next);
    next.then(
      ({ done }) => {
        isFetching = done === true; // and then for good
        fetchOn();
      },
      () => {},
    );
  };
  try {
    for (;;) {
      fetchOn();
      const taken = fetched.shift();
      fetchOn();
      const next = await taken;
      if (next === undefined || next.done) return;
      yield next.value;
    }
  } finally {
    isFetching = true;
  }
}
