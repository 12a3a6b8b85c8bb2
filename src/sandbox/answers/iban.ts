// The validity of an IBAN: its form, and its check digits modulo 97.
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import type { Question, SandboxAnswer } from '../question.ts';
import type { BodyOf } from './change.ts';

/** Whether a text is an IBAN, with or without blanks. */
export const isIban = (text: string): boolean => {
  const compact = text.replaceAll(' ', '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  const turned = compact.slice(4) + compact.slice(0, 4);
  const digits = turned.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
};

export const validateIban = ({ body }: Question): SandboxAnswer => ({
  data: { result: isIban((body as BodyOf<typeof CONTRACT.teller.validateIban>).iban) },
});

export const validateIbanOld = ({ query }: Question): SandboxAnswer => ({
  data: { result: isIban(String(query.iban)) },
});
