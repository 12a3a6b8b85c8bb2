// Operations by which people enter what no record shows, and take it back.
import { adjust, reverseEntry, type SubmittedProposal } from '../../../src/actions/proposals.ts';
import { readLeg } from '../../../src/approvals/approvals.ts';
import { type Atto, attoText } from '../../../src/base/money.ts';
import { EVIDENCE } from './books.ts';
import { isAccepted } from './decisions.ts';
import type { Coin, Market } from './market.ts';
import { coins, money, type Operation, someMonth } from './operation.ts';
import { dayOf, type Effect, pocketOf } from './records.ts';
import { chosen, timeIn } from './world.ts';

type Entry = {
  readonly entity: string;
  readonly coin: Coin;
  readonly at: string;
  readonly units: Atto;
  readonly money: Atto;
};

/** What people enter, by its legs and the sign of what it moves in the coin. Only a conversion is paid in euro. */
const FORMS = [
  { legs: ['POCKET <- equity:external:platform UNITS'], sign: 1n },
  { legs: ['POCKET <- income:rewards UNITS'], sign: 1n },
  { legs: ['equity:external:person <- POCKET UNITS'], sign: -1n },
  { legs: ['expenses:fees:network <- POCKET UNITS'], sign: -1n },
  { legs: ['assets:trading <- POCKET UNITS'], sign: 0n },
  { legs: ['POCKET <- equity:conversion UNITS', 'equity:conversion <- EURO MONEY'], sign: 1n },
  { legs: ['equity:conversion <- POCKET UNITS', 'EURO <- equity:conversion MONEY'], sign: -1n },
] as const;

type Form = (typeof FORMS)[number];

const legsOf = ({ legs }: Form, { entity, coin, units, money: paid }: Entry) =>
  legs.map((leg) =>
    readLeg(
      leg
        .replace('POCKET', `assets:pocket:${pocketOf(entity, coin)}`)
        .replace('EURO', `assets:pocket:${pocketOf(entity, 'EUR')}`)
        .replace('UNITS', `${attoText(units)} ${coin}`)
        .replace('MONEY', `${attoText(paid)} EUR`),
    ),
  );

const effectsOf = ({ legs, sign }: Form, entry: Entry, market: Market): Effect[] => {
  const isExchange = legs.length > 1;
  const paid = isExchange ? entry.money : entry.units * market.price(entry.coin, dayOf(entry));
  const moved: Effect = { currency: entry.coin, units: sign * entry.units, paid: sign * paid };
  return isExchange ? [moved, { currency: 'EUR', units: -sign * entry.money, paid: 0n }] : [moved];
};

export const enterEntry: Operation = async (work, world, moment) => {
  const { nth, random } = moment;
  const entry = {
    entity: random.pick(world.entities),
    coin: random.pick(world.coins),
    at: timeIn(someMonth(moment), random),
    units: coins(random, 50_000_000n),
    money: money(random),
  };
  const form = random.pick(FORMS);
  const signature = { only: entry.entity, by: 'Ada', reason: `entry ${nth}`, evidence: EVIDENCE };
  const made = await adjust(work, { legs: legsOf(form, entry), at: entry.at }, signature);
  const effects = () => effectsOf(form, entry, world.market); // at the rates of today, which may change
  world.entered.push({ id: idOf(made), entity: entry.entity, effects });
  return [];
};

const idOf = ({ shown }: SubmittedProposal): string => shown?.proposal.proposal_id ?? '';

type Made = Readonly<Record<'entity_id' | 'entry_id' | 'proposal_id', string>>;

export const takeBackEntry: Operation = async (work, world, { nth }) => {
  const { rows } = await work.pool.query<Made>(`
    select entity_id, entry_id::text as entry_id, proposal_id from books.manual_entries
    where kind = 'manual' and reversed_by is null`);
  const known = rows.filter((row) => world.entered.some(({ id }) => id === row.proposal_id));
  const made = chosen(known, ({ proposal_id }) => proposal_id, `${nth}`);
  const former = world.entered.find(({ id }) => id === made?.proposal_id);
  if (!made || !former) return [];
  const signature = { only: former.entity, by: 'Ada', reason: `back ${nth}`, evidence: null };
  const effects = () => former.effects().map((one) => ({ ...one, units: -one.units, paid: -one.paid }));
  await isAccepted(async () => {
    const done = await reverseEntry(work, made.entry_id, signature);
    world.entered.push({ id: idOf(done), entity: former.entity, effects });
  });
  return [];
};
