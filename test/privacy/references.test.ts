// Personal data of the streams that explain others: a unique word is planted in every personal field of a record of each,
// and only the table of people has it. What is public stays: chain addresses, names of exchanges, banks and assets.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REFERENCE_NAMES, type ReferenceName, recordIdOf, type WireRecord } from '../../src/base/streams.ts';
import { instantAt, openStage, type Stage } from '../land/stage.ts';

const NEEDLE = 'ZANZIBAR';
const PUBLIC = '0xPUBLIC';

const ANYWHERE = {
  name: NEEDLE,
  fullName: `${NEEDLE} Pérez`,
  email: `${NEEDLE}@example.org`,
  phone: { countryCode: '+34', number: NEEDLE },
  alias: `@${NEEDLE}`,
  concept: NEEDLE,
  note: `for ${NEEDLE}`,
};
const EVERYWHERE = Object.keys(ANYWHERE);
const createdAt = instantAt(0);

type Plant = {
  readonly record: WireRecord;
  /** The paths of the planted values. */
  readonly sealed: readonly string[];
  /** What stays readable in the payload. */
  readonly open: readonly string[];
};

const RECORDS: Readonly<Record<ReferenceName, Plant>> = {
  'address-book': {
    record: {
      ...ANYWHERE,
      addressId: 'a1',
      surname: NEEDLE,
      address: PUBLIC,
      network: 'ethereum',
      exchangeName: 'Kraken',
      personType: 'person',
      walletOwnership: 'other',
      createdAt,
    },
    sealed: [...EVERYWHERE, 'surname'],
    open: [PUBLIC, 'ethereum', 'Kraken'],
  },
  'deposit-addresses': {
    record: {
      ...ANYWHERE,
      pocketId: 'p1',
      network: 'bitcoin',
      address: PUBLIC,
      status: 'enabled',
      createdAt,
    },
    sealed: EVERYWHERE,
    open: [PUBLIC, 'bitcoin'],
  },
  'social-pay-orders': {
    record: {
      ...ANYWHERE,
      orderId: 's1',
      type: 'email',
      senderName: NEEDLE,
      statusChanges: [
        { author: NEEDLE, created: createdAt, newStatus: 'accepted', reason: `from ${NEEDLE}` },
      ],
      status: 'accepted',
      createdAt,
    },
    sealed: [...EVERYWHERE, 'senderName', 'statusChanges.0.author', 'statusChanges.0.reason'],
    open: ['accepted'],
  },
  'pocket-references': {
    record: {
      ...ANYWHERE,
      pocketId: 'p1',
      pocket: { pocketId: 'p1', reference: 'REF1', pocketName: NEEDLE },
      bankAccounts: {
        EUR: { account: NEEDLE, address: `${NEEDLE} street`, bankName: 'Banco', beneficiary: NEEDLE },
      },
    },
    sealed: [
      ...EVERYWHERE,
      'pocket.pocketName',
      'bankAccounts.EUR.account',
      'bankAccounts.EUR.address',
      'bankAccounts.EUR.beneficiary',
    ],
    open: ['REF1', 'Banco'],
  },
  'trading-orders': {
    record: { ...ANYWHERE, id: 'o1', symbol: 'BTC/EUR', side: 'buy', status: 'open', createdAt },
    sealed: EVERYWHERE,
    open: ['BTC/EUR'],
  },
  'teller-orders': {
    record: { ...ANYWHERE, orderId: 'k1', status: 'pending', bankAccount: NEEDLE },
    sealed: [...EVERYWHERE, 'bankAccount'],
    open: ['pending'],
  },
  'loan-orders': {
    record: { ...ANYWHERE, id: 'l1', status: 'active', loanSymbol: 'EUR', createdAt },
    sealed: EVERYWHERE,
    open: ['active', 'EUR'],
  },
  assets: { record: { symbol: 'BTC', name: 'Bitcoin', createdAt }, sealed: [], open: ['Bitcoin'] },
};

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  for (const stream of REFERENCE_NAMES) await stage.land([{ rows: [RECORDS[stream].record] }], { stream });
});
afterAll(() => stage.close());

test.each(REFERENCE_NAMES)('a record of %s is sealed, and what is public stays', async (stream) => {
  const { record, sealed, open } = RECORDS[stream];
  const id = [stream, recordIdOf(stream, record)];
  const people = await stage.rows('select path from land.people where (stream, record_id) = ($1, $2)', id);
  expect(people.map(({ path }) => path).sort()).toEqual([...sealed].sort());
  const [landed] = await stage.rows(
    'select payload from land.records where (stream, record_id) = ($1, $2)',
    id,
  );
  for (const word of open) expect(landed?.payload).toContain(word);
});

test('no table and no view except that of people has a planted value', async () => {
  const tables = await stage.rows(`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('run', 'land', 'ledger', 'reconcile', 'decide') and tablename <> 'people'
    union all
    select schemaname || '.' || viewname from pg_views where schemaname = 'books'`);
  expect(tables.length).toBeGreaterThan(30);
  for (const { name } of tables) {
    const text = JSON.stringify(await stage.rows(`select * from ${name}`));
    expect([name, text.includes(NEEDLE)]).toEqual([name, false]);
  }
  const people = JSON.stringify(await stage.rows('select value from land.people'));
  expect(people).toContain(NEEDLE);
  expect(people).not.toContain(PUBLIC);
});
