// Trades of October 2026 as mapped entries, made in memory: each buys or sells one of eight coins for EUR, with a fee, a
// gain or loss and odd cents; every tenth is followed by a reward, which is another stream.
import type { PackageEntry, PackageLine, Target } from '../../../src/export/packages/package.ts';
import type { PackageName } from '../../../src/export/packages/packages.ts';

const COINS = ['BTC', 'ETH', 'SOL', 'ADA', 'XRP', 'DOT', 'USDC', 'USDT'];
const TAXES: Record<PackageName, string> = { xero: 'Tax Exempt', quickbooks: '', datev: '', holded: '' };
const CENTRES: Record<PackageName, string> = {
  xero: 'Cost: Fees',
  quickbooks: 'Fees',
  datev: '100',
  holded: 'fees',
};

/** A line of an account `assets:trading` in a currency, with the package's account for it. */
const lineFor =
  (name: PackageName) =>
  (account: string, [currency, units]: readonly [string, string], cents: bigint): PackageLine => ({
    account,
    currency,
    counterpartyType: '',
    units,
    cents,
    ...targetFor(name, account, currency),
  });

const targetFor = (name: PackageName, account: string, currency: string): Target => {
  const [code, label] = codeOf(account, currency);
  const dimension1 = account.startsWith('expenses:fees') ? CENTRES[name] : '';
  return { code, name: label, tax: TAXES[name], dimension1, dimension2: '' };
};

const codeOf = (account: string, currency: string): [code: string, name: string] => {
  if (account === 'expenses:fees:trading') return ['6300', 'Fees'];
  if (account === 'expenses:losses:realised') return ['6880', 'Losses'];
  if (account === 'income:gains:realised') return ['4880', 'Gains'];
  if (account === 'income:rewards') return ['4890', 'Rewards'];
  if (currency === 'EUR') return ['1800', 'Cash at the gateway'];
  return currency.startsWith('USD') ? ['1810', 'Tokens'] : ['1350', 'Coins'];
};

/** The entries, in order of their days. */
export async function* trades(name: PackageName, count: number): AsyncGenerator<PackageEntry> {
  for (let n = 0, ordinal = 0; n < count; n += 1) {
    const day = `2026-10-${String(1 + Math.floor((n * 31) / count)).padStart(2, '0')}`;
    const about = (id: string, stream: string) => {
      ordinal += 1;
      return { ordinal, day, kind: 'new', stream, id: idOf(id, n), recordId: `${id}${n}` } as const;
    };
    yield { ...about('a', 'trades'), lines: tradeLines(name, n) };
    if (n % 10 === 0) yield { ...about('b', 'earn-movements'), lines: rewardLines(name, n) };
  }
}

const idOf = (kind: string, n: number): string =>
  `019${kind}0000-0000-8000-8000-${String(n).padStart(12, '0')}`;

const tradeLines = (name: PackageName, n: number): PackageLine[] => {
  const line = lineFor(name);
  const coin = COINS[n % COINS.length] ?? '';
  const [cost, fee, units] = [
    BigInt(((n * 7919) % 100_000) + 101),
    BigInt(n % 97),
    `0.${String(n + 1).padStart(8, '0')}`,
  ];
  const gain = n % 3 === 0 ? 0n : BigInt(((n * 31) % 2001) - 1000);
  const money = n % 3 === 0 ? -cost - fee : cost + gain - fee;
  const lines = [
    line('assets:trading', [coin, n % 3 === 0 ? units : `-${units}`], n % 3 === 0 ? cost : -cost),
    line('assets:trading', ['EUR', String(money)], money),
    line('expenses:fees:trading', ['EUR', String(fee)], fee),
    line(gain < 0n ? 'expenses:losses:realised' : 'income:gains:realised', ['EUR', '0'], -gain),
  ];
  return lines.filter(({ cents }) => cents !== 0n);
};

const rewardLines = (name: PackageName, n: number): PackageLine[] => {
  const [line, coin] = [lineFor(name), COINS[n % 6] ?? ''];
  return [
    line('assets:earn', [coin, '0.000001'], BigInt((n % 7) + 1)),
    line('income:rewards', [coin, '-0.000001'], -BigInt((n % 7) + 1)),
  ];
};
