// Numbers of bank accounts as people write them: with blanks, in small letters, in groups of four.

/** Without blanks and hyphens, in capitals: the form in which two spellings are compared. */
export const compactNumber = (account: string): string => account.replaceAll(/[\s-]/g, '').toUpperCase();

/** The masked form `ES91…1332`: enough to recognise the account. */
export const maskedNumber = (account: string): string =>
  `${compactNumber(account).slice(0, 4)}…${compactNumber(account).slice(-4)}`;

/** The spellings of an account: as written, without blanks, in small letters, and in groups of four. */
export const spellingsOf = (account: string): string[] => {
  const whole = compactNumber(account);
  return [...new Set([account, whole, whole.toLowerCase(), whole.replaceAll(/(.{4})(?=.)/g, '$1 ')])];
};

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Whether a text has the form of an IBAN; its check digits may be wrong. */
export const looksLikeIban = (text: string): boolean => IBAN.test(compactNumber(text));

/** Whether the check digits of an IBAN are right (ISO 13616: the rest of the division by 97 is 1). */
export const isIban = (text: string): boolean => looksLikeIban(text) && rest97(compactNumber(text)) === 1;

/** The IBAN of a country's own number (BBAN), with its check digits. */
export const ibanOf = (country: string, bban: string): string => {
  const digits = String(98 - rest97(`${country}00${bban}`)).padStart(2, '0');
  return `${country}${digits}${bban}`;
};

const rest97 = (iban: string): number => {
  const moved = iban.slice(4) + iban.slice(0, 4);
  let rest = 0;
  for (const character of moved) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
};
