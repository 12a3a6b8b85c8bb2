// Why a balance or a record does not agree, in the language of the page: a phrase for each kind of reason, filled with the
// records, amounts and names that the books store beside their one sentence.
import { parseExact } from '../../base/json.ts';
import type { ReasonParts } from '../../breaks/cause.ts';
import type { Phrases } from './phrases.ts';
import type { ReportRow } from './rows.ts';
import { entityOf, type PageOf } from './section.ts';
import { fileLink, type Html, html, nameHtml, shortHtml } from './text.ts';

/** The reason of a break as a sentence; the name of the file that has it if this page cannot write it. */
export const reasonHtml = (page: PageOf, row: ReportRow): Html => {
  const { say } = page.phrases;
  const parts = partsOf(row);
  const values = valuesOf(page, parts);
  return html`<p class="reason">${
    values === null
      ? say('reason.stored', { file: fileLink('breaks.csv') })
      : say(`reason.${parts.kind}`, values)
  }</p>`;
};

/** The values of its phrase; null if there is no such phrase, or a value is missing. */
const valuesOf = (page: PageOf, parts: ReasonParts): Readonly<Record<string, Html>> | null => {
  const places = page.phrases.places(`reason.${parts.kind}`);
  const isWhole = places?.every((place) => parts[partOf(place)] !== undefined) ?? false;
  return places !== null && isWhole
    ? Object.fromEntries(places.map((place) => [place, writtenOf(page, parts, place)]))
    : null;
};

/** What a break without an account is about, as short as a heading: a record, a line of a statement or a stream. */
export const subjectHtml = (page: PageOf, row: ReportRow): Html => {
  const { say } = page.phrases;
  const { records, name, line, stream } = partsOf(row);
  const [record] = records ?? [];
  if (typeof name === 'string' && typeof line === 'string')
    return say('list.line', { name: nameHtml(name), line });
  if (record !== undefined) return recordOf(page.phrases, record, shortHtml);
  return subject(page.phrases, typeof stream === 'string' ? stream : (row.subject ?? ''));
};

/** A subject as the books store it: a stream, a stream and an id, or text. */
const subject = (phrases: Phrases, stored: string): Html => {
  const isRecord = phrases.places(`record.${stored.split(' ')[0]}`) !== null && stored.includes(' ');
  return isRecord ? recordOf(phrases, stored, shortHtml) : nameHtml(phrases.word('stream', stored));
};

const partsOf = ({ reason_parts: parts }: ReportRow): ReasonParts =>
  parts ? (parseExact(parts) as ReasonParts) : { kind: '' };

/** The part that fills a place: records are alternatives, or all of them together. */
const partOf = (place: string): string => (place === 'all' ? 'records' : place);

const writtenOf = (page: PageOf, parts: ReasonParts, place: string): Html => {
  const part = parts[partOf(place)] ?? '';
  if (typeof part !== 'string') return recordsOf(page.phrases, part, { place, more: parts.more });
  return WRITTEN[place]?.(page, part) ?? nameHtml(part);
};

type PartText = (page: PageOf, part: string) => Html;

const amount: PartText = ({ phrases }, part) => phrases.amount(part);
const currency: PartText = (_, part) => html`<span class="code">${part}</span>`;

/** How the parts are written; what is not here is a name or a plain count. */
const WRITTEN: Readonly<Record<string, PartText>> = {
  amount,
  other_amount: amount,
  currency,
  other_currency: currency,
  entity: entityOf,
  stream: ({ phrases }, part) => html`${phrases.word('stream', part)}`,
  place: ({ phrases }, part) => html`${phrases.word('place', part)}`,
  outcome: ({ phrases }, part) => html`${phrases.word('outcome', part)}`,
  teller: ({ phrases }, part) => phrases.say(`teller.${part}`),
  day: (_, part) => html`<time datetime="${part}">${part}</time>`,
};

/** `a, b or c`, or `a, b and c` where all belong together. */
const recordsOf = (
  phrases: Phrases,
  records: readonly string[],
  { place, more }: { readonly place: string; readonly more: string | readonly string[] | undefined },
): Html => {
  const names = records.map((record) => recordOf(phrases, record, nameHtml));
  const rest = typeof more === 'string' ? [phrases.say('list.more', { n: Number.parseInt(more, 10) })] : [];
  const all = [...names, ...rest];
  const last = all.at(-1) ?? '';
  const before = all.slice(0, -1).map((name, nth) => html`${nth > 0 ? ', ' : ''}${name}`);
  if (before.length === 0) return html`${last}`;
  return phrases.say(place === 'all' ? 'list.and' : 'list.or', { before: html`${before}`, last });
};

/** One record: what it is, and its id. */
const recordOf = ({ say, places, word }: Phrases, record: string, idHtml: (id: string) => Html): Html => {
  const space = record.indexOf(' ');
  const [stream, id] = [record.slice(0, space), idHtml(record.slice(space + 1))];
  return places(`record.${stream}`) === null
    ? html`${word('stream', stream)} ${id}`
    : say(`record.${stream}`, { id });
};
