// Queries that a reader can paste into a shell to see the records behind a figure. A query never contains a name that a
// shell or SQL could interpret: in that case there is no query, and the file beside the page has the rows.
import type { Manifest } from '../reports/manifest.ts';
import { type Html, html } from './text.ts';

type BooksOfManifest = Pick<Manifest, 'is_demo'>;

/** A command as a reader types it. Only this function makes one, because commands on demo books need --demo. */
export const commandText = ({ is_demo: isDemo }: BooksOfManifest, words: string | Html): Html =>
  html`npx tieout ${words}${isDemo ? ' --demo' : null}`;

export const commandOf = (manifest: BooksOfManifest, words: string | Html): Html =>
  html`<code>${commandText(manifest, words)}</code>`;

const PASTED = /^[\w:.-]+$/;
const ENTITIES_MAX = 12;

/** Whether all of these names are safe in a command. */
export const isPasted = (...names: readonly string[]): boolean => names.every((name) => PASTED.test(name));

/** The accounts behind a figure, as SQL. */
const ACCOUNTS = {
  held: "(books_internal.is_holding(account) or account like 'liabilities:%')",
  outside: "account like 'equity:external:%'",
  fees: "account like 'expenses:%'",
} as const;

/** The postings of the period in one currency on some accounts: exactly those behind the figure. */
export const periodQuery = (
  manifest: Pick<Manifest, 'entities' | 'from' | 'to' | 'is_demo'>,
  currency: string,
  accounts: keyof typeof ACCOUNTS,
): Html | null => {
  const { entities, from, to } = manifest;
  if (entities.length > ENTITIES_MAX || !isPasted(currency, ...entities)) return null;
  const whose = entities.map((entity) => `'${entity}'`).join(', ');
  return queryCommand(
    manifest,
    `select entity_id, effective_at, stream, record_id, account, amount from books.postings where entity_id in (${whose}) and currency = '${currency}' and ${ACCOUNTS[accounts]} and posted_at >= '${from}' and posted_at < '${to}' order by posted_at`,
  );
};

/** The postings behind the booked balance of an account; trading and its bots count as one. */
export const accountQuery = (
  manifest: BooksOfManifest,
  {
    entity,
    account,
    currency,
  }: { readonly entity: string; readonly account: string; readonly currency: string },
): Html | null => {
  if (!isPasted(entity, account, currency)) return null;
  const places = account === 'assets:trading' ? `${account}', 'assets:trading-bots` : account;
  return queryCommand(
    manifest,
    `select effective_at, stream, record_id, amount from books.postings where entity_id = '${entity}' and account in ('${places}') and currency = '${currency}' order by effective_at`,
  );
};

const queryCommand = (manifest: BooksOfManifest, sql: string): Html =>
  commandOf(manifest, html`query "${sql}"`);
