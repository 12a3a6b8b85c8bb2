// Profiles: a named person sets the profile of an entity; every version is stored, and fixed fields stay.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Profile, WantedProfile } from '../../src/approvals/profile.ts';
import { profilesChange, profilesOf, readProfiles } from '../../src/approvals/profiles.ts';
import { post } from '../../src/ledger/entries.ts';
import { entryOf } from '../../src/ledger/posting.ts';
import { refuseOtherSettings, type Settings } from '../../src/run/settings.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { byBoth } from './both.ts';
import { fileOf } from './desk.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());
beforeEach(async () => {
  await books.pool.query('truncate decide.profiles, decide.proposals, run.entities, decide.seals cascade');
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values
    ('main', 'main', 'UTC', 'EUR', now()), ('sub', 'sub', null, null, now())`);
});

const HEAD =
  'entity_id,legal_name,tax_id,taxpayer,owner,currency,timezone,cost_method,fiscal_year_start,lot_rules';
const wanted = (...lines: string[]): WantedProfile[] =>
  readProfiles(fileOf([HEAD, ...lines].join('\n'), 'entities.csv'));

/** Approves the lines; returns the changed entities and their versions. */
const keep = async (lines: string[], settings: Settings = { timezone: 'UTC', currency: 'EUR' }) => {
  const change = await profilesChange(books.db, { wanted: wanted(...lines), settings });
  if (change === null) return [];
  await byBoth(books.db, change, { settings });
  return change.wanted.map(({ entity, base }) => ({ entity, version: Number.parseInt(base, 10) + 1 }));
};

const rows = async (sql: string) => (await books.pool.query(sql)).rows;
const close = (period = '2026-10', entity = 'main') =>
  rows(`insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
    values ('${entity}', '${period}', 1, 1, 0, repeat('0', 64), '{}', 'Ada', now())`);

const entryIn = (entity: string, day: string) =>
  entryOf(
    {
      kind: 'movement',
      effectiveAt: `${day}T12:00:00.000Z`,
      description: 'a deposit',
      legs: [{ debit: 'assets:trading', credit: 'equity:external:bank', currency: 'EUR', amount: '1' }],
    },
    {
      entity,
      stream: 'movements',
      recordId: 'one',
      ordinal: 1,
      version: 1,
      ruleVersion: 1,
      recordedAt: `${day}T13:00:00.000Z`,
      period: day.slice(0, 7),
      originalPeriod: null,
    },
  );

test('a file takes effect as a whole, omitted fields have their default, and every version is stored', async () => {
  const lines = ['main,"Acme, SL",B123,acme,,EUR,UTC,average,,', 'sub,,,acme,client,,,average,,'];
  expect(await keep(lines)).toEqual([
    { entity: 'main', version: 1 },
    { entity: 'sub', version: 1 },
  ]);
  expect(await keep(lines)).toEqual([]);
  expect(await keep(['sub,Beta,,acme,client,,,average,,'])).toEqual([{ entity: 'sub', version: 2 }]);
  expect(
    await rows(`select entity_id, legal_name, tax_id, taxpayer, owner, currency, timezone, cost_method, version, set_by
      from books.profiles order by 1`),
  ).toEqual([
    {
      entity_id: 'main',
      legal_name: 'Acme, SL',
      tax_id: 'B123',
      taxpayer: 'acme',
      owner: 'own',
      currency: 'EUR',
      timezone: 'UTC',
      cost_method: 'average',
      version: 1,
      set_by: 'Ada',
    },
    {
      entity_id: 'sub',
      legal_name: 'Beta',
      tax_id: null,
      taxpayer: 'acme',
      owner: 'client',
      currency: null,
      timezone: null,
      cost_method: 'average',
      version: 2,
      set_by: 'Ada',
    },
  ]);
  expect(await rows('select version from decide.profiles')).toHaveLength(3);
});

test('an entity without a profile is its own taxpayer, ours, with FIFO', async () => {
  expect(
    await rows("select taxpayer, owner, cost_method, version from books.profiles where entity_id = 'sub'"),
  ).toEqual([{ taxpayer: 'sub', owner: 'own', cost_method: 'fifo', version: null }]);
});

describe('a file is refused as a whole:', () => {
  const REFUSED: Readonly<Record<string, [string, RegExp]>> = {
    'an owner of another kind': [
      'main,,,,mine,,,,,',
      /entities\.csv: line 3, column owner: "mine": write own or client/,
    ],
    'a zone that is none': ['main,,,,,,Mars,,,', /line 3, column timezone: "Mars": write an IANA name/],
    'a cost method of another kind': [
      'main,,,,,,,lifo,,',
      /line 3, column cost_method: "lifo": write fifo or average or hifo or specific/,
    ],
    'a currency in small letters': [
      'main,,,,,eur,,,,',
      /line 3, column currency: "eur": write 2 to 12 capitals/,
    ],
    'a name that cannot be seen': [
      'main,a\u202eb,,,,,,,,',
      /line 3, column legal_name: .*one line of at most 200/,
    ],
    nobody: [',Acme,,,,,,,,', /line 3, column entity_id: is empty/],
    'an entity twice': ['sub,,,,,,,,,', /line 3, column entity_id: sub is also in line 2/],
    'an unknown entity': ['nobody,,,,,,,,,', /line 3: no books of entity nobody/],
    'another currency than that of the first entry': [
      'main,,,,,USD,,,,',
      /line 3: the currency of main is EUR since its first entry: it cannot become USD/,
    ],
    'two methods of one taxpayer': [
      'main,,,sub,,,,average,,',
      /line 3: main and sub are of taxpayer sub, and a taxpayer has one cost method: set average or fifo for both, in one file/,
    ],
  };
  test.each(Object.entries(REFUSED))('%s', async (_, [line, says]) => {
    await expect((async () => keep(['sub,Beta,,,,,,,,', line]))()).rejects.toThrow(says);
    expect((await profilesOf(books.db)).size).toBe(0);
  });
});

test('the first close freezes cost method and timezone', async () => {
  await close();
  await expect(keep(['main,,,,,,,average,,'])).rejects.toThrow(
    'line 2: the cost method of main is fifo since 2026-10 was closed: it cannot become average',
  );
  await expect(keep(['main,,,,,,Europe/Madrid,,,'])).rejects.toThrow(
    'the timezone of main is UTC since its first entry, and 2026-10 is closed: it cannot become Europe/Madrid',
  );
  await keep(['main,Acme,,,,EUR,UTC,fifo,,']); // no change
});

test('the first month of fiscal years is stored as text, and is fixed like the currency', async () => {
  const april = ['sub,,,,,,,,4,'];
  await expect(keep(['sub,,,,,,,,13,'])).rejects.toThrow(
    'column fiscal_year_start: "13": write a month from 1 to 12',
  );
  await expect(keep(['main,,,,,,,,4,'])).rejects.toThrow(
    'the first month of fiscal years of main is 1 since its first entry: it cannot become 4',
  );
  await expect(keep(april)).rejects.toThrow('set TIEOUT_FISCAL_YEAR_START=4 first');
  const settings = { timezone: 'UTC', currency: 'EUR', fiscalYearStart: 4 };
  expect(await keep(april, settings)).toEqual([{ entity: 'sub', version: 1 }]);
  expect(await keep(april, settings)).toEqual([]);
  await expect(
    refuseOtherSettings(books.db, { entity: 'sub', ...settings, fiscalYearStart: 7 }),
  ).rejects.toThrow('TIEOUT_FISCAL_YEAR_START is 7, but the profile of sub (set by Ada) has 4');
  await refuseOtherSettings(books.db, { entity: 'sub', ...settings });
  expect(await rows('select entity_id, fiscal_year_start from books.profiles order by 1')).toEqual([
    { entity_id: 'main', fiscal_year_start: 1 },
    { entity_id: 'sub', fiscal_year_start: 4 },
  ]);
});

test('lot rules have one form, are those of all entities of a taxpayer, and are frozen by the first close', async () => {
  await keep(['main,,,,,,,,,"swap-fee:cost, network-fee:cost without-lot:unknown"']);
  expect(await keep(['main,,,,,,,,,network-fee:cost swap-fee:cost'])).toEqual([]);
  expect(await rows("select lot_rules from books.profiles where entity_id = 'main'")).toEqual([
    { lot_rules: 'network-fee:cost swap-fee:cost' },
  ]);
  await expect(keep(['sub,,,main,,,,,,'])).rejects.toThrow('a taxpayer has one set of lot rules');
  await expect(keep(['main,,,,,,,,,swap-fee:half'])).rejects.toThrow(
    /line 2, column lot_rules: "swap-fee:half": write rules such as swap-fee:cost/,
  );
  await close();
  await expect(keep(['main,,,,,,,,,swap-fee:cost'])).rejects.toThrow(
    'line 2: the set of lot rules of main is network-fee:cost swap-fee:cost since 2026-10 was closed: it cannot become swap-fee:cost',
  );
});

test('no entity leaves a taxpayer with a closed month, and one with entries in it joins none', async () => {
  await keep(['main,,,Acme,,,,,,', 'sub,,,Acme,,,,,,']);
  await close();
  await expect(keep(['main,,,Other,,,,,,'])).rejects.toThrow(
    'line 2: the taxpayer of main is Acme, and cannot become Other: 2026-10 of main is closed, and its lots stay with Acme',
  );
  await expect(keep(['sub,,,,,,,,,'])).rejects.toThrow(
    'line 2: the taxpayer of sub is Acme, and cannot become sub: 2026-10 of main is closed, and its lots stay with Acme',
  );
  await rows(
    `insert into run.entities (entity_id, name, first_seen_at) select unnest('{older,later}'::text[]), 'later', now()`,
  );
  await post(books.db, [entryIn('older', '2026-10-31'), entryIn('later', '2026-11-01')]);
  await expect(keep(['older,,,Acme,,,,,,'])).rejects.toThrow(
    'line 2: the taxpayer of older is older, and cannot become Acme: 2026-10 of main is closed, and older has entries since 2026-10: reopen the closed months from then on first (npx tieout reopen)',
  );
  expect(await keep(['later,,,Acme,,,,,,'])).toEqual([{ entity: 'later', version: 1 }]);
  await rows(
    "insert into run.entities (entity_id, name, first_seen_at) values ('reopened', 'reopened', now())",
  );
  const late = { ...entryIn('reopened', '2019-12-31'), period: '2026-11', originalPeriod: '2019-12' };
  await post(books.db, [late, { ...entryIn('reopened', '2026-05-01'), recordId: 'two' }]);
  await expect(keep(['reopened,,,Acme,,,,,,'])).rejects.toThrow('reopened has entries since 2019-12');
  await rows(
    `insert into run.entities (entity_id, name, first_seen_at) select unnest('{ahead,third}'::text[]), 'ahead', now()`,
  );
  await post(books.db, [entryIn('third', '2026-11-01')]);
  await keep(['ahead,,,Acme,,,,,,']);
  await close('2026-11', 'ahead');
  await expect(keep(['third,,,Acme,,,,,,'])).rejects.toThrow('2026-11 of ahead is closed');
});

test('the month from which each place has a pool of its own may still be set or moved if it is not closed', async () => {
  await close();
  await expect(keep(['main,,,,,,,,,wallets-from:2026-10-01'])).rejects.toThrow(
    'line 2: the set of lot rules of main is default since 2026-10 was closed: it cannot become wallets-from:2026-10-01',
  );
  await keep(['main,,,,,,,,,wallets-from:2026-11-01']);
  await keep(['main,,,,,,,,,wallets-from:2027-01-01']);
  await expect(keep(['main,,,,,,,,,wallets-from:2027-01-01 swap-fee:cost'])).rejects.toThrow(
    'it cannot become',
  );
  await keep(['main,,,,,,,,,']);
});

test('before the first entry a profile and the environment must agree, whichever is first', async () => {
  const dollars = ['sub,,,,,USD,,,,'];
  await expect(keep(dollars)).rejects.toThrow(
    'the currency of sub cannot be USD while TIEOUT_CURRENCY is EUR: its books will use that; set TIEOUT_CURRENCY=USD first',
  );
  await keep(dollars, { timezone: 'UTC', currency: 'USD' });
  const begin = (currency: string) =>
    refuseOtherSettings(books.db, { entity: 'sub', timezone: 'UTC', currency });
  await expect(begin('EUR')).rejects.toThrow(
    'TIEOUT_CURRENCY is EUR, but the profile of sub (set by Ada) has USD: set TIEOUT_CURRENCY=USD, or update the profile with npx tieout entities set',
  );
  await begin('USD');
  const profile: Partial<Profile> | undefined = (await profilesOf(books.db)).get('sub');
  expect(profile).toMatchObject({ currency: 'USD', timezone: null });
});
