// Amounts as banks write them, with signs of currencies and columns of words: what is written is what is read, and what could be two
// things is refused.
import { describe, expect, test } from 'vitest';
import { negate, sum } from '../../src/base/money.ts';
import { type MappingAsk, readMapping } from '../../src/external/formats/csv-mapping.ts';
import { signsOf } from '../../src/external/formats/currency-signs.ts';
import { readBankFile } from '../../src/external/formats/format.ts';
import { refuserOf } from '../../src/external/statement.ts';
import { type Random, randomOf } from '../../src/sandbox/random.ts';

const NONE: MappingAsk = { map: null, columns: null, opening: null, closing: null };

const read = (text: string, map: string) =>
  readBankFile(
    { name: 'bank.csv', bytes: Buffer.from(text) },
    { format: null, mapping: readMapping({ ...NONE, map }) },
    refuserOf('bank.csv'),
  );

/** One amount without a balance of its own: the balances are those that make it fit. */
const amountOf = (cell: string, currency: string, settings = '') => {
  const map = `date=Day,amount=Amount,currency-code=${currency}${settings}`;
  const mapping = readMapping({ ...NONE, map, opening: '0', closing: '0' });
  const bytes = Buffer.from(`Day|Amount\n2026-10-31|${cell}\n`);
  const file = readBankFile({ name: 'bank.csv', bytes }, { format: null, mapping }, refuserOf('bank.csv'));
  return file.statements[0]?.lines[0]?.amount;
};

describe('an amount with a currency', () => {
  test.each([
    ['€ 1.234,56', 'EUR', '1234.56'],
    ['1,234.56 EUR', 'EUR', '1234.56'],
    ['-1 234,56 €', 'EUR', '-1234.56'],
    ['1\u202f234,56\u00a0€', 'EUR', '1234.56'],
    ['1\u2009234,56\u2009€', 'EUR', '1234.56'],
    ['1.234,56- €', 'EUR', '-1234.56'],
    ['1.234,56 €-', 'EUR', '-1234.56'],
    ['-€1,234.56', 'EUR', '-1234.56'],
    ['€-1,234.56', 'EUR', '-1234.56'],
    ['€ -1,234.56', 'EUR', '-1234.56'],
    ['(€1,234.56)', 'EUR', '-1234.56'],
    ['€ (1,234.56)', 'EUR', '-1234.56'],
    ['(1,234.56) €', 'EUR', '-1234.56'],
    ['\u22121.234,56 €', 'EUR', '-1234.56'],
    ['\u20131.234,56 €', 'EUR', '-1234.56'],
    ['eur1.234,56', 'EUR', '1234.56'],
    ['$1,234.56', 'USD', '1234.56'],
    ['US$1,234.56', 'USD', '1234.56'],
    ['$1,234.56', 'CAD', '1234.56'],
    ['CA$1,234.56', 'CAD', '1234.56'],
    ['£1,234.56', 'GBP', '1234.56'],
    ['CHF 1’234.56', 'CHF', '1234.56'],
    ['1 234,56 zł', 'PLN', '1234.56'],
    ['1 234,56 Kč', 'CZK', '1234.56'],
    ['R$ 1.234,56', 'BRL', '1234.56'],
    ['1.234,5678 USDC', 'USDC', '1234.5678'],
    ['123456789012345678901234,123456789012345678 €', 'EUR', '123456789012345678901234.123456789012345678'],
  ])('%s in %s is %s', (cell, currency, amount) => {
    expect(amountOf(cell, currency)).toBe(amount);
  });

  test('is written as a person states it, where Unicode does not list the sign', () => {
    expect(() => amountOf('kr.1.234,56', 'DKK')).toThrow(
      /^bank\.csv: line 2: the amount "kr\.1\.234,56" names "kr\.", and the line is in DKK: add currency-sign=kr\. if the bank writes DKK so, or import each currency by itself$/,
    );
    expect(amountOf('kr.1.234,56', 'DKK', ',currency-sign=kr.')).toBe('1234.56');
  });

  test.each([
    [
      '$1,234.56',
      'EUR',
      /line 2: the amount "\$1,234\.56" names "\$", and the line is in EUR: import each currency by itself$/,
    ],
    ['1.234,56 USD', 'EUR', /line 2: the amount "1\.234,56 USD" names "USD", and the line is in EUR/],
    ['US$1,234.56', 'CAD', /names "US\$", and the line is in CAD/],
    ['€1,234.56', 'USDC', /names "€", and the line is in USDC/],
    ['1.234,56 EUR CR', 'EUR', /line 2: the amount "1\.234,56 EUR CR" is no amount/],
    ['1 EUR 50', 'EUR', /is no amount/],
    ['EUR', 'EUR', /is no amount/],
    ['(1,5 €', 'EUR', /is no amount/],
    ['-(1,5) €', 'EUR', /is no amount/],
    ['1.234 €', 'EUR', /the amount "1\.234" is 1234 \(decimal=comma\) or 1\.234 \(decimal=point\)/],
    ['1,2345678901234567891 €', 'EUR', /is no amount/],
    [`${'.'.repeat(200_000)}€`, 'EUR', /is no amount/],
  ])('refused: %.40s in %s', (cell, currency, message) => {
    expect(() => amountOf(cell, currency)).toThrow(message);
  });

  test('every currency of Unicode has its own code, and no code of another', () => {
    const codes = Intl.supportedValuesOf('currency');
    for (const code of codes) {
      expect(signsOf(code).has(code.toLowerCase())).toBe(true);
      const others = codes.filter((other) => other !== code && signsOf(code).has(other.toLowerCase()));
      expect(others).toEqual([]);
    }
  });
});

describe('a column of words for money out and in', () => {
  const MAP =
    'date=Fecha,amount=Importe,direction=D/H,balance=Saldo,balance_direction=S,currency-code=EUR,out=D,out=Debe,in=H,in=Haber';
  const file = (...rows: string[]) => `Fecha;Importe;D/H;Saldo;S\n${rows.join('\n')}\n`;

  test('gives amounts and balances their sign', () => {
    const rows = ['31/10/2026;100,00;h;100,00 €;H', '31/10/2026;130,50 €;DEBE;30,50;D'];
    const { statements, reading } = read(file(...rows, '31/10/2026;30,50;Haber;0,00;'), MAP);
    expect(statements[0]).toMatchObject({ opening: '0', closing: '0' });
    expect(statements[0]?.lines.map(({ amount }) => amount)).toEqual(['100', '-130.5', '30.5']);
    expect(JSON.parse(reading ?? '')).toMatchObject({
      columns: { direction: ['D/H'], balance_direction: ['S'] },
      out: ['D', 'Debe'],
      in: ['H', 'Haber'],
    });
  });

  test('means the opposite at another bank: the person says which', () => {
    const map = MAP.replace('out=D,out=Debe,in=H,in=Haber', 'out=H,in=D').replace(',balance_direction=S', '');
    const { statements } = read(file('31/10/2026;100,00;H;0,00;', '31/10/2026;50,00;D;50,00;'), map);
    expect(statements[0]).toMatchObject({ opening: '100', closing: '50' });
    expect(statements[0]?.lines.map(({ amount }) => amount)).toEqual(['-100', '50']);
    expect(() => read(file('31/10/2026;1,00;D;0,00;', '31/10/2026;50,00;D;50,00;H'), MAP)).toThrow(
      /line 3: the balance 50 is not the balance before plus -50/,
    );
  });

  test('an amount with a minus beside its word is a debit with a minus where all are, and otherwise taken back', () => {
    const map = MAP.replace(',balance_direction=S', '');
    const lines = (...rows: string[]) =>
      read(file(...rows), map).statements[0]?.lines.map(({ amount }) => amount);
    expect(lines('31/10/2026;-5,00;D;5,00;', '31/10/2026;1,00;H;6,00;')).toEqual(['-5', '1']);
    expect(lines('31/10/2026;5,00;D;5,00;', '31/10/2026;-5,00;D;10,00;')).toEqual(['-5', '5']);
  });

  test.each([
    [
      '31/10/2026;1,00;X;1,00;H',
      /line 2: the direction "X" \(column "D\/H"\) is neither money out \(D, Debe\) nor money in \(H, Haber\): add out= or in= with that word/,
    ],
    ['31/10/2026;1,00;;1,00;H', /line 2: the direction "" \(column "D\/H"\) is neither/],
    ['31/10/2026;1,00;H;1,00;', /line 2: the balance_direction "" \(column "S"\) is neither/],
    [
      '31/10/2026;1,00;H;-1,00;D',
      /line 2: the balance "-1,00" has a sign of its own: leave balance_direction out/,
    ],
    ['31/10/2026;;H;1,00;H', /line 2: has neither a debit nor a credit/],
    ['31/10/2026;uno;H;1,00;H', /line 2: the amount "uno" is no amount/],
    ['31/10/2026;1,00 $;H;1,00;H', /line 2: the amount "1,00 \$" names "\$"/],
    ['31/10/2026;1,00;H;1,00 USD;H', /line 2: the balance "1,00 USD" names "USD"/],
  ])('refused: %s', (row, message) => {
    expect(() => read(file(row), MAP)).toThrow(message);
  });
});

describe('a mapping is refused', () => {
  const BASE = 'date=Fecha,amount=Importe,balance=Saldo,currency-code=EUR';
  test.each([
    [`${BASE},direction=D/H`, /^--map: add out=WORD and in=WORD/],
    [`${BASE},direction=D/H,out=D`, /^--map: add out=WORD and in=WORD/],
    [`${BASE},out=D,in=H`, /^--map: out and in are words of a column: add direction=HEADING/],
    [`${BASE},direction=D/H,out=D,in=H,in=d`, /^--map: out and in both have "D": a word has one meaning/],
    [
      `${BASE.replace('amount=Importe', 'debit=Debe,credit=Haber')},direction=D/H,out=D,in=H`,
      /^--map: direction is the column beside amount: leave it out/,
    ],
    [
      `${BASE},currency-sign=$`,
      /^--map: currency-sign "\$" is a sign of another currency, such as \w{3}, and currency-code is EUR: leave it out/,
    ],
    [
      `${BASE},currency-sign=USD`,
      /^--map: currency-sign "USD" is a sign of another currency, such as USD, and/,
    ],
    [`${BASE},currency-sign=5`, /^--map: currency-sign "5": write letters or a sign without digits/],
    [
      `${BASE.replace('currency-code=EUR', 'currency=Divisa')},currency-sign=kr.`,
      /^--map: currency-sign works with currency-code only/,
    ],
  ])('%s', (map, message) => {
    expect(() => readMapping({ ...NONE, map })).toThrow(message);
  });

  test('a direction of balances without a column of balances', () => {
    const map = 'date=D,amount=A,currency-code=EUR,balance_direction=S,out=D,in=H';
    expect(() => readMapping({ ...NONE, map, opening: '0', closing: '0' })).toThrow(
      /^--map: balance_direction is the column beside balance: add balance=HEADING/,
    );
  });
});

/** How one bank writes: its decimal sign, groups, currency and signs. */
type Hand = {
  readonly decimal: ',' | '.';
  readonly group: string;
  readonly currency: string;
  readonly token: string;
  readonly isBefore: boolean;
  readonly blank: string;
  readonly sign: 'before' | 'after' | 'parentheses' | 'words';
  readonly minus: string;
};

const handOf = (random: Random): Hand => {
  const decimal = random.pick([',', '.'] as const);
  const groups = ['', ' ', '\u00a0', '\u202f', '\u2009', "'", '’', decimal === ',' ? '.' : ','];
  const [currency, token] = random.pick([
    ['EUR', '€'],
    ['EUR', 'EUR'],
    ['USD', '$'],
    ['SEK', 'kr'],
    ['USDC', 'USDC'],
    ['GBP', ''],
  ] as const);
  return {
    decimal,
    group: random.pick(groups),
    currency,
    token,
    isBefore: random.pick([true, false]),
    blank: random.pick(['', ' ', '\u00a0']),
    sign: random.pick(['before', 'after', 'parentheses', 'words'] as const),
    minus: random.pick(['-', '\u2212', '\u2013']),
  };
};

/** An exact figure as that bank writes it, without a sign. */
const figure = (amount: string, { decimal, group }: Hand): string => {
  const [whole = '', fraction] = amount.replace('-', '').split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, group);
  return fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
};

const writtenBy = (hand: Hand, amount: string, isUnsigned: boolean): string => {
  const { token, isBefore, blank, sign, minus } = hand;
  const isOut = amount.startsWith('-') && !isUnsigned;
  const money = (text: string) => {
    if (token === '') return text;
    return isBefore ? `${token}${blank}${text}` : `${text}${blank}${token}`;
  };
  const plain = figure(amount, hand);
  if (!isOut) return money(plain);
  if (sign === 'parentheses') return money(`(${plain})`);
  return sign === 'after' ? money(`${plain}${minus}`) : money(`${minus}${plain}`);
};

test('what 300 banks write is what is read, to the last digit', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = randomOf(`bank's hand ${seed}`);
    const hand = handOf(random);
    const isWorded = hand.sign === 'words';
    const amounts = Array.from({ length: 20 }, (_, index) => {
      const digits = String(1n + random.units(10n ** BigInt(1 + random.below(24))));
      const decimals = String(1 + random.below(9)).repeat(index === 0 ? 2 : random.below(18));
      const amount = decimals === '' ? digits : `${digits}.${decimals}`;
      return random.below(2) === 0 ? amount : negate(amount);
    });
    const balances = amounts.map((_, index) => sum(amounts.slice(0, index + 1)));
    const rows = amounts.map((amount, index) => {
      const balance = balances[index] ?? '0';
      const word = (text: string) => (text.startsWith('-') ? 'S' : 'H');
      return `2026-10-31|${writtenBy(hand, amount, isWorded)}|${word(amount)}|${writtenBy(hand, balance, isWorded)}|${word(balance)}`;
    });
    const words = isWorded ? ',direction=S/H,balance_direction=B,out=S,in=H' : '';
    const map = `date=Day,amount=Amount,balance=Balance,currency-code=${hand.currency}${words}`;
    const { statements } = read(`Day|Amount|S/H|Balance|B\n${rows.join('\n')}\n`, map);
    expect(
      statements[0]?.lines.map(({ amount }) => amount),
      JSON.stringify(hand),
    ).toEqual(amounts);
  }
});
