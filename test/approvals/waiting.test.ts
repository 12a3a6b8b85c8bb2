// What the list of proposals that await approval says of each.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waiting } from '../../src/actions/proposals.ts';
import {
  approve,
  type Change,
  type Content,
  openingContent,
  propose,
} from '../../src/approvals/approvals.ts';
import type { Work } from '../../src/run/work.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('main', 'main', 'UTC', 'EUR', now())`);
});
afterAll(() => books.close());

const SETTINGS = { timezone: 'UTC', currency: 'EUR', fiscalYearStart: 1, platformClass: null };
const ACCEPT: Change = {
  action: 'accept',
  description: 'value findings',
  base: '0',
  period: '2026-10',
  findings_max: '3',
};

const desk = () => ({ db: books.db, decider: books.db, settings: SETTINGS });

const prepared = async (reason: string): Promise<string> => {
  const request = { entity: 'main', content: ACCEPT, reason, by: 'Ada', evidence: null };
  return (await propose(desk(), request)).proposal.proposal_id;
};

const obstacles = async () => {
  const shown = await waiting({ db: books.db, config: SETTINGS as Work['config'] }, 'main');
  return Object.fromEntries(shown.map(({ proposal, obstacle }) => [proposal.proposal_id, obstacle]));
};

test('one that can only be refused is listed with the reason, as an approval states it', async () => {
  const [first, second] = [await prepared('as agreed'), await prepared('again')];
  expect(await obstacles()).toEqual({ [first]: null, [second]: null });
  await approve(desk(), { id: first, entity: 'main', by: 'Grace' });
  const superseded = expect.stringContaining('other acceptance took effect since it was prepared');
  expect(await obstacles()).toEqual({ [second]: superseded });
  await expect(approve(desk(), { id: second, entity: 'main', by: 'Grace' })).rejects.toThrow(
    /cannot be approved, only refused: other acceptance took effect/,
  );
  await books.pool.query(`update decide.proposals set reason = 'another' where proposal_id = '${second}'`);
  expect(await obstacles()).toEqual({ [second]: 'it has changed since it was prepared' });
});

const opening = (currency: string, units: string, account = 'assets:trading'): Content => {
  const lot = { account, currency, units, cost: null, cost_currency: null, acquired_on: null };
  const leg = { debit: account, credit: 'equity:opening', currency, amount: units };
  return openingContent({ effectiveAt: '2020-01-01T00:00:00.000Z', legs: [leg], lots: [lot] });
};

const cautionsOfWaiting = async (ids: readonly string[]) => {
  const shown = await waiting({ db: books.db, config: SETTINGS as Work['config'] }, 'main');
  const byId = new Map(shown.map(({ proposal, cautions }) => [proposal.proposal_id, cautions]));
  return ids.map((id) => byId.get(id));
};

test('two openings of one account that wait name each other, until one is refused or approved', async () => {
  const openings = await Promise.all(
    [opening('EUR', '5'), opening('EUR', '7'), opening('USD', '5')].map(async (content) => {
      const request = { entity: 'main', content, reason: 'from before', by: 'Ada', evidence: null };
      return (await propose(desk(), request)).proposal.proposal_id;
    }),
  );
  const cautions = () => cautionsOfWaiting(openings);
  const [one = '', other = ''] = openings;
  const otherOpening = (id: string) => [
    `assets:trading EUR is in another opening that awaits approval, proposal ${id}: approve both only if each has its own part of the balance`,
  ];
  expect(await cautions()).toEqual([otherOpening(other), otherOpening(one), []]);
  await approve(desk(), { id: one, entity: 'main', by: 'Grace' });
  expect(await cautions()).toEqual([undefined, [expect.stringContaining('was opened before, by entry')], []]);
});

test('an opening in a pocket of another currency says so, and one of its own currency says nothing of it', async () => {
  await books.pool.query(`insert into land.pockets values ('main', 'P-Btc', 'BTC', now())`);
  const cautions = async (currency: string) => {
    const content = opening(currency, '3', 'assets:pocket:p-btc');
    const request = { entity: 'main', content, reason: 'held before', by: 'Ada', evidence: null };
    const { proposal_id } = (await propose(desk(), request)).proposal;
    const shown = await waiting({ db: books.db, config: SETTINGS as Work['config'] }, 'main');
    return shown.find(({ proposal }) => proposal.proposal_id === proposal_id)?.cautions;
  };
  expect(await cautions('EUR')).toEqual([
    'assets:pocket:p-btc is a pocket of BTC, and this books EUR on it: check the id of the pocket',
  ]);
  expect(await cautions('BTC')).toEqual([]);
});

const adjustment = (amount: string): Content => ({
  action: 'adjust',
  effective_at: '2020-02-10T00:00:00.000Z',
  description: 'adjustment',
  legs: [['expenses:fees:teller', 'equity:external:bank', 'EUR', amount]],
});

test('an adjustment names each other of the same legs and date, waiting or approved', async () => {
  const [first = '', second = '', third = ''] = await Promise.all(
    [
      ['Ada', '5'],
      ['Ben', '5'],
      ['Ben', '6'],
    ].map(async ([by = '', amount = '']) => {
      const request = { entity: 'main', content: adjustment(amount), reason: 'a fee', by, evidence: null };
      return (await propose(desk(), request)).proposal.proposal_id;
    }),
  );
  const sameAs = (other: string) => [
    `${other} has the same legs and date: approve this one only if it happened twice`,
  ];
  expect(await cautionsOfWaiting([first, second, third])).toEqual([
    sameAs(`proposal ${second} by Ben, which awaits approval,`),
    sameAs(`proposal ${first} by Ada, which awaits approval,`),
    [],
  ]);
  const { entryId } = await approve(desk(), { id: first, entity: 'main', by: 'Grace' });
  expect(await cautionsOfWaiting([second])).toEqual([sameAs(`entry ${entryId} by Ada`)]);
});

test('an entry of a closed month says in which month it would count', async () => {
  await books.pool.query(`insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
    values ('main', '2020-02', 1, 1, 0, repeat('0', 64), '{}', 'Ada', now())`);
  const content = adjustment('8');
  const request = { entity: 'main', content, reason: 'late', by: 'Ada', evidence: null };
  const id = (await propose(desk(), request)).proposal.proposal_id;
  expect(await cautionsOfWaiting([id])).toEqual([['2020-02 is closed: this entry would count in 2020-03']]);
});
