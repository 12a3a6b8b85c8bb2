// The sign or code of a currency beside an amount. It must be one of the line's own currency; which signs a currency has is Unicode's
// table, as Node has it.
import { type RefuseFile, shown } from '../statement.ts';
import type { WrittenCell } from './written-values.ts';

/** Letters and signs of currencies without a blank between them. */
const TOKEN = /[^\d\s()+\u2212\u2013-]*[\p{L}\p{Sc}][^\d\s()+\u2212\u2013-]*/gu;

const LOCALES = ['en', 'en-001'] as const;
const DISPLAYS = ['symbol', 'narrowSymbol'] as const;

const known = new Map<string, ReadonlySet<string>>();

/** No amount is longer: a longer cell is not searched. */
const CELL_MAX = 100;

/** The code and the signs of a currency, in small letters: usd, $, us$. */
export const signsOf = (currency: string): ReadonlySet<string> => {
  const signs = known.get(currency) ?? new Set([currency, ...unicodeSigns(currency)].map(comparable));
  known.set(currency, signs);
  return signs;
};

/** Unicode knows currencies of three letters alone. */
const unicodeSigns = (currency: string): string[] => {
  if (!/^[A-Z]{3}$/.test(currency)) return [];
  return LOCALES.flatMap((locale) => DISPLAYS.map((display) => unicodeSign(currency, locale, display)));
};

const unicodeSign = (
  currency: string,
  locale: (typeof LOCALES)[number],
  currencyDisplay: (typeof DISPLAYS)[number],
): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
    .formatToParts(0n)
    .find(({ type }) => type === 'currency')?.value ?? currency;

const comparable = (text: string): string => text.toLowerCase();

/** A currency that has this sign or code and is another one; null if there is none. */
export const otherWithSign = (sign: string, currency: string): string | null =>
  signsOf(currency).has(comparable(sign))
    ? null
    : (Intl.supportedValuesOf('currency').find((code) => signsOf(code).has(comparable(sign))) ?? null);

/** `sign`: how the bank writes the currency besides, as a person states it. */
type LineCurrency = { readonly currency: string; readonly sign: string | null };

/** The amount without the sign or code of its line's currency, before or after it. Any other text stays, and is no amount. */
export const withoutCurrency = (
  { line, column, text }: WrittenCell,
  { currency, sign }: LineCurrency,
  refuse: RefuseFile,
): string => {
  const [token, ...others] = text.length > CELL_MAX ? [] : (text.match(TOKEN) ?? []);
  if (token === undefined || others.length > 0) return text;
  const [before = '', after = ''] = text.split(token);
  if (/\d/.test(before) === /\d/.test(after)) return text;
  const isOwn = signsOf(currency).has(comparable(token)) || token === sign;
  if (!isOwn) {
    const remedy =
      otherWithSign(token, currency) === null
        ? `add currency-sign=${token} if the bank writes ${currency} so, or import each currency by itself`
        : 'import each currency by itself';
    refuse(
      line,
      `the ${column} ${shown(text)} names ${shown(token)}, and the line is in ${currency}: ${remedy}`,
    );
  }
  return `${before}${after}`.trim();
};
