// Text of the report page: markup that escapes whatever is put into it, and figures as people read them. No amount is
// ever a number here: digits are grouped by markup alone, so that what is copied is what was booked.
import { nounFor } from '../../base/counted.ts';

/** Finished markup. Only `html` makes it from text, and it escapes all that is not finished. */
export type Html = { readonly html: string };

type Value = string | number | null | undefined | Html | readonly Value[];

/** A cell of a row; there may be none. */
type CellText = string | null | undefined;

/** Markup with holes. What stands in a hole is escaped, but for finished markup; lists are put together, nulls left out. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: parts.map((part, i) => part + inserted(values[i])).join(''),
});

/** Markup that this program wrote itself: styles and shapes. Never text that came from elsewhere. */
export const finished = (text: string): Html => ({ html: text });

const inserted = (value: Value): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'html' in value ? value.html : value.map(inserted).join('');
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What cannot be seen, or turns the text around it: controls, formats (bidi, joiners), lone surrogates, odd separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Text that is nothing but text on a page: no markup, and every character that cannot be seen is named. */
export const escaped = (text: string): string =>
  text
    .replace(UNSEEN, (char) => (/[\n\r\t]/.test(char) ? ' ' : `⟨U+${codeOf(char)}⟩`))
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

const codeOf = (char: string): string =>
  (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** A name from elsewhere, whose direction stays its own. */
export const nameHtml = (text: CellText): Html => html`<bdi>${text}</bdi>`;

/** How many digits stand after the point. */
export const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0;

/**
 * An exact amount, its digits in groups of three by markup alone. With `decimals`, it is as wide behind the point as one
 * with so many; what fills it is style, and is neither seen, read out nor copied.
 */
export const quantity = (amount: CellText, decimals?: number): Html => {
  const [whole = '', fraction] = (amount ?? '').split('.');
  const digits = whole.replace(/^-/, '');
  const first = digits.length % 3 || 3;
  const rest = digits.slice(first).match(/.{3}/g) ?? [];
  const tail = fraction === undefined ? '' : `.${fraction}`;
  const beside = decimals ? `.${'0'.repeat(decimals)}`.slice(tail.length) : '';
  return html`<span class="n">${whole.startsWith('-') ? '-' : ''}${digits.slice(0, first)}${rest.map((it) => html`<i>${it}</i>`)}${tail}${
    beside === '' ? null : html`<span data-f="${beside}"></span>`
  }</span>`;
};

/** `1 break`, `10,000 breaks`. */
export const counted = (many: number, one: string, more?: string): string =>
  `${thousands(many)} ${nounFor(many, one, more)}`;

/** A count with its thousands apart. */
export const thousands = (many: number): string => String(many).replace(/\B(?=(\d{3})+$)/g, ',');

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'].concat([
  'September',
  'October',
  'November',
  'December',
]);

const monthName = (month: string): string => MONTHS[Number.parseInt(month, 10) - 1] ?? month;

/** `2026-10-01` as `1 Oct`, or as `Oct 2026` where it stands for its month. */
export const dayName = (day: string, unit: 'day' | 'month' = 'day'): string => {
  const [year = '', month = '', date = ''] = day.split('-');
  const short = monthName(month).slice(0, 3);
  return unit === 'month' ? `${short} ${year}` : `${Number.parseInt(date, 10)} ${short}`;
};

/** `2026-10` as `October 2026`, `2026-Q4` as `Quarter 4 of 2026`; other periods as they are written. */
export const periodName = (period: string): string => {
  const [, year = '', quarter, month] = /^(\d{4})-(?:Q(\d)|(\d{2}))$/.exec(period) ?? [];
  if (quarter) return `Quarter ${quarter} of ${year}`;
  return month ? `${monthName(month)} ${year}` : period.replace('..', ' to ');
};

/** An instant to the minute, in UTC; the whole of it is in the markup. */
export const instant = (moment: CellText): Html => {
  if (moment === null || moment === undefined) return html`<span class="none">none</span>`;
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(moment) ?? [];
  return day
    ? html`<time datetime="${moment}" title="${moment}">${day} ${time ?? ''} UTC</time>`
    : html`${moment}`;
};

/** A person and what that person said, as one phrase. */
export const attributed = (by: CellText, what: CellText): Html =>
  html`<b>${nameHtml(by)}</b>${what ? html`: ${nameHtml(what)}` : null}`;
