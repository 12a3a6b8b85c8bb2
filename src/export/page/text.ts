// Text of the report page: markup that escapes every value put into it, and figures as people read them. No amount is
// ever a number here: only markup groups the digits, so that copied text is the booked figure.
import { withCodes } from '../../base/unseen.ts';

/** Finished markup. Only `html` makes it from text, and escapes every part that is not finished. */
export type Html = { readonly html: string };

type Value = string | number | null | undefined | Html | readonly Value[];

/** A cell of a row; may be absent. */
type CellText = string | null | undefined;

/** A markup template. It escapes values, except finished markup; it joins lists and leaves nulls out. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: parts.map((part, i) => part + inserted(values[i])).join(''),
});

/** Markup that this program wrote itself: styles and shapes. Never for text from outside. */
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

/** Text without any effect on a page: no markup, one line, and every invisible character is shown by its code. */
export const escaped = (text: string): string =>
  withCodes(text.replace(/[\n\r\t]/g, ' ')).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/** A name from outside; it keeps its own text direction. */
export const nameHtml = (text: CellText): Html => html`<bdi>${text}</bdi>`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Something by its name, or without one by its id; the id can be looked up behind the name. */
export const namedHtml = (name: CellText, id: CellText): Html =>
  name === null || name === undefined || name === id
    ? nameHtml(id)
    : html`<bdi class="name" title="${id}">${name}</bdi>`;

/** A set of books by its name; without one by its id, of which a long one is cut to its beginning. */
export const entityHtml = (name: CellText, id: CellText): Html =>
  name === null || name === undefined || name === id ? shortHtml(id) : namedHtml(name, id);

/** An id as text; a long one is cut to its beginning. */
export const shortId = (id: string): string => (UUID.test(id) ? `${id.slice(0, 8)}…` : id);

/** An id, which can be looked up behind its beginning. */
export const shortHtml = (id: CellText): Html =>
  UUID.test(id ?? '') ? html`<bdi title="${id}">${shortId(id ?? '')}</bdi>` : nameHtml(id);

/** A file beside the page. */
export const fileLink = (file: string): Html => html`<a class="file" href="${file}">${file}</a>`;

/** The number of digits after the point. */
export const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0;

/** How an amount is shown: its decimal sign, and whether a positive one has a plus sign. */
type AmountStyle = { readonly mark?: '.' | ','; readonly isChange?: boolean };

/**
 * An exact amount; only markup groups its digits by three. With `decimals`, it is padded to the width of so many decimals;
 * the padding is style, so it is not seen, read aloud or copied.
 */
export const quantity = (
  amount: CellText,
  decimals?: number,
  { mark = '.', isChange = false }: AmountStyle = {},
): Html => {
  const [whole = '', fraction] = (amount ?? '').split('.');
  const digits = whole.replace(/^-/, '');
  const first = digits.length % 3 || 3;
  const rest = digits.slice(first).match(/.{3}/g) ?? [];
  const tail = fraction === undefined ? '' : `${mark}${fraction}`;
  const beside = decimals ? `${mark}${'0'.repeat(decimals)}`.slice(tail.length) : '';
  const plus = isChange && /[1-9]/.test(amount ?? '') ? '+' : '';
  return html`<span class="n">${whole.startsWith('-') ? '-' : plus}${digits.slice(0, first)}${rest.map((it) => html`<i>${it}</i>`)}${tail}${
    beside === '' ? null : html`<span data-f="${beside}"></span>`
  }</span>`;
};

/** An instant to the minute, in UTC; the markup holds the full instant. */
export const instant = (moment: string): Html => {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(moment) ?? [];
  return day
    ? html`<time datetime="${moment}" title="${moment}">${day} ${time ?? ''} UTC</time>`
    : html`${moment}`;
};

/** A person and their words, as one phrase. */
export const attributed = (by: CellText, what: CellText): Html =>
  html`<b>${nameHtml(by)}</b>${what ? html`: ${nameHtml(what)}` : null}`;
