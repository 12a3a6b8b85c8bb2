// Lots: which are used, at what cost, where they go, and the value of an account without units.
import { describe, expect, test } from 'vitest';
import { attoText } from '../../src/base/money.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import { buy, disposalsOf, fee, findingsOf, linesOf, lotsOf, sell, standOf } from './stand.ts';

describe('external transfers', () => {
  const send = 'equity:external:blockchain <- assets:pocket:a 1 BTC';
  const receive = 'assets:pocket:a <- equity:external:blockchain 1 BTC';
  const bought = () => {
    const stand = standOf();
    stand.book([
      'assets:pocket:a <- equity:conversion 1 BTC',
      'equity:conversion <- assets:pocket:e 40000 EUR',
    ]);
    return stand;
  };

  test('to a third party are disposals at market value; to an unknown counterparty the same, with a note', () => {
    const sent = bought().book([send], { counterpartyTypes: { 1: 'third-party' } });
    expect([disposalsOf(sent), findingsOf(sent)]).toEqual([
      ['1 of e1/1: 50000 - 40000 = 10000 for external'],
      [],
    ]);
    expect(findingsOf(bought().book([send]))).toEqual(['note: unknown-counterparty']);
  });

  test('to our own wallet carry their cost along and back, without a disposal', () => {
    const { book } = bought();
    const sent = book([send], { counterpartyTypes: { 1: 'own' } });
    expect([disposalsOf(sent), linesOf(sent)]).toEqual([
      [],
      ['equity:external:blockchain 1 BTC = 40000', 'assets:pocket:a -1 BTC = -40000'],
    ]);
    const back = book([receive], { counterpartyTypes: { 1: 'own' } });
    expect([linesOf(back), findingsOf(back)]).toEqual([
      ['assets:pocket:a 1 BTC = 40000', 'equity:external:blockchain -1 BTC = -40000'],
      [],
    ]);
    const sold = book([
      'equity:conversion <- assets:pocket:a 1 BTC',
      'assets:pocket:e <- equity:conversion 50000 EUR',
    ]);
    expect(disposalsOf(sold)).toEqual(['1 of e3/1.0: 50000 - 40000 = 10000 for 50000 EUR']);
    expect(sold.uses[0]?.lot?.acquiredAt).toBe('2026-01-01T01:00:00.000Z'); // the original age
  });

  test('from our own wallet that never went there have no cost: a finding, not zero', () => {
    const { book } = standOf();
    const back = book([receive], { counterpartyTypes: { 1: 'own' } });
    expect([linesOf(back), lotsOf(back), findingsOf(back)]).toEqual([
      ['assets:pocket:a 1 BTC = ?', 'equity:external:blockchain -1 BTC = ?'],
      ['e1/1.0: 1 BTC at ?, returned'],
      ['finding: no-lot'],
    ]);
  });

  test.each(['fifo', 'hifo', 'average'] as const)(
    'between two of our own accounts keep their lots, whatever lies in our own wallets: %s',
    (method) => {
      const { book } = standOf(method);
      book(buy('1', 'BTC', method === 'hifo' ? '90000' : '1000'));
      book(['equity:external:blockchain <- assets:trading 1 BTC'], { counterpartyTypes: { 1: 'own' } }); // a wallet of our own
      book(buy('1', 'BTC', '50000'));
      const [out, into] = [
        'equity:external:person <- assets:trading 1 BTC',
        'assets:trading <- equity:external:person 1 BTC',
      ];
      book([out], { counterpartyTypes: { 1: 'own-transfer' } });
      expect(
        lotsOf(book([into], { counterpartyTypes: { 1: 'own-transfer' }, departures: { 1: 'e4' } })),
      ).toEqual(['e5/1.0: 1 BTC at 50000, returned']);
      expect(disposalsOf(book(sell('1', 'BTC', '50000')))).toEqual([
        '1 of e5/1.0: 50000 - 50000 = 0 for 50000 EUR',
      ]);
    },
  );

  test('a network fee is a disposal, and an expense', () => {
    const { book } = bought();
    const sent = book([send.replace(' 1 ', ' 0.9 '), 'expenses:fees:network <- assets:pocket:a 0.1 BTC'], {
      counterpartyTypes: { 1: 'own' },
    });
    expect(disposalsOf(sent)).toEqual(['0.1 of e1/1: 5000 - 4000 = 1000 for expenses:fees:network']);
    expect(linesOf(sent)).toContain('expenses:fees:network 0.1 BTC = 5000');
  });
});

describe('lots', () => {
  const fill = (method: 'fifo' | 'average' | 'hifo') => {
    const stand = standOf(method);
    stand.book(buy('1', 'BTC', '30000'));
    stand.book(buy('2', 'BTC', '75000'));
    return disposalsOf(stand.book(sell('1.5', 'BTC', '60000')));
  };

  test('are used oldest first, dearest first, or at the average, and the last part takes the remainder', () => {
    expect(fill('fifo')).toEqual([
      '1 of e1/1: 40000 - 30000 = 10000 for 60000 EUR',
      '0.5 of e2/1: 20000 - 18750 = 1250 for 60000 EUR',
    ]);
    expect(fill('hifo')).toEqual(['1.5 of e2/1: 60000 - 56250 = 3750 for 60000 EUR']);
    expect(fill('average')).toEqual([
      '1 of e1/1: 40000 - 35000 = 5000 for 60000 EUR',
      '0.5 of e2/1: 20000 - 17500 = 2500 for 60000 EUR',
    ]);
  });

  test('highest unit cost first: the order of a search through all lots, the oldest of equals, unknown costs last', () => {
    const random = randomOf('hifo');
    const { book } = standOf('hifo');
    const open: { id: string; left: bigint; units: bigint; cost: bigint }[] = [];
    const dearest = () =>
      open.filter(({ left }) => left > 0n).reduce((a, b) => (b.cost * a.units > a.cost * b.units ? b : a));
    for (let nth = 1; nth <= 300; nth += 1) {
      const has = open.reduce((sum, { left }) => sum + left, 0n);
      if (has < 10n ** 18n || random.chance(55)) {
        const units = random.units(3n) + 1n; // few figures, so that some unit costs are equal
        const cost = (random.units(5n) + 1n) * units;
        book(buy(String(units), 'BTC', String(cost)));
        open.push({ id: `e${nth}/1`, left: units * 10n ** 18n, units, cost });
      } else {
        let rest = random.units(has - 1n) + 1n;
        const used = book(sell(attoText(rest), 'BTC', '9')).uses.map(
          ({ lot, units }) => `${lot?.id} ${units}`,
        );
        const expected: string[] = [];
        while (rest > 0n) {
          const lot = dearest();
          const part = lot.left < rest ? lot.left : rest;
          lot.left -= part;
          rest -= part;
          expected.push(`${lot.id} ${part}`);
        }
        expect(used).toEqual(expected);
      }
    }
    book(['assets:trading <- equity:external:blockchain 1 XYZ'], { counterpartyTypes: { 1: 'third-party' } }); // no rate
    book(buy('1', 'XYZ', '0'));
    expect(disposalsOf(book(sell('2', 'XYZ', '2'))).map((line) => line.split(' ')[2])).toEqual([
      'e302/1:',
      'e301/1:',
    ]);
  });

  test('thirds leave no remainder', () => {
    const { book } = standOf();
    book(buy('3', 'BTC', '100'));
    const thirds = [1, 2, 3].flatMap(() => book(sell('1', 'BTC', '40')).uses);
    expect(thirds.map(({ cost }) => cost)).toEqual([
      33333333333333333333n,
      33333333333333333334n,
      33333333333333333333n,
    ]);
  });

  test('do not depend on accounts: an empty account has no value, and the difference has its own account', () => {
    const { book } = standOf();
    book(['assets:pocket:a <- equity:conversion 1 BTC', 'equity:conversion <- assets:pocket:e 30000 EUR']);
    book(['assets:pocket:b <- equity:conversion 1 BTC', 'equity:conversion <- assets:pocket:e 40000 EUR']);
    const sold = book([
      'equity:conversion <- assets:pocket:b 1 BTC',
      'assets:pocket:e <- equity:conversion 50000 EUR',
    ]);
    expect(linesOf(sold)).toEqual([
      'equity:conversion 1 BTC = 50000',
      'assets:pocket:b -1 BTC = -40000',
      'assets:cost-differences BTC = 10000',
      'income:gains:realised EUR = -20000',
      'assets:pocket:e 50000 EUR = 50000',
      'equity:conversion -50000 EUR = -50000',
    ]);
  });

  test('may arrive before they leave: an account in between has no value afterwards', () => {
    const { book, state } = standOf();
    book(['assets:pocket:a <- equity:conversion 1 BTC', 'equity:conversion <- assets:pocket:e 30000 EUR']);
    const arrived = book(['assets:trading <- assets:clearing:trading 1 BTC'], { kind: 'movement' });
    expect(linesOf(arrived)).toEqual([
      'assets:trading 1 BTC = 30000',
      'assets:clearing:trading -1 BTC = -30000',
    ]);
    book(['assets:pocket:b <- equity:conversion 1 BTC', 'equity:conversion <- assets:pocket:e 40000 EUR']);
    const left = book(['assets:clearing:trading <- assets:pocket:a 1 BTC'], { kind: 'wallet-transaction' });
    expect(linesOf(left)).toEqual([
      'assets:clearing:trading 1 BTC = 30000',
      'assets:pocket:a -1 BTC = -30000',
    ]);
    expect(state.carrying.get('main\nassets:clearing:trading\nBTC')).toEqual({
      units: 0n,
      exact: 0n,
      cents: 0n,
    });
    // if the cost differs from the average, the difference has its own account
    book(['assets:trading <- assets:clearing:trading 1 BTC'], { kind: 'movement' });
    expect(linesOf(book(['assets:clearing:trading <- assets:pocket:b 1 BTC']))).toEqual([
      'assets:clearing:trading 1 BTC = 35000',
      'assets:pocket:b -1 BTC = -40000',
      'assets:cost-differences BTC = 5000',
    ]);
    expect(state.carrying.get('main\nassets:clearing:trading\nBTC')).toEqual({
      units: 0n,
      exact: 0n,
      cents: 0n,
    });
  });

  test('have the cost and the age of their opening entry', () => {
    const { book } = standOf();
    const lot = {
      acquiredAt: '2019-05-01T00:00:00.000Z',
      micros: 1_556_668_800_000_000,
      cost: 5000n * 10n ** 18n,
    };
    book(buy('1', 'BTC', '40000'));
    book(['assets:trading <- equity:opening 1 BTC'], { kind: 'manual', openings: { 1: lot } });
    expect(disposalsOf(book(sell('1', 'BTC', '50000')))).toEqual([
      '1 of e2/1: 50000 - 5000 = 45000 for 50000 EUR',
    ]);
  });
});

test('cents: an account sums to its exact value rounded once, and a remainder is at most a cent a line', () => {
  const { book } = standOf();
  const cents = (outcome: ReturnType<typeof book>) =>
    outcome.lines.reduce((sum, { value }) => sum + (value ?? 0n), 0n);
  let euro = 0n;
  for (let nth = 0; nth < 200; nth += 1) {
    const bought = book([...buy('0.001', 'BTC', '50.004'), fee('0.0333', 'EUR')]);
    expect(cents(bought)).toBe(0n);
    expect(findingsOf(bought)).toEqual([]);
    const conversion = bought.lines.filter(({ account }) => account === 'equity:conversion');
    expect(conversion.reduce((sum, { value }) => sum + (value ?? 0n), 0n)).toBe(0n);
    const ours = bought.lines.filter(
      ({ account, currency }) => account === 'assets:trading' && currency === 'EUR',
    );
    euro += ours.reduce((sum, { value }) => sum + (value ?? 0n), 0n);
  }
  expect(euro).toBe(-1000746n * 10n ** 16n); // 200 × 50.0373
});
