// Nights over a world with false answers: the real client over real HTTP, landing, booking and reconciling, on the world's clock.
import { extract } from '../../../jobs/extract.ts';
import { readAndCompare, reportChecksOf } from '../../../jobs/nightly.ts';
import { isoOf, nowMs } from '../../../src/base/time.ts';
import type { Database } from '../../../src/database/connection.ts';
import { openReadGateway, type ReadGateway } from '../../../src/gateway/client.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { openWork } from '../../simulation/nights.ts';
import type { Liar } from './liar.ts';

const RPM = 1_000_000;

type Nights = {
  /** One night; `onRequest` is called before its nth request. Resolves to their number. */
  readonly night: (onRequest?: (nth: number) => void) => Promise<number>;
  readonly close: () => Promise<void>;
};

/** Serves a world, and reads it night by night into the books of an entity. */
export const openNights = async (
  database: Database,
  { seed, entity, world }: { readonly seed: number; readonly entity: string; readonly world: Liar },
): Promise<Nights> => {
  const sandbox = await startSandbox({ seed, world });
  const gateway = openReadGateway({ baseUrl: sandbox.url, ...sandbox, rpm: RPM, backoffMs: 1 });
  return {
    night: async (onRequest = () => {}) => {
      let requests = 0;
      const countRequest = () => {
        requests += 1;
        onRequest(requests);
      };
      await night(database, entity, onClockOf(world, gateway, countRequest));
      return requests;
    },
    close: async () => {
      await gateway.close();
      await sandbox.close();
    },
  };
};

/** The client on the world's clock, so that ages are those of the world. */
const onClockOf = (world: Liar, gateway: ReadGateway, onCall: () => void): ReadGateway => ({
  ...gateway,
  nowMs: world.now,
  call: async (operation, ask) => {
    onCall();
    const answer = await gateway.call(operation, ask);
    return { ...answer, receipt: { ...answer.receipt, date: isoOf(world.now()) } };
  },
});

/** The steps of a night for one entity. */
const night = async (database: Database, entity: string, gateway: ReadGateway): Promise<void> => {
  const work = await openWork(database, entity);
  const read = () =>
    extract(
      {
        work,
        gateway,
        entity: { id: entity },
        isFull: false,
        perList: { limitMs: 3_600_000, clockMs: nowMs },
        known: () => {},
      },
      { isAny: true, refused: new Set<string>() },
    );
  await readAndCompare(work, { entity }, read);
  await reportChecksOf(work, [entity]);
};
