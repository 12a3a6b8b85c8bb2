// A bank's own CSV by a mapping of its headings: the same statement as from a CSV in our form, and one clear error for what cannot be read.
import { describe, expect, test } from 'vitest';
import { type MappingAsk, readMapping } from '../../src/external/formats/csv-mapping.ts';
import { readBankFile } from '../../src/external/formats/format.ts';
import { refuserOf } from '../../src/external/statement.ts';

const NONE: MappingAsk = { map: null, columns: null, opening: null, closing: null };

const read = (content: string | Uint8Array, map: string, more: Partial<MappingAsk> = {}) => {
  const mapping = readMapping({ ...NONE, map, ...more });
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return readBankFile({ name: 'bank.csv', bytes }, { format: null, mapping }, refuserOf('bank.csv'));
};

const SPANISH = [
  'Movimientos de la cuenta;;;;',
  'Titular;Ejemplo S.L.;;;',
  '',
  'Fecha;Fecha valor;Concepto;Importe;Saldo;Ordenante',
  '31/10/2026;02/11/2026;Transferencia KRT1000;-1.234,56;8.765,44;Compañía',
  '01/10/2026;01/10/2026;Abono;10.000,00;10.000,00;',
  '',
].join('\r\n');
const MAP =
  'date=Fecha,value_date=Fecha valor,text=Concepto,amount=Importe,balance=Saldo,counterparty=Ordenante,currency-code=EUR';

const STATEMENT = {
  currency: 'EUR',
  startsOn: '2026-10-01',
  endsOn: '2026-10-31',
  opening: '0',
  closing: '8765.44',
  lines: [
    {
      fileLine: 6,
      bookedOn: '2026-10-01',
      valueOn: '2026-10-01',
      amount: '10000',
      note: 'Abono',
      counterparty: '',
    },
    {
      fileLine: 5,
      bookedOn: '2026-10-31',
      valueOn: '2026-11-02',
      amount: '-1234.56',
      note: 'Transferencia KRT1000',
      counterparty: 'Compañía',
    },
  ],
};

describe('read', () => {
  test('below what stands above the headings, newest first, with a decimal comma and days that show their order', () => {
    const { format, statements, reading } = read(SPANISH, MAP);
    expect({ format, statements }).toMatchObject({ format: 'csv', statements: [STATEMENT] });
    expect(JSON.parse(reading ?? '')).toEqual({
      columns: {
        date: ['Fecha'],
        value_date: ['Fecha valor'],
        text: ['Concepto'],
        amount: ['Importe'],
        balance: ['Saldo'],
        counterparty: ['Ordenante'],
      },
      currencyCode: 'EUR',
      dates: 'dmy',
      decimal: 'comma',
      encoding: 'utf-8',
      separator: ';',
      headingsLine: 4,
      balances: 'in the file',
    });
  });

  test('in Windows-1252, when that is stated', () => {
    const bytes = Buffer.from(SPANISH, 'latin1');
    for (const encoding of ['windows-1252', 'latin-1', 'iso-8859-15'])
      expect(read(bytes, `${MAP},encoding=${encoding}`).statements).toMatchObject([STATEMENT]);
  });

  test('with the euro sign and the dash of Windows-1252', () => {
    const text = SPANISH.replace('Abono;10.000,00;', 'Abono \x96 Compa\u00f1\u00eda;10.000,00 \x80;');
    const { statements } = read(Buffer.from(text, 'latin1'), `${MAP},encoding=windows-1252`);
    expect(statements[0]?.lines[0]).toMatchObject({ amount: '10000', note: 'Abono – Compañía' });
  });

  test('in UTF-16 with its mark, and UTF-8 with one, unasked', () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(SPANISH, 'utf16le')]);
    expect(read(utf16, MAP)).toMatchObject({ statements: [STATEMENT] });
    expect(JSON.parse(read(utf16, MAP).reading ?? '')).toMatchObject({ encoding: 'utf-16le' });
    expect(JSON.parse(read(utf16.swap16(), MAP).reading ?? '')).toMatchObject({ encoding: 'utf-16be' });
    expect(read(`\ufeff${SPANISH.slice(SPANISH.indexOf('Fecha'))}`, MAP).statements).toHaveLength(1);
  });

  test.each([
    ['as positive amounts', '12.50', ''],
    ['with a minus', '-12.50', ''],
    ['beside a zero', '12.50', '0.00'],
  ])('debits %s and credits in columns of their own, with tabs', (_how, debit, zero) => {
    const text = `Day\tDebit\tCredit\tBalance\tCcy\n10/31/2026\t${debit}\t${zero}\t87.50\tUSD\n10/31/2026\t\t20.00\t107.50\tUSD\n`;
    const { statements } = read(text, 'date=Day,debit=Debit,credit=Credit,balance=Balance,currency=Ccy');
    expect(statements).toMatchObject([
      { currency: 'USD', opening: '100', closing: '107.5', lines: [{ amount: '-12.5' }, { amount: '20' }] },
    ]);
  });

  test('a debit with a minus among others without is a debit taken back', () => {
    const text = 'Day,Debit,Credit,Balance\n10/31/2026,12.50,,87.50\n10/31/2026,-12.50,,100\n';
    const { statements } = read(text, 'date=Day,debit=Debit,credit=Credit,balance=Balance,currency-code=EUR');
    expect(statements[0]?.lines.map(({ amount }) => amount)).toEqual(['-12.5', '12.5']);
  });

  test('a cell in quotes that another separator would cut, and a quote that is none', () => {
    const text = 'Day;"Amount";Balance;Text\n2026-10-31;1,5;"1,5";"a; ""b"", c"\n';
    const map = 'date=Day,amount=Amount,balance=Balance,text=Text,currency-code=EUR';
    expect(read(text, map).statements[0]?.lines).toMatchObject([{ amount: '1.5', note: 'a; "b", c' }]);
    expect(() => read(text.replace('a; ""b""', 'a" b'), map)).toThrow(
      /bank\.csv: line 2 has an unclosed or misplaced quote/,
    );
  });

  test('without balances in the file, by those that a person states', () => {
    const text = 'Buchung|Betrag\n31.10.2026|-5,00\n30.10.2026|7,50\n';
    const { statements, reading } = read(text, 'date=Buchung,amount=Betrag,currency-code=EUR', {
      opening: '100',
      closing: '102.50',
    });
    expect(statements).toMatchObject([
      {
        opening: '100',
        closing: '102.5',
        startsOn: '2026-10-30',
        lines: [{ amount: '7.5' }, { amount: '-5' }],
      },
    ]);
    expect(JSON.parse(reading ?? '')).toMatchObject({ balances: 'stated by the person who imported it' });
  });

  test('a mapping in a file, several columns of text and references, and a heading that is there twice', () => {
    const file =
      'column,heading\ndate,Date\namount,Amount\ncurrency,Currency#1\nbalance,Balance\ntext,Details\ntext,"Note, more"\nreference,Id\nreference,Ref\n';
    const mapping = readMapping({ ...NONE, columns: { name: 'm.csv', bytes: Buffer.from(file) } });
    const text =
      'Date,Amount,Currency,Balance,Currency,Details,"Note, more",Id,Ref,\n2026-10-31,1,EUR,1,USD,one,two,A1,,\n';
    const { statements } = readBankFile(
      { name: 'f', bytes: Buffer.from(text) },
      { format: 'csv', mapping },
      refuserOf('f'),
    );
    expect(statements).toMatchObject([
      { currency: 'EUR', lines: [{ note: 'one\ntwo', references: ['A1'] }] },
    ]);
  });
});

describe('a mapping is refused', () => {
  const BASE = 'date=Fecha,amount=Importe,balance=Saldo,currency-code=EUR';
  test.each([
    ['date:Fecha', {}, /--map "date:Fecha": write column=heading pairs/],
    [`${BASE},saldo=Saldo`, {}, /--map: "saldo" is no column: write date, value_date, amount, debit/],
    [`${BASE},text=`, {}, /--map: text has no heading/],
    [`${BASE},date=Otra`, {}, /--map: date is there twice: leave one/],
    [`${BASE},dates=us`, {}, /--map: dates "us": write dmy, mdy, ymd/],
    [`${BASE},decimal=dot`, {}, /--map: decimal "dot": write comma, point/],
    [`${BASE},encoding=ansi`, {}, /--map: encoding "ansi": write utf-8, utf-16le, utf-16be, windows-1252/],
    [BASE.replace('EUR', 'euro'), {}, /--map: currency-code "euro": write capitals, such as EUR/],
    [BASE.replace('date=Fecha,', ''), {}, /--map: there is no date: add date=HEADING/],
    [BASE.replace('amount=Importe', 'debit=Debe'), {}, /--map: map either amount, or both debit and credit/],
    [`${BASE},debit=Debe,credit=Haber`, {}, /--map: map either amount, or both debit and credit/],
    [
      BASE.replace(',currency-code=EUR', ''),
      {},
      /--map: write either currency=HEADING, or currency-code=EUR/,
    ],
    [`${BASE},currency=Divisa`, {}, /--map: write either currency=HEADING, or currency-code=EUR/],
    [
      BASE.replace('balance=Saldo,', ''),
      {},
      /--map: write either balance=HEADING, or --opening and --closing/,
    ],
    [BASE, { opening: '1', closing: '2' }, /--map: write either balance=HEADING, or --opening and --closing/],
    [BASE, { opening: '1' }, /write both --opening and --closing/],
    [
      BASE.replace('balance=Saldo,', ''),
      { opening: '1,5', closing: '2' },
      /--opening 1,5: write the balance in digits/,
    ],
    [BASE, { columns: { name: 'm', bytes: Buffer.from('') } }, /--map and --columns say the same/],
    [null, { opening: '1', closing: '2' }, /--opening and --closing only work with --map or --columns/],
    [
      null,
      { columns: { name: 'm.csv', bytes: Buffer.from('column,heading\nsaldo,S\n') } },
      /m\.csv: line 2: "saldo" is no column/,
    ],
    [
      null,
      { columns: { name: 'm.csv', bytes: Buffer.from('ours,theirs\ndate,S\n') } },
      /m\.csv: line 1 names ours,theirs: its first line must be column,heading/,
    ],
  ] as const)('%s %s', (map, more, message) => {
    expect(() => readMapping({ ...NONE, map, ...more })).toThrow(message);
  });
});

describe('a file is refused', () => {
  test.each([
    ['', MAP, /^bank\.csv: is empty/],
    [
      SPANISH.replace('Importe', 'Cargo'),
      MAP,
      /no line of the first 100 has all mapped headings: line 4 comes nearest and lacks "Importe"; it has "Fecha", "Fecha valor", "Concepto", "Cargo"/,
    ],
    [SPANISH.split('31/10')[0] ?? '', MAP, /line 4: is followed by no rows/],
    [
      SPANISH.replace('Ordenante', 'Saldo'),
      MAP.replace(',counterparty=Ordenante', ''),
      /line 4: the heading "Saldo" is there twice: write Saldo#1 or Saldo#2/,
    ],
    [Buffer.from(`\ufeff${SPANISH}`, 'utf16le').subarray(0, -1), MAP, /begins as UTF-16 and is not complete/],
    [Buffer.from(SPANISH, 'latin1'), MAP, /is not UTF-8: add encoding=windows-1252 \(most banks\)/],
    [
      SPANISH,
      `${MAP},encoding=windows-1252`,
      /is UTF-8, and encoding=windows-1252 is stated: leave encoding out/,
    ],
    [
      Buffer.from(SPANISH, 'latin1'),
      `${MAP},encoding=utf-8`,
      /is not utf-8: leave encoding out, or write the one of the bank/,
    ],
    [
      SPANISH.replace('31/10/2026', '11/10/2026'),
      MAP.replace('value_date=Fecha valor,', ''),
      /line 5: the date "11\/10\/2026" is 2026-10-11 \(dates=dmy\) or 2026-11-10 \(dates=mdy\)/,
    ],
    [
      SPANISH.replace('8.765,44', '8.765,45'),
      MAP,
      /the balance .* is not the balance before plus .*: a line is missing or out of order/,
    ],
    [SPANISH.replace('-1.234,56', ''), MAP, /line 5: there is no amount: remove lines that are no payments/],
    [
      `${SPANISH}Total;1\r\n`,
      MAP,
      /line 7: has 2 cells, and the headings are 6: remove lines that are no payments/,
    ],
    [`${SPANISH};;;;10,00;\r\n`, MAP, /line 7: the date "" is no day: remove lines that are no payments/],
    [SPANISH.replace(/;Compañía/, ';Compañía;más'), MAP, /line 5: has 7 cells, and the headings are 6/],
  ])('case %#', (content, map, message) => {
    expect(() => read(content, map)).toThrow(message);
  });

  test('a debit and a credit on one line, or neither; a currency that is no code; and two currencies', () => {
    const map = 'date=Day,debit=Debit,credit=Credit,balance=Balance,currency=Ccy';
    const file = (row: string) => `Day,Debit,Credit,Balance,Ccy\n2026-10-30,1.50,,8.50,EUR\n${row}\n`;
    expect(() => read(file('2026-10-31,1,2,7.50,EUR'), map)).toThrow(/line 3: has a debit and a credit/);
    expect(() => read(file('2026-10-31,,,8.50,EUR'), map)).toThrow(
      /line 3: has neither a debit nor a credit/,
    );
    expect(() => read(file('2026-10-31,1,,7.50,€'), map)).toThrow(
      /line 3: the currency "€" is no code: write currency-code=EUR/,
    );
    expect(() => read(file('2026-10-31,1,,7.50,USD'), map)).toThrow(
      /line 3: is in USD, and the lines before in EUR/,
    );
  });

  test('lines in no order of days, without balances', () => {
    const text = 'Day,Amount\n2026-10-30,1.5\n2026-10-31,2\n2026-10-29,3\n';
    expect(() =>
      read(text, 'date=Day,amount=Amount,currency-code=EUR', { opening: '0', closing: '6.5' }),
    ).toThrow(/line 4: is earlier than the line before, and others are later/);
  });

  test('another format than the one that is stated', () => {
    const own = 'date,amount,currency,balance\n2026-10-31,1,EUR,1\n';
    expect(() =>
      readBankFile(
        { name: 'f', bytes: Buffer.from(own) },
        { format: 'mt940', mapping: null },
        refuserOf('f'),
      ),
    ).toThrow(/^f: is csv by its content, and --format says mt940: leave --format out/);
  });
});
