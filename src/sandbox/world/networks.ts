// The networks on which coins move: the form of their addresses and hashes, and which of them use a tag.
import { createHash } from 'node:crypto';
import { COINS } from './coins.ts';

type Network = {
  readonly address: RegExp;
  readonly usesTag: boolean;
  /** The coin in which the network takes its fees. */
  readonly coin: string;
  /** An address of this network made from a digest of 64 hexadecimal digits. */
  readonly from: (digest: string) => string;
  /** The hash of a transaction made from such a digest. */
  readonly hashFrom: (digest: string) => string;
};

/** The signature of a transaction of Solana: 64 bytes in base58, mostly 88 characters. */
const signatureFrom = (digest: string): string =>
  `${digest}${digestOf(digest)}`.slice(0, 88).replaceAll('0', 'Z');

const digestOf = (label: string): string => createHash('sha256').update(label).digest('hex');

export const NETWORKS: Readonly<Record<string, Network>> = {
  bitcoin: {
    address: /^(bc1[a-z0-9]{25,59}|[13][A-HJ-NP-Za-km-z1-9]{25,34})$/,
    usesTag: false,
    coin: 'BTC',
    from: (digest) => `bc1q${digest.slice(0, 38)}`,
    hashFrom: (digest) => digest,
  },
  ethereum: {
    address: /^0x[0-9a-fA-F]{40}$/,
    usesTag: false,
    coin: 'ETH',
    from: (digest) => `0x${digest.slice(0, 40)}`,
    hashFrom: (digest) => `0x${digest}`,
  },
  solana: {
    address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    usesTag: false,
    coin: 'SOL',
    from: (digest) => digest.slice(0, 44).replaceAll('0', 'Z'),
    hashFrom: signatureFrom,
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
    hashFrom: (digest) => digest,
  },
};

/** An address in the form in which it is compared: the case of a hexadecimal one is only its checksum. */
export const comparableAddress = (address: string): string =>
  address.startsWith('0x') ? address.toLowerCase() : address;

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

/** The wallet of the user's own outside the platform, from which about a third of the deposits come. The address book has only
 * addresses that were sent to, so it is not in there. */
export const ownWalletOf = (network: string, userId: string): string =>
  addressOf(network, `own-wallet:${userId}`);

/** An address that depends only on its label. */
export const addressOf = (network: string, label: string): string =>
  (NETWORKS[network] as Network).from(digestOf(label));

/** The hash of a transaction, in the form of its network, that depends only on its label. */
export const hashOf = (network: string, label: string): string =>
  (NETWORKS[network] as Network).hashFrom(digestOf(label));
