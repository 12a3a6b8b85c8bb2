// Wallet: pockets and wallet transactions.
import type { Answers } from '../question.ts';
import { pockets } from './pockets.ts';
import { executeTransaction, prepareTransaction } from './wallet-proforma.ts';
import {
  walletTransaction,
  walletTransactions,
  walletTransactionsV1,
  walletTransactionsV2,
} from './wallet-transactions.ts';

export const wallet: Answers = {
  pockets,
  'wallet-transactions': walletTransactions,
  'wallet-transactions-v1': walletTransactionsV1,
  'wallet-transactions-v2': walletTransactionsV2,
  'wallet-transaction': walletTransaction,
  'wallet-proforma': prepareTransaction,
  'wallet-transaction-execute': executeTransaction,
};
