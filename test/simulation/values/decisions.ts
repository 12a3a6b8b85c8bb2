// Operations of people: months, rates, rules and lots.
import { rebuild } from '../../../src/actions/rebuild.ts';
import {
  type Change,
  EMPTY_PROFILE,
  lotChoiceChange,
  lotsChange,
  profilesChange,
  rulesChange,
} from '../../../src/approvals/approvals.ts';
import { UsageError } from '../../../src/base/errors.ts';
import { attoText } from '../../../src/base/money.ts';
import { monthAfter } from '../../../src/ledger/ledger.ts';
import { settingsOf } from '../../../src/run/run.ts';
import type { Work } from '../../../src/run/work.ts';
import { close, decide, importRates, night, reopen } from './books.ts';
import { digitsOf, restated } from './claims.ts';
import { COINS } from './market.ts';
import { coins, money, type Operation, someMonth } from './operation.ts';
import { OWN_ADDRESS } from './records.ts';
import { chosen, closedMonths, daysOf, FIRST_MONTH, METHODS, nextOpen, RULES, type World } from './world.ts';

export const closeNext: Operation = async (work, world, { month, random }) => {
  const due = world.entities.filter((entity) => nextOpen(world, entity) < month);
  if (due.length === 0) return [];
  const entity = random.pick(due);
  const period = nextOpen(world, entity);
  await night(work);
  await close(work, { entity, period });
  world.closed.set(entity, period);
  world.digits.set(`${entity} ${period}`, await digitsOf(work, { entity, period }));
  return restated(work, { entity, period });
};

export const reopenLast: Operation = async (work, world, { random }) => {
  const entities = [...world.closed].filter(([, last]) => last !== '');
  if (entities.length === 0) return [];
  const [entity, period] = random.pick(entities);
  await reopen(work, { entity, period });
  world.closed.set(entity, before(period));
  return [];
};

const before = (period: string): string => {
  if (period === FIRST_MONTH) return '';
  let month = FIRST_MONTH;
  while (monthAfter(month) < period) month = monthAfter(month);
  return month;
};

export const publish = async (
  work: Work,
  { market, published }: World,
  days: readonly string[],
): Promise<readonly string[]> => {
  for (const day of days) published.add(day);
  await importRates(
    work,
    days.flatMap((day) => [
      { currency: 'USD', day, rate: '1.1' },
      ...COINS.map((currency) => ({ currency, day, rate: market.rate(currency, day) })),
    ]),
  );
  return [];
};

export const publishMonth: Operation = (work, world, { month }) => publish(work, world, daysOf(month));

export const changeRates: Operation = async (work, world, moment) => {
  const days = daysOf(someMonth(moment)).filter((day) => world.published.has(day));
  if (days.length === 0) return [];
  for (const day of days) world.market.change(day);
  if ([...world.closed.values()].some((last) => last >= (days[0] ?? '').slice(0, 7)))
    world.isForetold = false;
  return publish(work, world, days);
};

/** Says that the address of our own wallet is ours, or that it is not. */
export const nameWallet = async (work: Work, world: World, isOwn: boolean): Promise<void> => {
  const rule = { line: 2, class: null, address: OWN_ADDRESS, bankAccount: null, operation: null };
  const counterpartyType = isOwn ? 'own' : 'third-party';
  const rules = [{ ...rule, counterparty: `Cold ${counterpartyType}`, counterpartyType }];
  await decide(work, world.entities[0] ?? '', await rulesChange(work.db, { rules, fileName: 'rules.csv' }));
  if (world.isWalletOwn !== isOwn && closedMonths(world).length > 0) world.isForetold = false;
  world.isWalletOwn = isOwn;
};

export const changeRules: Operation = async (work, world, { random }) => {
  await nameWallet(work, world, random.chance(50));
  return [];
};

export const importLots: Operation = async (work, world, { nth, random }) => {
  const entity = random.pick(world.entities);
  const coin = random.pick(COINS);
  const [units, cost] = [coins(random, 100_000_000n), money(random)];
  const lot = {
    line: 2,
    currency: coin,
    units: attoText(units),
    cost: attoText(cost),
    cost_currency: 'EUR',
    acquired_on: '2025-12-31',
  };
  await decide(
    work,
    entity,
    lotsChange({ name: `${nth}.csv`, sha256: `${nth}`.padStart(64, '0'), lots: [lot] }),
  );
  world.external.push({ entity, coin, units, cost });
  return [];
};

type Choosable = Readonly<
  Record<'entity_id' | 'stream' | 'record_id' | 'currency' | 'lot_id' | 'units', string>
>;

/** Proposes what may be refused; whether it was accepted. */
const mayDecide = async (
  work: Work,
  entity: string,
  change: () => Promise<Change | null>,
): Promise<boolean> => {
  try {
    const content = await change();
    if (content !== null) await decide(work, entity, content);
    return content !== null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return false;
  }
};

/** An entity goes to another taxpayer, or all of one change their method and rules; refused once a month is closed. */
export const changeProfiles: Operation = async (work, world, { random }) => {
  const owner = random.pick(world.owners);
  const { taxpayer, method, rules } = random.chance(50)
    ? owner
    : { ...owner, method: random.pick(METHODS), rules: random.pick(RULES) };
  const entities = random.chance(50) ? owner.entities : [...owner.entities, random.pick(world.entities)];
  const profile = { ...EMPTY_PROFILE, taxpayer, owner: 'own', cost_method: method, lot_rules: rules };
  const wanted = [...new Set(entities)].map((entity) => ({ entity, profile, where: '' }));
  const change = () => profilesChange(work.db, { wanted, settings: settingsOf(work.config) });
  if (!(await mayDecide(work, wanted[0]?.entity ?? '', change))) return [];
  const moved = wanted.map(({ entity }) => entity);
  world.owners = world.owners.flatMap((one) => {
    const left = one.entities.filter((entity) => !moved.includes(entity));
    return one === owner
      ? [{ taxpayer, method, rules, entities: moved }]
      : left.length > 0
        ? [{ ...one, entities: left }]
        : [];
  });
  return [];
};

/** Names a lot for a disposal, as a person would; many are refused. */
export const chooseLot: Operation = async (work, _world, { nth }) => {
  const { rows } = await work.pool.query<Choosable>(`
    select d.entity_id, e.stream, e.record_id, d.currency, l.lot_id, trim_scale(least(l.units, d.units))::text as units
    from books.disposals d
    join books.entries e on (e.entity_id, e.entry_id) = (d.entity_id, d.entry_id)
    join books.lots l on (l.taxpayer, l.currency) = (d.taxpayer, d.currency) and l.acquired_at <= d.disposed_at
    where d.method = 'specific' and d.units > 0 and l.pool not in ('outside', 'in-transit') and l.units > 0`);
  const choice = chosen(rows, (row) => Object.values(row).join(' '), `${nth}`);
  if (!choice) return [];
  const { entity_id: entity, ...line } = choice;
  const file = { name: `${nth}.csv`, sha256: `${nth}`.padStart(64, '0'), choices: [{ ...line, line: 2 }] };
  await mayDecide(work, entity, () => lotChoiceChange(work.db, entity, file));
  return [];
};

/** Drops and replays everything after landing. */
export const rebuildAll = async (work: Work): Promise<readonly string[]> => {
  const { isEqual, result } = await rebuild(work);
  return isEqual ? [] : [`rebuild: ${result.summary}`];
};
