// Booked records that change afterwards: reversed and booked again, by entries that name each other, or unchanged.
import { beforeEach, describe, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { forget } from '../../src/normalize/forget.ts';
import { instantAt, movement } from '../land/stage.ts';
import { openBooks, withdrawal } from './books.ts';

const books = openBooks();

const entries = () =>
  books.rows('select kind, effective_at, version, ordinal from books.entries order by record_id, ordinal');
const land = (...versions: WireRecord[]) => books.tell('wallet-transactions', ...versions);

describe('a record that changes after it was booked', () => {
  test('in a note alone books nothing', async () => {
    await land(withdrawal('completed'));
    await books.book();
    await land(withdrawal('completed', { note: 'rent' }));
    expect(await books.book()).toEqual({ records: 1, entries: 0, rejected: 0 });
  });

  test('in one more confirmation books nothing, and its chain shows the version', async () => {
    await land(withdrawal('completed', { confirmations: '1' }));
    await books.book();
    await land(withdrawal('completed', { confirmations: '2' }));
    await land(withdrawal('canceled', { canceledAt: instantAt(90) }));
    await books.book();
    const chain = await books.rows(`
      select version, ordinal, kind, outcome, effective_at, c.digest = encode(r.digest, 'hex') as same,
        recorded_at = c.landed_at as at_once, reverses is not null as reverses
      from books.chain c join land.records r using (entity_id, stream, record_id, version) order by version, ordinal`);
    const none = {
      ordinal: null,
      kind: null,
      effective_at: null,
      at_once: null,
      reverses: false,
      same: true,
    };
    const posted = { ...none, at_once: true };
    expect(chain).toEqual([
      {
        ...posted,
        version: 1,
        outcome: 'booked',
        ordinal: 1,
        kind: 'wallet-transaction',
        effective_at: instantAt(60),
      },
      { ...none, version: 2, outcome: 'booked' },
      {
        ...posted,
        version: 3,
        outcome: 'set aside: cancelled',
        ordinal: 2,
        kind: 'reversal',
        effective_at: instantAt(90),
        reverses: true,
      },
    ]);
  });

  test('in its amount is reversed at its own time and booked again', async () => {
    await books.tell('movements', movement('m1', { amount: '10' }));
    await books.book();
    await books.tell('movements', movement('m1', { amount: '12.5' }));
    await books.book();
    expect(await entries()).toEqual([
      { kind: 'movement', effective_at: instantAt(0), version: 1, ordinal: 1 },
      { kind: 'reversal', effective_at: instantAt(0), version: 2, ordinal: 2 },
      { kind: 'movement', effective_at: instantAt(0), version: 2, ordinal: 3 },
    ]);
    expect(await books.balances()).toEqual({
      'assets:clearing:trading EUR': '-12.5',
      'assets:trading EUR': '12.5',
    });
  });

  test('in its time is reversed at the old time and booked at the new one', async () => {
    await books.tell('movements', movement('m1'));
    await books.book();
    await books.tell('movements', movement('m1', { createdAt: instantAt(5) }));
    await books.book();
    expect((await entries()).map(({ effective_at }) => effective_at)).toEqual([
      instantAt(0),
      instantAt(0),
      instantAt(5),
    ]);
  });

  test('twice before it is normalized books the version in between, too', async () => {
    const amounts = ['10', '11', '10'];
    for (const amount of amounts) await books.tell('movements', movement('m1', { amount }));
    expect(await books.book()).toMatchObject({ records: 3, entries: 5 });
    expect((await books.balances())['assets:trading EUR']).toBe('10');
  });

  test('into a reject is reversed at its own time', async () => {
    await books.tell('movements', movement('m1'));
    await books.book();
    await books.tell('movements', movement('m1', { amount: 'much' }));
    expect(await books.book()).toEqual({ records: 1, entries: 1, rejected: 1 });
    expect(await books.balances()).toEqual({});
  });

  test('each reversal names the entry that it reverses', async () => {
    for (const amount of ['10', '11']) await books.tell('movements', movement('m1', { amount }));
    await books.book();
    const undone = await books.rows(
      'select e.kind from books.entries r join books.entries e on e.entry_id = r.reverses and e.ordinal = r.ordinal - 1',
    );
    expect(undone).toEqual([{ kind: 'movement' }]);
  });
});

describe('a wallet transaction', () => {
  const story = async (...versions: WireRecord[]) => {
    for (const version of versions) {
      await land(version);
      await books.book();
    }
    return (await entries()).map(({ kind, effective_at }) => [kind, effective_at]);
  };

  test('that waits and then completes is booked once, at its completion', async () => {
    expect(await story(withdrawal('pending'), withdrawal('completed'))).toEqual([
      ['wallet-transaction', instantAt(60)],
    ]);
    expect(await books.balances()).toEqual({
      'assets:pocket:p1 EUR': '-100',
      'equity:external:bank EUR': '99',
      'expenses:fees:unclassified EUR': '1',
    });
  });

  test('cancelled before it was booked never enters the ledger', async () => {
    expect(await story(withdrawal('pending'), withdrawal('canceled', { canceledAt: instantAt(90) }))).toEqual(
      [],
    );
  });

  test('cancelled after it was booked is reversed when it was cancelled', async () => {
    const cancelled = withdrawal('canceled', { canceledAt: instantAt(86_400 * 40) });
    expect(await story(withdrawal('completed'), cancelled)).toEqual([
      ['wallet-transaction', instantAt(60)],
      ['reversal', instantAt(86_400 * 40)],
    ]);
    expect(await books.balances()).toEqual({});
    expect(await books.rows('select period from books.entries order by ordinal')).toEqual([
      { period: '2026-03' },
      { period: '2026-04' },
    ]);
  });

  test('cancelled before the time at which it was booked is reversed at that time, and leaves nothing before it', async () => {
    const cancelled = withdrawal('canceled', { canceledAt: instantAt(-86_400) });
    expect(await story(withdrawal('completed'), cancelled)).toEqual([
      ['wallet-transaction', instantAt(60)],
      ['reversal', instantAt(60)],
    ]);
    expect(await books.rows(`select * from books.balances_at('${instantAt(0)}')`)).toEqual([]);
  });

  test('reversed in a reopened month, before its late entry is back there: the reversal counts where that entry does', async () => {
    await land(withdrawal('completed'));
    await books.rows(`insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
      values ('main', '2026-03', 1, 0, 0, repeat('0', 64), '{}', 'Ada', now())`);
    await books.rows(`insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
      select 'main', '2026-03', 1, max(request_id), 'Grace', 'r', now() from land.requests`);
    await land(withdrawal('pending'), withdrawal('completed', { note: 'again' }));
    await books.book();
    expect(
      await books.rows('select kind, period, original_period from books.entries order by record_id, ordinal'),
    ).toEqual([
      { kind: 'wallet-transaction', period: '2026-04', original_period: '2026-03' },
      { kind: 'reversal', period: '2026-04', original_period: '2026-03' },
      { kind: 'wallet-transaction', period: '2026-03', original_period: null },
    ]);
    await books.rows('delete from decide.reopenings');
    await books.rows('delete from decide.seals');
  });

  test('cancelled without a time is reversed at the time of landing', async () => {
    const [, reversal] = await story(withdrawal('completed'), withdrawal('cancelled'));
    const [landed] = await books.rows('select landed_at from land.records where version = 2');
    expect(reversal).toEqual(['reversal', landed?.landed_at]);
  });

  test('that waits again after it was booked is reversed at its own time', async () => {
    expect(await story(withdrawal('completed'), withdrawal('pending'))).toEqual([
      ['wallet-transaction', instantAt(60)],
      ['reversal', instantAt(60)],
    ]);
  });

  test('cancelled, and then listed as completed from the start, counts once at every time', async () => {
    const cancelled = withdrawal('canceled', { canceledAt: instantAt(90) });
    const less = withdrawal('completed', {
      origin: { class: 'pocket', pocketId: 'p1', amount: '90', currency: 'EUR' },
      destination: { class: 'bank-transfer', amount: '89', currency: 'EUR' },
    });
    expect(await story(withdrawal('completed'), cancelled, less)).toEqual([
      ['wallet-transaction', instantAt(60)],
      ['reversal', instantAt(90)],
      ['wallet-transaction', instantAt(90)],
      ['reversal', instantAt(60)],
      ['wallet-transaction', instantAt(60)],
    ]);
    for (const seconds of [61, 91])
      expect(
        await books.rows(
          `select balance from books.balances_at('${instantAt(seconds)}') where account = 'assets:pocket:p1'`,
        ),
      ).toEqual([{ balance: '-90' }]);
  });

  test('cancelled, and then completed later than that, keeps its cancellation', async () => {
    const cancelled = withdrawal('canceled', { canceledAt: instantAt(90) });
    const later = withdrawal('completed', { completedAt: instantAt(120) });
    expect(await story(withdrawal('completed'), cancelled, later)).toEqual([
      ['wallet-transaction', instantAt(60)],
      ['reversal', instantAt(90)],
      ['wallet-transaction', instantAt(120)],
    ]);
  });

  test('cancelled, completed once more and cancelled for good leaves nothing', async () => {
    const cancelled = withdrawal('canceled', { canceledAt: instantAt(90) });
    const chain = await story(withdrawal('completed'), cancelled, withdrawal('completed'), cancelled);
    expect(chain.at(-1)).toEqual(['reversal', instantAt(90)]);
    expect(await books.balances()).toEqual({});
  });

  test('cancelled and listed again as cancelled is reversed once', async () => {
    const cancelled = withdrawal('canceled', { canceledAt: instantAt(90) });
    expect(await story(withdrawal('completed'), cancelled, { ...cancelled, note: 'again' })).toHaveLength(2);
  });

  test("with a pocket that was never listed here counts as another person's", async () => {
    const row = { id: 'p1', currency: 'EUR', balance: '0', blockedBalance: '0' };
    await books.stage().read('pocket', 'before', [row]);
    const destination = { class: 'pocket', pocketId: 'p-theirs', amount: '100', currency: 'EUR' };
    await land(withdrawal('completed', { destination }));
    await books.book();
    expect(await books.balances()).toEqual({
      'assets:pocket:p1 EUR': '-100',
      'equity:external:person EUR': '100',
    });
  });

  describe('whose network fee another coin paid', () => {
    const pocket = (id: string, currency: string) => ({ id, currency, balance: '0', blockedBalance: '0' });
    const sent = { amount: '80', currency: 'USDC' };
    const sending = (id: string, currency = 'ETH') =>
      withdrawal('completed', {
        id,
        origin: { class: 'pocket', pocketId: 'p1', ...sent },
        destination: { class: 'blockchain', ...sent },
        fee: { network: { amount: '0.0004', currency } },
      });
    const payers = () =>
      books.rows(`select record_id, credit from ledger.entries join ledger.transfers using (entity_id, entry_id)
        where debit = 'expenses:fees:network' order by record_id`);
    const differences = () =>
      books.rows('select * from books_internal.conservation_sums where difference <> 0');
    const proveAfter = async (booked: unknown) => {
      expect(await differences()).toEqual([]);
      await forget(books.stage().db);
      await books.book();
      expect(await payers()).toEqual(booked);
    };

    beforeEach(() => books.rows('truncate land.snapshots cascade'));

    test('keeps its payer when a second pocket of that coin is opened', async () => {
      const { stage } = books;
      const first = [pocket('p1', 'USDC'), pocket('p-eth', 'ETH')];
      await stage().read('pocket', 'before', first);
      await land(sending('before'));
      await stage().read('pocket', 'after', first, instantAt(1));
      await books.book();
      await land(sending('after'));
      await stage().read('pocket', 'after', [...first, pocket('p-eth-2', 'ETH')], instantAt(2));
      await books.book();
      const booked = await payers();
      expect(booked).toEqual([
        { record_id: 'after', credit: 'assets:clearing:fees' },
        { record_id: 'before', credit: 'assets:pocket:p-eth' },
      ]);
      expect(await differences()).toEqual([]);
      await land({ ...sending('before'), note: 'paid' });
      expect(await books.book()).toEqual({ records: 1, entries: 0, rejected: 0 });
      await proveAfter(booked);
    });

    test.each(['POL2', 'MATIC'])(
      'is paid by the pocket of the name that the coin had, when the platform renames it, and again (%s)',
      async (third) => {
        const { stage } = books;
        const pocketsOf = (currency: string) => [pocket('p1', 'USDC'), pocket('p-coin', currency)];
        await stage().read('pocket', 'before', pocketsOf('MATIC'));
        await land(sending('1 first', 'MATIC'), sending('2 too early', 'POL'));
        await stage().read('pocket', 'after', pocketsOf('MATIC'), instantAt(1));
        await books.book();
        await land(sending('3 second', 'POL'), sending('4 too late', 'MATIC'));
        await stage().read('pocket', 'before', pocketsOf('POL'), instantAt(2));
        await stage().read('pocket', 'after', [pocket('p1', 'USDC')], instantAt(3)); // not listed for once
        await books.book();
        await stage().read('pocket', 'before', pocketsOf(third), instantAt(4));
        await land(sending('5 third', third), sending('6 too late', 'POL'));
        await books.book();
        const booked = await payers();
        const payerOf = (record_id: string, isNamed: boolean) => ({
          record_id,
          credit: isNamed ? 'assets:pocket:p-coin' : 'assets:clearing:fees',
        });
        expect(booked).toEqual([
          payerOf('1 first', true),
          payerOf('2 too early', false),
          payerOf('3 second', true),
          payerOf('4 too late', false),
          payerOf('5 third', true),
          payerOf('6 too late', false),
        ]);
        await proveAfter(booked);
      },
    );
  });
});
