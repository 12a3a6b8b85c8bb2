// Funding: the address book and its states, deposit addresses, bank references, travel-rule data and IBANs.
import { expect, test } from 'vitest';
import type { Loose } from './asker.ts';
import { type Desk, deskOf } from './desk.ts';

const ADDRESS = `0x${'ab12'.repeat(10)}`;
const ENTRY = {
  address: ADDRESS,
  currency: 'ETH',
  network: 'ethereum',
  name: 'Eva',
  surname: 'Example',
  personType: 'person',
  walletOwnership: 'other',
  walletType: 'unhosted',
};

const add = (desk: Desk, change: object = {}, entity = 'main') =>
  desk.call('address-book-create', { entity, body: { ...ENTRY, ...change } });

const pocketOf = (desk: Desk, currency: string): string =>
  desk.world.pockets('main').find((pocket) => pocket.currency === currency)?.id ?? 'none';

test('an entry is validating, a subaccount confirms it, and confirming again changes nothing', () => {
  const desk = deskOf();
  const sub = desk.world.entities[1]?.entityId ?? '';
  const heard: Loose[] = [];
  desk.platform.notices.subscribe((notice) => void heard.push(notice));
  const entry = add(desk, {}, sub).body;
  expect(entry).toMatchObject({ ...ENTRY, status: 'validating', userId: sub });
  const confirm = () =>
    desk.call('address-book-confirm', { entity: sub, params: { addressBookId: entry.addressId } });
  desk.world.advance(1000);
  expect(confirm().status).toBe(204);
  const listed = () =>
    desk.call('address-book', { entity: sub, query: { currency: 'ETH', network: 'ethereum' } }).body;
  const verified = listed().find((row: Loose) => row.addressId === entry.addressId);
  expect(verified).toMatchObject({ status: 'verified', createdAt: entry.createdAt });
  expect(verified.updatedAt > entry.updatedAt).toBe(true);
  expect(confirm().status).toBe(204);
  expect(listed()).toContainEqual(verified);
  expect(heard.map(({ type, payload }) => [type, payload.status])).toEqual([
    ['address-book-updated-v1', 'validating'],
    ['address-book-updated-v1', 'verified'],
  ]);
});

test('the main account cannot confirm, an unknown entry is not found, and books are separate', () => {
  const desk = deskOf();
  const sub = desk.world.entities[1]?.entityId ?? '';
  const { addressId: addressBookId } = add(desk).body;
  expect(desk.call('address-book-confirm', { params: { addressBookId } }).status).toBe(403);
  expect(desk.call('address-book-confirm', { entity: sub, params: { addressBookId } }).status).toBe(404);
});

test.each([
  ['the same address again', {}, 406],
  ['the same address in the case of its checksum', { address: `0x${'Ab12'.repeat(10)}` }, 406],
  ['the same address for another currency', { currency: 'USDC' }, 200],
  ['the form of another network', { address: 'bc1qexampleexampleexampleexampleexample' }, 400],
  ['a network of another currency', { network: 'bitcoin' }, 422],
  ['an unknown network', { network: 'moon' }, 422],
  ['a tag where none is used', { address: ADDRESS.replaceAll('a', 'c'), tag: '1' }, 400],
  [
    'a tag where one is used',
    { currency: 'USDC', network: 'stellar', address: `G${'A'.repeat(55)}`, tag: '77' },
    200,
  ],
  ['a company without a surname', { address: ADDRESS.replaceAll('a', 'd'), personType: 'company' }, 200],
])('%s gives %j %i', (_, change, status) => {
  const desk = deskOf();
  add(desk);
  expect(add(desk, change).status).toBe(status);
});

test('the status is checked and does not filter; the book begins with addresses of the history', () => {
  const desk = deskOf();
  const all = desk.call('address-book').body;
  expect(all.length).toBeGreaterThan(0);
  expect(desk.call('address-book', { query: { status: 'expired' } }).body).toEqual(all);
  expect(() => desk.call('address-book', { query: { status: 'moon' } })).toThrow(/status/);
  const sent = desk.world
    .rows('main', 'wallet-transactions')
    .map(({ body }) => (body.destination as Loose)?.address);
  const waiting = all.filter(({ status }: Loose) => status === 'validating');
  expect(waiting).toHaveLength(1);
  for (const { address, status } of all) expect(sent.includes(address)).toBe(status === 'verified');
});

test('a deposit address is pending at first, and listed with its address once time has passed', () => {
  const desk = deskOf();
  const target = { network: 'stellar', walletPocketId: pocketOf(desk, 'USDC') };
  const list = () => desk.call('deposit-addresses', { query: target }).body;
  expect(list()).toEqual([]);
  expect(desk.call('deposit-address-create', { body: target }).body).toEqual({ status: 'pending' });
  expect(list()).toEqual([]);
  desk.world.advance(60_000);
  const [row, ...others] = list();
  expect([row, others]).toMatchObject([{ network: 'stellar', status: 'enabled' }, []]);
  expect(row.address).toMatch(/^G[A-Z2-7]{55}$/);
  expect(desk.call('deposit-address-create', { body: target }).body).toEqual({ status: 'enabled' });
  expect(list()).toEqual([row]);
});

test('pockets that received coins before have an address', () => {
  const desk = deskOf();
  const received = desk.world
    .rows('main', 'wallet-transactions')
    .filter(({ body }) => body.method === 'blockchain' && body.type === 'deposit')
    .map(({ body }) => (body.destination as Loose).pocketId);
  for (const walletPocketId of desk.world
    .pockets('main')
    .filter(({ currency }) => currency === 'ETH')
    .map(({ id }) => id)) {
    const { body } = desk.call('deposit-addresses', { query: { network: 'ethereum', walletPocketId } });
    expect(body.length).toBe(received.includes(walletPocketId) ? 1 : 0);
  }
});

test.each(['deposit-address-create', 'deposit-addresses'])(
  '%s refuses another network and another pocket',
  (name) => {
    const desk = deskOf();
    const ask = (target: { network: string; walletPocketId: string }) =>
      desk.call(name, name === 'deposit-addresses' ? { query: target } : { body: target }).status;
    expect(ask({ network: 'moon', walletPocketId: pocketOf(desk, 'BTC') })).toBe(422);
    expect(ask({ network: 'bitcoin', walletPocketId: pocketOf(desk, 'EUR') })).toBe(422);
    const foreign = desk.world.pockets(desk.world.entities[1]?.entityId ?? '')[0]?.id ?? '';
    expect(ask({ network: 'bitcoin', walletPocketId: foreign })).toBe(404);
  },
);

test('the reference of a pocket is stable, and the accounts are valid', () => {
  const desk = deskOf();
  const pocketId = pocketOf(desk, 'EUR');
  const first = desk.call('pocket-reference', { query: { pocketId } }).body;
  expect(first.pocket).toMatchObject({ pocketId, reference: expect.stringMatching(/^P[0-9A-F]{9}$/) });
  expect(desk.call('pocket-reference', { query: { pocketId } }).body).toEqual(first);
  for (const { account: iban } of Object.values<Loose>(first.bankAccounts))
    expect(desk.call('iban-validate', { body: { iban } }).body).toEqual({ result: true });
  const other = desk.call('pocket-reference', { query: { pocketId: pocketOf(desk, 'USD') } }).body;
  expect(other.pocket.reference).not.toBe(first.pocket.reference);
});

test.each([
  ['DE89370400440532013000', true],
  ['GB82 WEST 1234 5698 7654 32', true],
  ['ES9121000418450200051332', true],
  ['DE89370400440532013001', false],
  ['ES9100000000000000000000', false],
  ['DE8937', false],
  ['hello', false],
])('the IBAN %s is %s, in both forms', (iban, result) => {
  const desk = deskOf({ days: 1 });
  expect(desk.call('iban-validate', { body: { iban } }).body).toEqual({ result });
  expect(desk.call('iban-validate-old', { query: { iban } }).body).toEqual({ result });
});

test('travel-rule data belongs to a transaction on a chain, in three forms', () => {
  const desk = deskOf();
  const row = desk.world.rows('main', 'wallet-transactions').find(({ body }) => body.method === 'blockchain');
  const other = desk.world
    .rows('main', 'wallet-transactions')
    .find(({ body }) => body.method !== 'blockchain');
  for (const name of ['travel-rule', 'travel-rule-v2', 'travel-rule-v1']) {
    const send = (orderId = '', body: object = { walletOwnership: 'own' }) =>
      desk.call(name, { params: { orderId }, body });
    expect(send(row?.id).body).toEqual({ result: true });
    expect(send(other?.id).status).toBe(404);
    expect(() => send(row?.id, { walletOwnership: 'other' })).toThrow(/personType/);
  }
});

test('the replaced confirmation of a destination', () => {
  const desk = deskOf({ days: 20 });
  const rows = desk.world.rows('main', 'wallet-transactions');
  const open = rows.find(
    ({ body }) => body.method === 'blockchain' && body.type === 'withdrawal' && body.status !== 'completed',
  );
  const params = { walletMovementId: open?.id ?? '' };
  expect(desk.call('destination-confirmation-status', { params }).body).toEqual({ status: 'pending' });
  expect(desk.call('destination-confirm', { params }).status).toBe(204);
  expect(desk.call('destination-confirmation-status', { params }).body).toEqual({ status: 'confirmed' });
  const unknown = { walletMovementId: '00000000-0000-4000-8000-000000000000' };
  expect(desk.call('destination-confirm', { params: unknown }).status).toBe(404);
});
