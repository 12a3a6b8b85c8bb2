// Funding: the address book, deposit addresses, bank references and travel-rule data.
import type { Answers } from '../question.ts';
import { addressBook, confirmEntry, createEntry } from './address-book.ts';
import { createDepositAddress, depositAddresses } from './deposit-addresses.ts';
import { pocketReference } from './pocket-reference.ts';
import { completeTravelRule, confirmationStatus, confirmDestination } from './travel-rule.ts';

export const funding: Answers = {
  'address-book-create': createEntry,
  'address-book': addressBook,
  'address-book-confirm': confirmEntry,
  'destination-confirmation-status': confirmationStatus,
  'destination-confirm': confirmDestination,
  'deposit-address-create': createDepositAddress,
  'deposit-addresses': depositAddresses,
  'pocket-reference': pocketReference,
  'travel-rule': completeTravelRule,
  'travel-rule-v2': completeTravelRule,
  'travel-rule-v1': completeTravelRule,
};
