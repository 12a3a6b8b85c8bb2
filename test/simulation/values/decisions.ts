// Operations of people: months, rates, rules and lots.
import { adjust, reverseEntry } from '../../../src/actions/proposals.ts';
import { rebuild } from '../../../src/actions/rebuild.ts';
import {
  type Change,
  EMPTY_PROFILE,
  lotChoiceChange,
  lotsChange,
  profilesChange,
  readLeg,
  rulesChange,
} from '../../../src/approvals/approvals.ts';
import { UsageError } from '../../../src/base/errors.ts';
import { attoOf, attoText } from '../../../src/base/money.ts';
import { monthAfter } from '../../../src/ledger/ledger.ts';
import { settingsOf } from '../../../src/run/run.ts';
import type { Work } from '../../../src/run/work.ts';
import { close, decide, EVIDENCE, importRates, night, reopen } from './books.ts';
import { digitsOf, restated } from './claims.ts';
import { COINS, type Coin } from './market.ts';
import { coins, money, type Operation, someMonth } from './operation.ts';
import { OWN_ADDRESS } from './records.ts';
import {
  chosen,
  closedMonths,
  daysOf,
  FIRST_MONTH,
  isWide,
  latest,
  METHODS,
  nextOpen,
  rulesIn,
  timeIn,
  type World,
} from './world.ts';

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
  if (world.isWalletOwn !== isOwn && closedMonths(world).length > 0) {
    world.isForetold = false;
    world.areUnitsForetold = false;
  }
  world.isWalletOwn = isOwn;
};

export const changeRules: Operation = async (work, world, { random }) => {
  await nameWallet(work, world, random.chance(50));
  return [];
};

/** Lots acquired before the books; in a wide history also later, and for dollars. */
export const importLots: Operation = async (work, world, moment) => {
  const { nth, random } = moment;
  const entity = random.pick(world.entities);
  const coin = random.pick(COINS);
  const [units, cost] = [coins(random, 100_000_000n), money(random)];
  const isDollar = isWide(world) && random.chance(40);
  const isOld = !isWide(world) || random.chance(40);
  const day = isOld ? '2025-12-31' : timeIn(someMonth(moment), random).slice(0, 10);
  if (isDollar && !world.published.has(day)) world.isForetold = false;
  const lot = {
    line: 2,
    currency: coin,
    units: attoText(units),
    cost: attoText(isDollar ? (cost * 11n) / 10n : cost),
    cost_currency: isDollar ? 'USD' : 'EUR',
    acquired_on: day,
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
const mayDecide = (work: Work, entity: string, change: () => Promise<Change | null>): Promise<boolean> =>
  isAccepted(async () => {
    const content = await change();
    if (content !== null) await decide(work, entity, content);
    return content !== null;
  });

/** Whether what a person proposes is accepted: true, or what it returns. */
export const isAccepted = async (propose: () => Promise<unknown>): Promise<boolean> => {
  try {
    return (await propose()) !== false;
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
    : { ...owner, method: random.pick(METHODS), rules: random.pick(rulesIn(world)) };
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
    where d.method = 'specific' and d.units > 0 and l.pool not in ('external', 'in-transit') and l.units > 0`);
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

type ShortTransfer = Readonly<Record<'entity_id' | 'record_id' | 'currency' | 'missing', string>>;

/** Enters what did not arrive of a transfer as a fee, or a half of it, in the books of either side. */
export const enterFee: Operation = async (work, world, { nth, month, random }) => {
  const { rows } = await work.pool.query<ShortTransfer>(`
    select side.entity_id, side.record_id, o.currency, trim_scale(o.amount_out - o.amount_in)::text as missing
    from books.own_transfers o
    cross join lateral (values (o.from_entity, o.from_record_id), (o.to_entity, o.to_record_id)) as side (entity_id, record_id)
    where o.stands and o.amount_in < o.amount_out`);
  const transfer = chosen(rows, (row) => Object.values(row).join(' '), `${nth}`);
  if (!transfer) return [];
  const { entity_id: entity, record_id, currency, missing } = transfer;
  const units = random.chance(70) ? attoOf(missing) : attoOf(missing) / 2n;
  const charge = {
    entity,
    coin: currency as Coin,
    units,
    at: timeIn(month, random),
    link: linkOf(world, transfer),
  };
  const leg = readLeg(`expenses:fees:network <- equity:external:person ${attoText(units)} ${currency}`);
  const signature = { only: entity, by: 'Ada', reason: `fee ${nth}`, evidence: EVIDENCE };
  const isEntered = await isAccepted(() =>
    adjust(work, { legs: [leg], at: charge.at, transfer: record_id }, signature),
  );
  if (isEntered) world.charges.push(charge);
  return [];
};

const linkOf = ({ lives }: World, { entity_id, record_id }: ShortTransfer): string =>
  lives.find((life) => life.id === record_id && latest(life).entity === entity_id)?.link ?? '';

type FeeEntry = Readonly<
  Record<'entity_id' | 'entry_id' | 'record_id' | 'effective_at' | 'currency' | 'units', string>
>;

/** Takes back a fee that was entered. */
export const takeBackFee: Operation = async (work, world, { nth }) => {
  const { rows } = await work.pool.query<FeeEntry>(`
    select m.entity_id, m.entry_id::text as entry_id, m.about_record_id as record_id, m.effective_at, t.currency, t.amount::text as units
    from books.manual_entries m join books.transfers t using (entity_id, entry_id)
    where m.action = 'adjust' and m.about_record_id is not null and m.reversed_by is null`);
  const fee = chosen(rows, ({ entry_id }) => entry_id, `${nth}`);
  if (!fee) return [];
  const { entity_id: entity, entry_id, record_id, effective_at, currency, units } = fee;
  const signature = { only: entity, by: 'Ada', reason: `back ${nth}`, evidence: null };
  const isReversed = await isAccepted(() => reverseEntry(work, entry_id, signature));
  const link = linkOf(world, { entity_id: entity, record_id, currency, missing: '' });
  if (isReversed)
    world.charges.push({ entity, coin: currency as Coin, units: -attoOf(units), at: effective_at, link });
  return [];
};
