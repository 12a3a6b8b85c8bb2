// Effects: how each kind of change is applied after approval, and what prevents it. One line per kind.
import type { Kysely } from 'kysely';
import { UsageError } from '../base/errors.ts';
import type { DB } from '../database/db-types.ts';
import { importOfficial, newestFile } from '../land/land.ts';
import type { Settings } from '../run/settings.ts';
import { acceptancesOf, acceptFindings, budgetOf, setBudget } from './budgets.ts';
import type { Change } from './changes.ts';
import { chartInForce, chartObstacle, importChart } from './charts.ts';
import { importRules, rulesInForce } from './counterparties.ts';
import type { Enacted } from './enacted.ts';
import { notToStore, storeExternalLots } from './external-lots.ts';
import { importLabels, labelsInForce } from './labels.ts';
import { choiceInForce, notToChoose, storeLotChoices } from './lot-choices.ts';
import { profilesOf, refuseProfiles, storeProfiles } from './profiles.ts';
import { dismiss, notToDismiss } from './rejects.ts';
import { closedAlready, notToWaive, waive } from './waivers.ts';

type Of<A extends Change['action']> = Extract<Change, { action: A }>;

const EFFECTS: {
  readonly [A in Change['action']]: (tx: Kysely<DB>, enacted: Enacted<Of<A>>) => Promise<void>;
} = {
  waive,
  dismiss,
  lots: storeExternalLots,
  choose: storeLotChoices,
  counterparties: importRules,
  rates: (tx, { change, ...enacted }) => importOfficial(tx, change, enacted),
  profiles: storeProfiles,
  chart: importChart,
  labels: importLabels,
  budget: setBudget,
  accept: acceptFindings,
};

/** Applies an approved change, in the transaction of its approval. */
export const enact = (tx: Kysely<DB>, enacted: Enacted): Promise<void> =>
  (EFFECTS[enacted.change.action] as (tx: Kysely<DB>, enacted: Enacted) => Promise<void>)(tx, enacted);

type ToApply<A extends Change['action']> = {
  readonly db: Kysely<DB>;
  readonly entity: string;
  readonly change: Of<A>;
  readonly settings: Settings;
};

const OBSTACLES: {
  readonly [A in Change['action']]: (to: ToApply<A>) => Promise<string | null>;
} = {
  waive: ({ db, entity, change }) => notToWaive(db, entity, change),
  dismiss: ({ db, entity, change }) => notToDismiss(db, entity, change),
  lots: ({ db, entity, change }) => notToStore(db, entity, change),
  choose: async ({ db, entity, change }) =>
    superseded(change.base, await choiceInForce(db, entity, change.choices), 'lot choices') ??
    notToChoose(db, entity, change),
  counterparties: async ({ db, change }) => superseded(change.base, await rulesInForce(db), 'rules'),
  rates: async ({ db, change }) => superseded(change.base, await newestFile(db), 'rates'),
  profiles: ({ db, change, settings }) => profileObstacle(db, change, settings),
  chart: async ({ db, change }) =>
    superseded(change.base, await chartInForce(db), 'chart of accounts') ?? chartObstacle(db, change),
  labels: async ({ db, change }) => superseded(change.base, await labelsInForce(db), 'labels'),
  budget: async ({ db, entity, change }) =>
    superseded(change.base, (await budgetOf(db, entity)).version, 'budget'),
  accept: async ({ db, entity, change: { base, period } }) =>
    superseded(base, await acceptancesOf(db, entity, period), 'acceptance') ??
    closedAlready(db, entity, { period, what: 'accepted value findings' }),
};

/** Why a change cannot be applied now; null if nothing prevents it. */
export const obstacleToChange = (
  db: Kysely<DB>,
  entity: string,
  { change, settings }: { readonly change: Change; readonly settings: Settings },
): Promise<string | null> =>
  (OBSTACLES[change.action] as (to: ToApply<Change['action']>) => Promise<string | null>)({
    db,
    entity,
    change,
    settings,
  });

const superseded = (base: string, now: string, what: string): string | null =>
  base === now
    ? null
    : `other ${what} took effect since it was prepared (${now} after ${base}): prepare it again`;

const profileObstacle = async (
  db: Kysely<DB>,
  { wanted }: Of<'profiles'>,
  settings: Settings,
): Promise<string | null> => {
  const inForce = await profilesOf(db);
  for (const { entity, base } of wanted) {
    const obstacle = superseded(base, String(inForce.get(entity)?.version ?? 0), `profile of ${entity}`);
    if (obstacle !== null) return obstacle;
  }
  try {
    await refuseProfiles(db, { wanted: wanted.map((it) => ({ ...it, where: '' })), settings });
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
};
