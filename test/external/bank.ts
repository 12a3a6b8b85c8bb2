// A bank and a chain of the test's own: payments of a company over some weeks, what the platform lists of them, and what the bank or
// the chain shows. It shares no code with what reads and matches them.
import type { WireRecord } from '../../src/base/streams.ts';

const IBAN = 'ES9121000418450200051332';
export const ADDRESS = '0xAbCdEf0000000000000000000000000000000002';

/** The text of a payment that has nothing to do with the platform. */
export const OTHER = 'Alquiler';

/** Cents or 1e-6 coins as whole numbers; positive if money left the platform. */
export type Payment = {
  readonly id: string;
  readonly kind: 'bank' | 'card' | 'chain';
  readonly day: string;
  readonly units: number;
  readonly fee: number;
  readonly hash: string;
  readonly concept: string;
};

export type StatedPayment = {
  readonly bookedOn: string;
  readonly valueOn: string;
  readonly units: number;
  readonly reference: string;
  readonly text: string;
  readonly hash: string;
};

/** The statement of some lines of February and March 2026. */
export const statementOf = (
  lines: readonly StatedPayment[],
  rest: Partial<StatementText> = {},
): StatementText => ({ opening: 5_000_000, lines, number: 2, from: '2026-02-01', to: '2026-03-12', ...rest });

/** Mulberry32: the same numbers for the same seed. */
const randomOf = (seed: number) => {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below) | 0;
  };
};

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

const hex = (random: (below: number) => number, digits: number): string =>
  Array.from({ length: digits }, () => random(16).toString(16)).join('');

/** Payments of February and of the first days of March, in order of their days. */
export const paymentsOf = (seed: number, count: number, kinds: readonly Payment['kind'][]): Payment[] => {
  const random = randomOf(seed);
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[random(kinds.length)] ?? 'bank';
    const isOut = kind !== 'card' && random(2) === 0;
    const size = 10_000 + random(900_000);
    return {
      id: `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`,
      kind,
      day: dayAfter('2026-02-01', Math.floor((index * 32) / count)),
      units: isOut ? size : -size,
      fee: random(3) === 0 ? 100 + random(400) : 0,
      hash: `0x${hex(random, 64)}`,
      concept: `KRT${1000 + random(3)}`,
    };
  });
};

/** Whole units with that many decimals, as text. */
const text = (units: number, decimals: number): string => {
  const digits = String(Math.abs(units)).padStart(decimals + 1, '0');
  return `${units < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** The wallet transaction as the platform lists it. The fee comes out of what arrives. */
export const recordOf = ({ id, kind, day, units, fee, hash, concept }: Payment): WireRecord => {
  const [currency, decimals] = kind === 'chain' ? ['ETH', 6] : ['EUR', 2];
  const whole = Math.abs(units) + (units > 0 ? fee : 0);
  const outside = {
    bank: { class: 'bank-transfer', bankAccount: IBAN, fullName: 'Ejemplo S.L.' },
    card: { class: 'card' },
    chain: { class: 'blockchain', address: ADDRESS, addressNetwork: 'ethereum' },
  }[kind];
  const isOut = units > 0;
  const [left, arrived] = [
    text(whole, decimals as number),
    text(isOut ? units : whole - fee, decimals as number),
  ];
  const inside = { class: 'pocket', pocketId: kind === 'chain' ? 'p2' : 'p1', currency };
  return {
    id,
    type: isOut ? 'withdrawal' : 'deposit',
    date: `${day}T11:00:00.000Z`,
    completedAt: `${day}T12:00:00.000Z`,
    status: 'completed',
    origin: { ...(isOut ? inside : { ...outside, currency }), amount: left },
    destination: { ...(isOut ? { ...outside, currency } : inside), amount: arrived },
    concept,
    ...(kind === 'chain' && { transaction: { hash } }),
  };
};

/** What the bank shows of it: up to two days later, or a day before a deposit arrives; every third line without the platform's id. */
export const statedOf = (payment: Payment, index: number): StatedPayment => {
  const isAhead = payment.units < 0 && index % 3 === 2;
  const day = payment.kind === 'chain' ? payment.day : dayAfter(payment.day, isAhead ? -1 : index % 3);
  return {
    bookedOn: day,
    valueOn: day,
    units: payment.units,
    reference: index % 3 === 0 ? '' : payment.id.replaceAll('-', '').toUpperCase(),
    text: index % 3 === 1 ? 'Transferencia' : payment.concept,
    hash: payment.hash,
  };
};

export type StatementText = {
  readonly opening: number;
  readonly lines: readonly StatedPayment[];
  readonly number: number;
  readonly from: string;
  readonly to: string;
};

const total = ({ lines }: StatementText): number => lines.reduce((sum, { units }) => sum + units, 0);
const six = (day: string): string => day.slice(2).replaceAll('-', '');
const size = (units: number): string => text(Math.abs(units), 2);

export const camtOf = (statement: StatementText): string => {
  const balance = (code: string, units: number, day: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${size(units)}</Amt><CdtDbtInd>${units < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  const entry = ({ units, bookedOn, valueOn, reference, text: remittance }: StatedPayment) =>
    `<Ntry><Amt Ccy="EUR">${size(units)}</Amt><CdtDbtInd>${units < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>` +
    `<BookgDt><Dt>${bookedOn}</Dt></BookgDt><ValDt><Dt>${valueOn}</Dt></ValDt><NtryDtls><TxDtls><Refs><EndToEndId>${reference || 'NOTPROVIDED'}</EndToEndId></Refs>` +
    `<RltdPties><${units < 0 ? 'Cdtr' : 'Dbtr'}><Pty><Nm>${remittance === OTHER ? 'Casero' : 'Plataforma &amp; C&#237;a'}</Nm></Pty></${units < 0 ? 'Cdtr' : 'Dbtr'}></RltdPties><RmtInf><Ustrd>${remittance}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr>',
    `<Stmt><Id>S${statement.number}</Id><ElctrncSeqNb>${statement.number}</ElctrncSeqNb><FrToDt><FrDtTm>${statement.from}T00:00:00</FrDtTm><ToDtTm>${statement.to}T23:59:59</ToDtTm></FrToDt>`,
    `<Acct><Id><IBAN>${IBAN}</IBAN></Id><Ccy>EUR</Ccy></Acct>`,
    balance('OPBD', statement.opening, statement.from),
    balance('CLBD', statement.opening + total(statement), statement.to),
    ...statement.lines.map(entry),
    '</Stmt></BkToCstmrStmt></Document>',
  ].join('\n');
};

export const mt940Of = (statement: StatementText): string => {
  const balance = (units: number, day: string) =>
    `${units < 0 ? 'D' : 'C'}${six(day)}EUR${size(units).replace('.', ',')}`;
  const rows = statement.lines.flatMap(({ units, bookedOn, valueOn, reference, text: remittance }) => [
    `:61:${six(valueOn)}${six(bookedOn).slice(2)}${units < 0 ? 'D' : 'C'}R${size(units).replace('.', ',')}NTRFNONREF//B1`,
    // A bank cuts the text after 27 characters and numbers the pieces.
    `:86:166?00GUTSCHRIFT?20EREF+${reference.slice(0, 22)}`,
    `?21${reference.slice(22)}?22${remittance}`,
  ]);
  return [
    '{1:F01BANKESMMAXXX0000000000}{2:O9401200260301BANKESMMAXXX00000000002603011200N}{4:',
    ':20:STARTUMS',
    `:25:${IBAN}EUR`,
    `:28C:${statement.number}/1`,
    `:60F:${balance(statement.opening, statement.from)}`,
    ...rows,
    `:62F:${balance(statement.opening + total(statement), statement.to)}`,
    '-}',
    '',
  ].join('\r\n');
};

export const norma43Of = (statement: StatementText): string => {
  const money = (units: number) => `${units < 0 ? '1' : '2'}${String(Math.abs(units)).padStart(14, '0')}`;
  const own = IBAN.slice(4, 12) + IBAN.slice(14);
  const rows = statement.lines.flatMap(({ units, bookedOn, valueOn, reference, text: remittance }) => [
    `22    0418${six(bookedOn)}${six(valueOn)}99001${money(units)}${'0'.repeat(10)}${'0'.repeat(12)}${remittance.padEnd(16)}`,
    `2301${reference.padEnd(38)}${remittance.padEnd(38)}`,
  ]);
  const side = (isSide: (units: number) => boolean) => {
    const amounts = statement.lines.map(({ units }) => units).filter(isSide);
    const sum = amounts.reduce((a, b) => a + Math.abs(b), 0);
    return String(amounts.length).padStart(5, '0') + String(sum).padStart(14, '0');
  };
  const closing = statement.opening + total(statement);
  const body = [
    `11${own}${six(statement.from)}${six(statement.to)}${money(statement.opening)}9783${'EJEMPLO SL'.padEnd(26)}   `,
    ...rows,
    `33${own}${side((units) => units < 0)}${side((units) => units >= 0)}${money(closing)}978    `,
  ];
  return [...body, `88${'9'.repeat(18)}${String(body.length).padStart(6, '0')}`.padEnd(80), ''].join('\r\n');
};

export const csvOf = (statement: StatementText): string => {
  let balance = statement.opening;
  const rows = statement.lines.map(({ units, bookedOn, valueOn, reference, text: remittance }) => {
    balance += units;
    return [bookedOn, valueOn, text(units, 2), 'EUR', text(balance, 2), reference, `"${remittance}"`].join(
      ';',
    );
  });
  return ['date;value_date;amount;currency;balance;reference;text', ...rows, ''].join('\n');
};

export const chainCsvOf = (lines: readonly StatedPayment[]): string =>
  [
    'hash,time,amount,fee,counterparty',
    ...lines.map(
      ({ hash, bookedOn, units }) =>
        `${hash.toUpperCase().replace('0X', '0x')},${bookedOn}T12:10:00Z,${text(units, 6)},0.0001,`,
    ),
    '',
  ].join('\n');
