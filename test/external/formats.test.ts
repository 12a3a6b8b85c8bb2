// What each format states: signs, days, references, batches, numbers; and every refusal, with its line and what to do.
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { readChainCsv } from '../../src/external/formats/chain-csv.ts';
import { readBankFile } from '../../src/external/formats/format.ts';
import { refuserOf } from '../../src/external/statement.ts';
import { camtOf, csvOf, mt940Of, norma43Of, type StatementText } from './bank.ts';

const refuse = refuserOf('file');

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : content;

const read = (content: string | Uint8Array) =>
  readBankFile({ name: 'file', bytes: bytesOf(content) }, { format: null, mapping: null }, refuse);

const refused = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message;
  }
  return 'nothing was refused';
};

const LINE = {
  bookedOn: '2026-02-10',
  valueOn: '2026-02-09',
  reference: 'ORDER77',
  text: 'KRT1001',
  hash: '',
};
const STATEMENT: StatementText = {
  opening: 100,
  lines: [
    { ...LINE, units: 1_234_56 },
    { ...LINE, units: -99 },
  ],
  number: 5,
  from: '2026-02-01',
  to: '2026-02-28',
};

describe('the same statement in each format', () => {
  test.each([
    ['camt.053', camtOf(STATEMENT), '5'],
    ['mt940', mt940Of(STATEMENT), '5/1'],
    ['norma43', norma43Of(STATEMENT), null],
    ['csv', csvOf(STATEMENT), null],
  ])('%s', (format, content, bankNumber) => {
    const { format: found, statements } = read(content);
    expect(found).toBe(format);
    const [statement] = statements;
    expect(statement).toMatchObject({
      bankNumber,
      currency: 'EUR',
      opening: '1',
      closing: '1234.57',
      accountNumber: format === 'csv' ? null : 'ES9121000418450200051332',
    });
    expect(statement?.lines.map(({ amount, bookedOn, valueOn }) => [amount, bookedOn, valueOn])).toEqual([
      ['1234.56', '2026-02-10', '2026-02-09'],
      ['-0.99', '2026-02-10', '2026-02-09'],
    ]);
    for (const line of statement?.lines ?? [])
      expect([...line.references, line.note].join(' ').replaceAll('\n', ' ')).toMatch(/ORDER77.*KRT1001/);
  });
});

describe('camt.053', () => {
  test('version 02, Windows-1252, an account without IBAN, and an entry that is not booked', () => {
    const content = camtOf(STATEMENT)
      .replace('.001.08', '.001.02')
      .replace('<Sts><Cd>BOOK</Cd></Sts>', '<Sts>BOOK</Sts>')
      .replace('encoding="UTF-8"', 'encoding="ISO-8859-1"')
      .replace('C&#237;a', 'Cía')
      .replace(/<IBAN>.*<\/IBAN>/, '<Othr><Id>0049-1</Id></Othr>')
      .replace(
        '</Stmt>',
        '<Ntry><Amt Ccy="EUR">7</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts></Ntry></Stmt>',
      );
    const [statement] = read(Buffer.from(content, 'latin1')).statements;
    expect(statement?.accountNumber).toBe('0049-1');
    expect(statement?.lines.map(({ counterparty }) => counterparty)).toEqual([
      'Plataforma & Cía',
      'Plataforma & Cía',
    ]);
  });

  test('a batch whose payments have amounts is a line for each, and one without is a line', () => {
    const payment = (amount: string, reference: string) =>
      `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${amount && `<Amt Ccy="EUR">${amount}</Amt>`}</TxDtls>`;
    const batch = (first: string, second: string) =>
      camtOf(STATEMENT).replace(/<TxDtls>.*?<\/TxDtls>/s, payment(first, 'A1') + payment(second, 'A2'));
    const amounts = (content: string) =>
      read(content).statements[0]?.lines.map(({ amount, references }) => `${amount} ${references.join()}`);
    expect(amounts(batch('1000', '234.56'))).toEqual(['1000 A1', '234.56 A2', '-0.99 ORDER77']);
    expect(amounts(batch('1000', '1'))).toEqual(['1234.56 A1,A2', '-0.99 ORDER77']);
    expect(amounts(batch('', ''))).toEqual(['1234.56 A1,A2', '-0.99 ORDER77']);
  });

  const document = camtOf(STATEMENT);
  test.each([
    [document.slice(0, 700), /^file: line \d+: is not well-formed XML: the file is cut off/],
    [
      document.replace('<Document', '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document'),
      /^file: line 2: has a document type/,
    ],
    [document.replace('KRT1001', '&e;'), /line \d+: is not well-formed XML/],
    [`${'<a>'.repeat(60)}${'</a>'.repeat(60)}`, /line 1: is deeper than 40 levels/],
    [
      document.replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt'),
      /is a camt\.052, a report within the day: download the statement, camt\.053/,
    ],
    ['<html></html>', /is no camt\.053/],
    [document.replaceAll('BkToCstmrStmt', 'constructor'), /is no camt\.053/],
    [document.replace('1234.56', '1234,5x'), /line \d+: the amount "1234,5x" is none/],
    [document.replace('<CdtDbtInd>DBIT', '<CdtDbtInd>OUT'), /CdtDbtInd is "OUT", neither CRDT nor DBIT/],
    [document.replace('<Cd>CLBD</Cd>', '<Cd>INFO</Cd>'), /line \d+: the statement has no balance CLBD/],
    [document.replace('<Dt>2026-02-10</Dt>', '<Dt>2026-02-30</Dt>'), /the date "2026-02-30" is none/],
    [document.replace('<Ntry><Amt Ccy="EUR">', '<Ntry><Amt Ccy="USD">'), /is in USD, and the account in EUR/],
  ])('refused: case %#', (content, message) => {
    expect(refused(() => read(content))).toMatch(message);
  });
});

describe('mt940', () => {
  const message = mt940Of(STATEMENT);

  test('a reversal counts against its side, a comma may end an amount, a page has its number, and a year turns', () => {
    const content = [
      ':20:X',
      ':25:37040044/532013000EUR',
      ':28C:00012/002',
      ':60M:C260101EUR10,',
      ':61:2512311231RC5,00NTRFREF1//BANK1',
      'more text',
      ':86:?20SVWZ+first?21part',
      ':61:260101RD7,5NTRFNONREF',
      ':62M:C260101EUR12,5',
    ].join('\n');
    const [statement] = read(content).statements;
    expect(statement).toMatchObject({
      bankNumber: '12/2',
      accountNumber: 'DE89370400440532013000',
      startsOn: '2025-12-31',
      endsOn: '2026-01-01',
      opening: '10',
      closing: '12.5',
    });
    expect(statement?.lines).toMatchObject([
      { amount: '-5', bookedOn: '2025-12-31', references: ['REF1', 'BANK1', 'more text'] },
      { amount: '7.5', bookedOn: '2026-01-01', references: [] },
    ]);
  });

  test.each([
    [
      message.slice(0, message.indexOf(':62F:')),
      /line \d+: ends without field :62F:, the closing balance: the file is cut off/,
    ],
    [message.replace('1234,56', '12.34,56'), /line 6: the line .* is none: it is written as/],
    [message.replace(':60F:C260201EUR1,00', ':60F:C260201EURx'), /line 5: the balance "C260201EURx" is none/],
    [`:20:A\n:25:1\n`, /ends without field :60F:, the opening balance/],
    [message.replace('0210CR', '0230CR'), /the entry date "0230" is no day/],
  ])('refused: case %#', (content, expected) => {
    expect(refused(() => read(content))).toMatch(expected);
  });
});

describe('norma43', () => {
  const file = norma43Of(STATEMENT);
  const rows = file.split('\r\n');

  test.each([
    [rows.slice(0, 4).join('\n'), /line 4: is not the last record \(88\): the file is cut off/],
    [
      [...rows.slice(0, 3), ...rows.slice(4)].join('\n'),
      /line 6: states 000006|states 6 records, and the file has 5/,
    ],
    [file.replace('200000000123456', '20000000012X456'), /line 2: "20000000012X456" is no amount/],
    [file.replace('9783', '0003'), /line 1: the currency "000" is not known here/],
    [file.replace('22    0418260210', '22    0418261310'), /line 2: "261310" is no day/],
    [
      file.replace('00000000123456', '00000000123457'),
      /states 00001 credits of 1234\.56, and the file has 1 of 1234\.57/,
    ],
    [file.replace('\r\n23', '\r\n25'), /line 3: record "25" is unknown/],
    [rows.slice(1).join('\n'), /no column|unknown|the first line names/],
  ])('refused: case %#', (content, expected) => {
    expect(refused(() => read(content))).toMatch(expected);
  });
});

describe('csv', () => {
  const file = csvOf(STATEMENT);

  test('the newest line first is read the other way round', () => {
    const [head = '', ...lines] = file.trim().split('\n');
    const [statement] = read([head, ...lines.reverse(), ''].join('\n')).statements;
    expect(statement).toMatchObject({ opening: '1', closing: '1234.57' });
    expect(statement?.lines.map(({ amount }) => amount)).toEqual(['1234.56', '-0.99']);
  });

  test.each([
    ['', /is empty/],
    ['date,amount\n', /is followed by no rows|there is no column currency/],
    [
      file.replace('balance', 'saldo'),
      /line 1: the column "saldo" is unknown: the first line names date, amount, currency, balance/,
    ],
    [
      file.replace('1235.56', '1235.57'),
      /line 3: the balance .* is not the balance before plus -0\.99: a line is missing or out of order/,
    ],
    [file.replace('1234.56', '1.234,56'), /line 2: the amount "1\.234,56" has a comma/],
    [file.replace('1234.56', '1e3'), /line 2: the amount "1e3" is not written in digits/],
    [file.replace('2026-02-10', '10/02/2026'), /line 2: the date "10\/02\/2026" is no day/],
    [file.replace(';EUR;1234.57', ';USD;1234.57'), /line 3: is in USD, and the lines before in EUR/],
  ])('refused: case %#', (content, expected) => {
    expect(refused(() => read(content))).toMatch(expected);
  });
});

describe('a chain', () => {
  const ADDRESS = '0xAbCdEf0000000000000000000000000000000002';
  const OTHER = '0x1111111111111111111111111111111111111111';
  const list = (content: string, until: string | null = null) =>
    readChainCsv(
      { name: 'file', bytes: bytesOf(content) },
      { address: ADDRESS, currency: 'ETH', until },
      refuse,
    );
  const HASH = `0x${'aB'.repeat(32)}`;
  const ETHERSCAN =
    '"Transaction Hash","Blockno","UnixTimestamp","DateTime (UTC)","From","To","ContractAddress","Value_IN(ETH)","Value_OUT(ETH)","CurrentValue @ $3000/Eth","TxnFee(ETH)","TxnFee(USD)","Historical $Price/Eth","Status","ErrCode","Method"';

  test('hash and address in comparable form, oldest first', () => {
    const { format, statements } = list(
      `hash,time,amount,fee,counterparty\n${HASH},2026-02-10T10:00:00Z,-1.5,0.001,${OTHER}\n${'CD'.repeat(32)},2026-02-09T10:00:00+01:00,2,,\n`,
    );
    expect(format).toBe('chain-csv');
    expect(statements).toMatchObject([{ startsOn: '2026-02-09', endsOn: '2026-02-10', opening: null }]);
    expect(statements[0]?.lines).toMatchObject([
      { hash: 'cd'.repeat(32), amount: '2', address: null, happenedAt: '2026-02-09T09:00:00.000Z' },
      { hash: 'ab'.repeat(32), amount: '-1.5', address: OTHER, facts: { fee: '0.001' } },
    ]);
  });

  test('the export of Etherscan: in and out, and what failed moved nothing', () => {
    const row = (from: string, to: string, received: string, sent: string, error = '') =>
      `"${HASH}","1","1","2026-02-10 10:00:00","${from}","${to}","","${received}","${sent}","0","0.002","6","3000","","${error}","Transfer"`;
    const { format, statements } = list(
      [
        ETHERSCAN,
        row(OTHER, ADDRESS.toLowerCase(), '1.25', '0'),
        row(ADDRESS, OTHER, '0', '0.5'),
        row(ADDRESS, OTHER, '0', '9', 'Error(0)'),
        '',
      ].join('\n'),
    );
    expect(format).toBe('etherscan');
    expect(statements[0]?.lines.map(({ amount, facts, address }) => [amount, facts.fee, address])).toEqual([
      ['1.25', undefined, OTHER],
      ['-0.5', '0.002', OTHER],
      ['0', '0.002', OTHER],
    ]);
  });

  test.each([
    [
      `hash,amount\n${HASH},1\n`,
      null,
      /line 1: there is no column time: the first line names hash, time, amount/,
    ],
    [`hash,time,amount\nx,2026-02-10T10:00:00Z,1\n`, null, /line 2: the hash "x" is none/],
    [
      `hash,time,amount\n${HASH},10\\.2\\.2026,1\n`,
      null,
      /line 2: the time .* is no instant: write it in UTC/,
    ],
    [
      `hash,time,amount,currency\n${HASH},2026-02-10T10:00:00Z,1,BTC\n`,
      null,
      /line 2: is in "BTC", and --currency is ETH/,
    ],
    [
      `hash,time,amount\n${HASH},2026-02-10T10:00:00Z,1\n`,
      '2026-02-09',
      /line 2: is of 2026-02-10, after --until 2026-02-09/,
    ],
    [`hash,time,amount\n${HASH},2026-02-10T10:00:00Z,0.0000000000000000001\n`, null, /has 19 decimals/],
    [
      `${ETHERSCAN.replaceAll('(ETH)', '(USDC)')}\n${'a,'.repeat(15)}a\n`,
      null,
      /there is no column for in in ETH/,
    ],
  ])('refused: case %#', (content, until, expected) => {
    expect(refused(() => list(content, until))).toMatch(expected);
  });
});
