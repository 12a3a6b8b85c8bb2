// Personal data apart: a record's payload has none of it, and erasing it changes no proof.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { seal } from '../../src/privacy/people.ts';
import { instantAt, openStage, type Stage } from '../land/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** A transfer to a person, with every personal field. */
const transfer = (id: string): WireRecord => ({
  id,
  date: instantAt(0),
  status: 'completed',
  type: 'transfer',
  subtype: 'social-pay',
  origin: { class: 'pocket', pocketId: 'p1', pocketName: 'Savings of Ana', amount: '5', currency: 'EUR' },
  destination: {
    class: 'email',
    email: 'luz@example.org',
    alias: '@luz',
    fullName: 'Luz Pérez',
    amount: '5',
    currency: 'EUR',
    phone: { countryCode: '+34', number: '600000001' },
  },
  note: 'rent of March',
  concept: 'flat 3B',
});

const bankDeposit = (id: string): WireRecord => ({
  id,
  date: instantAt(0),
  status: 'completed',
  origin: {
    class: 'bank-transfer',
    bankAccount: 'ES9121000418450200051332',
    address: 'Calle Mayor 1',
    amount: '5',
  },
  destination: { class: 'pocket', pocketId: 'p1', amount: '5', currency: 'EUR' },
});

const PERSONAL = [
  'Savings of Ana',
  'luz@example.org',
  '@luz',
  'Luz Pérez',
  '600000001',
  '+34',
  'rent of March',
  'flat 3B',
  'ES9121000418450200051332',
  'Calle Mayor 1',
];

test.each([
  { emails: ['luz@example.org'] },
  { phones: [{ number: '600000001' }] },
  { givenName: 'Luz', familyName: 'Luz Pérez' },
  { accountHolder: 'Luz Pérez' },
  { payerName: 'Luz Pérez', memo: 'rent of March' },
  { emailAddress: 'luz@example.org', userAlias: '@luz' },
  { company: { destination: 'Luz Pérez' } },
  { recipient: 'Luz Pérez', sender: { title: 'Luz Pérez' }, customerName: 'Luz Pérez' },
  { userNote: 'rent of March', paymentConcept: 'flat 3B' },
  { addresses: ['Calle Mayor 1'], addressLine1: 'Calle Mayor 1', street: 'Calle Mayor 1', city: 'flat 3B' },
  {
    nif: '600000001',
    dni: '600000001',
    identityNumber: '600000001',
    nick: '@luz',
    counterparty: 'Luz Pérez',
  },
  {
    title: 'flat 3B',
    description: 'rent of March',
    message: 'Luz Pérez',
    bankMessage: 'flat 3B',
    remarks: ['@luz'],
  },
  { mobile: '600000001', identityDocument: { number: '600000001' } },
])('%o in a part of a record that the specification does not show is personal', async (fields) => {
  const { payload, people } = seal(
    { id: 'w9', origin: { class: 'email', parts: [fields] } },
    Buffer.alloc(32),
  );
  for (const text of PERSONAL) expect(JSON.stringify(payload)).not.toContain(text);
  expect(people).toHaveLength(Object.keys(fields).length);
});

describe('a record with personal data', () => {
  beforeAll(() => stage.tell('wallet-transactions', transfer('w1'), bankDeposit('w2')));

  test('has none of it in its payload, nor anywhere else outside the table of people', async () => {
    const tables = ['land.records', 'land.requests', 'land.pages', 'land.inbox', 'books.wallet_transactions'];
    for (const table of tables) {
      const text = JSON.stringify(await stage.rows(`select * from ${table}`));
      expect(
        PERSONAL.filter((one) => text.includes(one)),
        table,
      ).toEqual([]);
    }
  });

  test('stores all of it apart, by record and path', async () => {
    const rows = await stage.rows('select path, value from land.people order by record_id, path collate "C"');
    expect(rows.map(({ path }) => path)).toEqual([
      'concept',
      'destination.alias',
      'destination.email',
      'destination.fullName',
      'destination.phone',
      'note',
      'origin.pocketName',
      'origin.address',
      'origin.bankAccount',
    ]);
    const stored = JSON.stringify(rows);
    expect(PERSONAL.filter((one) => !stored.includes(one))).toEqual([]);
  });

  test('is unchanged when it arrives again, and a change of one name is a new version', async () => {
    expect(await stage.tell('wallet-transactions', transfer('w1'))).toMatchObject({ fresh: 0, changed: 0 });
    const renamed = { ...transfer('w1'), note: 'rent of April' };
    expect(await stage.tell('wallet-transactions', renamed)).toMatchObject({ changed: 1 });
  });

  test('shows the end of a bank account only if it is one text and ends in digits, never of a name beside a number', async () => {
    const account = { iban: 'ES9121000418450200051332', bank: 'Luz Pérez' };
    await stage.tell('wallet-transactions', {
      ...bankDeposit('w8'),
      origin: { class: 'bank', bankAccount: account },
    });
    const inAccounts = { w9: 'ES9121000418450200051332 Luz Pérez', wa: 'Luz Pérez Hermanos' };
    for (const [id, bankAccount] of Object.entries(inAccounts))
      await stage.tell('wallet-transactions', { ...bankDeposit(id), origin: { class: 'bank', bankAccount } });
    const rows = await stage.rows('select record_id, account from books_internal.masked_accounts order by 1');
    expect(rows).toEqual([
      { record_id: 'w2', account: 'ES****1332' },
      { record_id: 'w9', account: 'ES****' },
      { record_id: 'wa', account: '****' },
    ]);
  });

  test('preserves an address on a chain, which is not a postal address', async () => {
    const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
    const record = {
      id: 'w3',
      date: instantAt(0),
      destination: { class: 'blockchain', address, addressTag: '7' },
    };
    await stage.tell('wallet-transactions', record);
    const [row] = await stage.rows("select payload from land.records where record_id = 'w3'");
    expect(row?.payload).toContain(address);
  });

  test('leaves fields without a value unchanged: they are not personal', async () => {
    await stage.tell('wallet-transactions', { id: 'w4', date: instantAt(0), note: null, concept: '' });
    const [row] = await stage.rows("select payload from land.records where record_id = 'w4'");
    expect(row?.payload).toBe(`{"concept":"","date":"${instantAt(0)}","id":"w4","note":null}`);
  });
});

describe('a commitment', () => {
  const payloads = () => stage.rows("select entity_id, payload from land.records where record_id = 'w5'");

  test('of the same name differs between two sets of books', async () => {
    const sub = { entity: 'sub-1', stream: 'wallet-transactions', key: Buffer.alloc(32, 7) } as const;
    await stage.land([{ rows: [transfer('w5')] }], sub);
    await stage.tell('wallet-transactions', transfer('w5'));
    const [a, b] = (await payloads()).map(({ payload }) => JSON.parse(String(payload)).note);
    expect(a).toMatch(/^personal:[0-9a-f]{64}$/);
    expect(b).toMatch(/^personal:[0-9a-f]{64}$/);
    expect(a).not.toBe(b);
  });

  test('survives an erasure: every digest matches, and the record is unchanged', async () => {
    await stage.rows('delete from land.people');
    const sound = await stage.rows(
      "select bool_and(sha256(convert_to(payload, 'UTF8')) = digest) as sound from land.records",
    );
    expect(sound).toEqual([{ sound: true }]);
    expect(await stage.tell('wallet-transactions', transfer('w5'))).toMatchObject({ fresh: 0, changed: 0 });
    expect(await stage.rows('select * from land.people')).toEqual([]);
  });
});
