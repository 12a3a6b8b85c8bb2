// Wallet: pockets and wallet transactions.
import type { Answers } from '../question.ts';
import { pockets } from './pockets.ts';
import { walletTransaction, walletTransactions } from './wallet-transactions.ts';

export const wallet: Answers = {
  pockets,
  'wallet-transactions': walletTransactions,
  'wallet-transaction': walletTransaction,
};
