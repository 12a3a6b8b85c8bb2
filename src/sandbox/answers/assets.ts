// The metadata of every asset: held, of a test network, or delisted.
import type { Question, SandboxAnswer } from '../question.ts';
import { refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import { COINS, isFiat, OTHER_ASSETS } from '../world/coins.ts';
import { LISTED } from '../world/market.ts';
import { NETWORKS, networksOf } from '../world/networks.ts';

/** Every symbol that the platform lists. */
export const SYMBOLS: readonly string[] = [...Object.keys(COINS), ...Object.keys(OTHER_ASSETS)];

export const nameOf = (symbol: string): string => `${symbol} coin`;

const isTestnet = (symbol: string): boolean => OTHER_ASSETS[symbol]?.network.endsWith('-testnet') ?? false;

/** By symbol. Testnet assets can be left out, delisted ones not. */
export const assets = ({ query }: Question): SandboxAnswer => {
  const shown = SYMBOLS.filter((symbol) => query.includeTestnet !== 'false' || !isTestnet(symbol));
  return { data: Object.fromEntries(shown.map((symbol) => [symbol, viewOf(symbol)])) };
};

/** The case of the symbol matters. */
export const asset = ({ params }: Question): SandboxAnswer => {
  const symbol = params.symbol ?? '';
  return SYMBOLS.includes(symbol) ? { data: viewOf(symbol) } : refusal(404, 'Asset not found');
};

const viewOf = (symbol: string): WireObject => {
  const removedAt = OTHER_ASSETS[symbol]?.removedAt;
  const network = networkOf(symbol);
  return {
    symbol,
    name: nameOf(symbol),
    slug: symbol.toLowerCase(),
    assetType: isFiat(symbol) ? 'fiat' : 'crypto',
    network,
    enabled: removedAt === undefined,
    ticker: symbol,
    lite: false,
    loanable: ['BTC', 'ETH'].includes(symbol),
    testnet: isTestnet(symbol),
    ...(removedAt !== undefined && { removedAt }),
    addressRegex: network === null ? null : (NETWORKS[network]?.address.source ?? null),
    networks: networksFor(symbol, network),
    isERC20Token: network === 'ethereum' && symbol !== 'ETH',
    hasImage: false,
    image: null,
    hexColor: '#336699',
    hasPaymentRequest: symbol === 'BTC',
    mainwebUri: `https://example.com/${symbol.toLowerCase()}`,
    uriScheme: network,
    pairsWith: pairsOf(symbol),
  };
};

/** Each network takes its fee in its own coin. */
const networksFor = (symbol: string, network: string | null): WireObject[] =>
  (networksOf(symbol).length > 0 ? networksOf(symbol) : network === null ? [] : [network]).map((name) => ({
    network: name,
    feeCurrencyCode: NETWORKS[name]?.coin ?? symbol,
  }));

const networkOf = (symbol: string): string | null =>
  OTHER_ASSETS[symbol]?.network ?? networksOf(symbol)[0] ?? null;

const pairsOf = (symbol: string): string[] =>
  LISTED.flatMap(({ base, quote }) => (base === symbol ? [quote] : quote === symbol ? [base] : []));
