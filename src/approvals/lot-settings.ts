// Lot settings: the taxpayer, its cost method and its lot rules. Lots belong to the taxpayer, so all its entities share them; and
// they are fixed once a month is closed, because its values must not change.
import { UsageError } from '../base/errors.ts';
import type { Profile, WantedProfile } from './profile.ts';

/** A setting as text, and its name in messages. */
type LotSetting = { readonly name: string; readonly textIn: (profile: Profile | undefined) => string };

const SETTINGS: readonly LotSetting[] = [
  { name: 'cost method', textIn: (profile) => profile?.cost_method ?? 'fifo' },
  { name: 'set of lot rules', textIn: (profile) => profile?.lot_rules ?? 'default' },
];

type ProfilesInForce = {
  readonly inForce: ReadonlyMap<string, Profile>;
  /** Every entity, with the month of its first entry and its last closed month. */
  readonly begun: ReadonlyMap<string, { readonly first: string | null; readonly closed: string | null }>;
};

/** Throws UsageError for a setting that a close has fixed, or that differs from another entity's of the taxpayer. */
export const refuseLotSettings = (wanted: readonly WantedProfile[], known: ProfilesInForce): void => {
  for (const one of wanted) refuseMoving(one, known);
  for (const setting of SETTINGS) {
    const changes = ({ entity, profile }: WantedProfile) =>
      setting.textIn(known.inForce.get(entity)) !== setting.textIn(profile);
    const changedFirst = [...wanted.filter(changes), ...wanted.filter((it) => !changes(it))]; // the error names the line that changes
    for (const one of changedFirst) refuseFixed(one, setting, known);
    for (const one of changedFirst) refuseDiffering(one, setting, { wanted, ...known });
  }
};

const refuseFixed = (
  { entity, profile, where }: WantedProfile,
  { name, textIn }: LotSetting,
  { inForce, begun }: ProfilesInForce,
): void => {
  const [was, now, closed] = [
    textIn(inForce.get(entity)),
    textIn(profile),
    begun.get(entity)?.closed ?? null,
  ];
  if (closed !== null && was !== now && !isOfLaterMonths(was, now, closed))
    throw new UsageError(
      `${where}the ${name} of ${entity} is ${was} since ${closed} was closed: it cannot become ${now}`,
    );
};

const WALLETS_FROM = / ?wallets-from:(\d{4}-\d{2})-01/;

/** Whether two sets of lot rules differ only in a month, not closed yet, from which each place has a pool of its own. */
const isOfLaterMonths = (was: string, now: string, closed: string): boolean => {
  const texts = [was, now].map((text) => (text === 'default' ? '' : text));
  const [before, after] = texts.map((text) => text.replace(WALLETS_FROM, '').trim());
  const months = texts.map((text) => WALLETS_FROM.exec(text)?.[1]);
  return before === after && months.every((month) => month === undefined || month > closed);
};

const taxpayerOf = (entity: string, profile: Profile | undefined): string => profile?.taxpayer ?? entity;

/** The entity of a taxpayer that has closed the latest month, and that month: entities close one by one. */
const lastClosedOf = (taxpayer: string, { inForce, begun }: ProfilesInForce) =>
  [...begun]
    .flatMap(([one, { closed }]) => (closed === null ? [] : [{ one, closed }]))
    .filter(({ one }) => taxpayerOf(one, inForce.get(one)) === taxpayer)
    .sort((a, b) => (a.closed < b.closed ? 1 : -1))[0];

/**
 * The lots of a closed month stay with the taxpayer whose they were. So no entity leaves a taxpayer with a closed month, and one with
 * entries in it or before joins none: its lots until then would be nobody's.
 */
const refuseMoving = (
  { entity, profile, where }: WantedProfile,
  { inForce, begun }: ProfilesInForce,
): void => {
  const [was, now] = [taxpayerOf(entity, inForce.get(entity)), taxpayerOf(entity, profile)];
  if (was === now) return;
  const [left, joined] = [was, now].map((taxpayer) => lastClosedOf(taxpayer, { inForce, begun }));
  const first = begun.get(entity)?.first ?? null;
  const why = `${where}the taxpayer of ${entity} is ${was}, and cannot become ${now}:`;
  if (left)
    throw new UsageError(`${why} ${left.closed} of ${left.one} is closed, and its lots stay with ${was}`);
  if (joined && first !== null && first <= joined.closed)
    throw new UsageError(
      `${why} ${joined.closed} of ${joined.one} is closed, and ${entity} has entries since ${first}: reopen the closed months from then on first (npx tieout reopen)`,
    );
};

const refuseDiffering = (
  { entity, profile, where }: WantedProfile,
  { name, textIn }: LotSetting,
  { wanted, inForce, begun }: ProfilesInForce & { readonly wanted: readonly WantedProfile[] },
): void => {
  const next = new Map([...inForce, ...wanted.map((one) => [one.entity, one.profile] as const)]);
  const [taxpayer, now] = [taxpayerOf(entity, profile), textIn(profile)];
  const other = [...begun.keys()].find(
    (it) => taxpayerOf(it, next.get(it)) === taxpayer && textIn(next.get(it)) !== now,
  );
  if (other !== undefined)
    throw new UsageError(
      `${where}${entity} and ${other} are of taxpayer ${taxpayer}, and a taxpayer has one ${name}: set ${now} or ${textIn(next.get(other))} for both, in one file (entities import)`,
    );
};
