// The networks on which coins move: the form of their addresses, and which of them use a tag.
import { createHash } from 'node:crypto';
import { COINS } from './coins.ts';

type Network = {
  readonly address: RegExp;
  readonly usesTag: boolean;
  /** The coin in which the network takes its fees. */
  readonly coin: string;
  /** An address of this network made from a digest of 64 hexadecimal digits. */
  readonly from: (digest: string) => string;
};

export const NETWORKS: Readonly<Record<string, Network>> = {
  bitcoin: {
    address: /^(bc1[a-z0-9]{25,59}|[13][A-HJ-NP-Za-km-z1-9]{25,34})$/,
    usesTag: false,
    coin: 'BTC',
    from: (digest) => `bc1q${digest.slice(0, 38)}`,
  },
  ethereum: {
    address: /^0x[0-9a-fA-F]{40}$/,
    usesTag: false,
    coin: 'ETH',
    from: (digest) => `0x${digest.slice(0, 40)}`,
  },
  solana: {
    address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    usesTag: false,
    coin: 'SOL',
    from: (digest) => digest.slice(0, 44).replaceAll('0', 'Z'),
  },
  stellar: {
    address: /^G[A-Z2-7]{55}$/,
    usesTag: true,
    coin: 'XLM',
    from: (digest) =>
      `G${digest
        .slice(0, 55)
        .toUpperCase()
        .replaceAll(/[0189]/g, 'Q')}`,
  },
};

/** The networks of a currency, the usual one first; none for fiat. */
export const networksOf = (currency: string): readonly string[] => {
  const usual = COINS[currency]?.network ?? '';
  if (usual === '') return [];
  return currency === 'USDC' ? [usual, 'solana', 'stellar'] : [usual];
};

/** The address of a pocket on a network. */
export const depositAddressOf = (network: string, pocketId: string): string =>
  addressOf(network, `deposit:${pocketId}`);

/** An address of a stranger, which is in no address book. */
export const unlistedAddressOf = (network: string, userId: string): string =>
  addressOf(network, `unlisted:${userId}`);

/** An address that depends only on its label. */
export const addressOf = (network: string, label: string): string =>
  (NETWORKS[network] as Network).from(createHash('sha256').update(label).digest('hex'));
