// Fixtures for transfers: the two sides of one, a side of which the entries follow each other, and two entities of one taxpayer with a wallet of their own.
import { post } from '../../src/ledger/entries.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  closeBoth,
  type made,
  officialRates,
  paired,
  taxed,
} from './month-stand.ts';

export type Made = ReturnType<typeof made>;

export const SENT = ['equity:external:person <- assets:trading 0.5 BTC'];
export const RECEIVED = ['assets:trading <- equity:external:person 0.5 BTC'];

/** Pairs an entry of SENT with one of RECEIVED. */
export const pairedAs = (out: Pick<Made, 'id' | 'entity'>, into: Pick<Made, 'id' | 'entity'>) =>
  paired(out, into, ['0.5', '0.5']);

/** Values what is booked, and closes a month of both entities. */
export const closed = async (month: string): Promise<void> => {
  await derive(books.db, BOOKS);
  await closeBoth(month);
};

/** The two sides of a transfer, in no pair. */
export const sides = async (day: string) => ({
  out: await booked({ day, name: 'sent' }, SENT),
  into: await booked({ day, hour: '13', name: 'received', entity: 'a' }, RECEIVED),
});

export const pair = async (day: string) => {
  const { out, into } = await sides(day);
  await pairedAs(out, into);
  return { out, into };
};

/** A transfer of a closed month. */
export const transferred = async () => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const transfer = await pair('2026-01-20');
  await closed('2026-01');
  return transfer;
};

/** What is to be put right of the values. */
export const findings = async (): Promise<string[]> => {
  const { rows } = await books.pool.query(
    "select format('%s: %s %s', period, kind, units) as text from books.value_findings where severity = 'finding'",
  );
  return rows.map(({ text }) => text);
};

/** A transfer to an own wallet and back, or between two own accounts. */
export type Way = { readonly outside: string; readonly receiver: string; readonly place: string };

export const WALLET: Way = { outside: 'blockchain', receiver: 'main', place: 'external' };
export const PAIR: Way = { outside: 'person', receiver: 'a', place: 'in-transit' };

/** One side of a transfer, of which the entries follow each other. */
export const sideOf = (
  entity: string,
  [name, day]: readonly [string, string],
  legOf: (units: string) => string,
) => {
  let [standing, amount] = [null as Made | null, ''];
  const send = async (units: string, period?: string): Promise<void> => {
    const late = period === undefined || period === day.slice(0, 7) ? {} : { period };
    standing = await booked({ day, ...late, name, entity }, [legOf(units)]);
    amount = units;
  };
  const undo = async (instant: string, period: string): Promise<void> => {
    if (standing === null) return;
    const originalPeriod = period === instant.slice(0, 7) ? null : instant.slice(0, 7);
    const late = { ordinal: standing.ordinal + 1, recordedAt: instant, period, originalPeriod };
    await post(books.db, [reversalOf(standing, instant, { ...standing, ...late })]);
    standing = null;
  };
  return {
    send,
    cancel: (month: string) => undo(`${month}-10T12:00:00.000Z`, month),
    correct: async (units: string, period: string): Promise<void> => {
      await undo(`${day}T12:00:00.000Z`, period);
      await send(units, period);
    },
    standing: () => ({ entry: standing, amount }),
  };
};

/** The two entities of one taxpayer, and whose the wallet is. */
export const taxedBy = async (method: string, rules: string): Promise<void> => {
  await books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('a', 'a', 'UTC', 'EUR', '2026-01-01')`,
  );
  await taxed(['main', 'a'], { taxpayer: 'T', method, rules });
  await officialRates('2026-05-31');
  await books.pool.query(`
    insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', now());
    insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'a wallet', 'own')`);
};
