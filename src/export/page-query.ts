// Questions that a reader may paste into a shell to get at the records behind a figure. A name that a shell or SQL could
// read as more than a name is never in one: then there is no question, and the file beside the page has the rows.
import type { Manifest } from './manifest.ts';
import { type Html, html } from './page-text.ts';

const PASTED = /^[\w:.-]+$/;
const ENTITIES_MAX = 12;

/** Whether all of these may stand in a command. */
export const isPasted = (...names: readonly string[]): boolean => names.every((it) => PASTED.test(it));

/** Which accounts a figure is of, as SQL. */
export const ACCOUNTS = {
  held: "(account like 'assets:%' or account like 'liabilities:%')",
  outside: "account like 'equity:external:%'",
  fees: "account like 'expenses:%'",
} as const;

/** The postings of the period in one currency on some accounts: exactly those of the figure. */
export const periodQuery = (
  { entities, from, to }: Pick<Manifest, 'entities' | 'from' | 'to'>,
  currency: string,
  accounts: keyof typeof ACCOUNTS,
): Html | null => {
  if (entities.length > ENTITIES_MAX || !isPasted(currency, ...entities)) return null;
  const whose = entities.map((it) => `'${it}'`).join(', ');
  return asked(
    `select entity_id, effective_at, stream, record_id, account, amount from books.postings where entity_id in (${whose}) and currency = '${currency}' and ${ACCOUNTS[accounts]} and posted_at >= '${from}' and posted_at < '${to}' order by posted_at`,
  );
};

/** The postings that make what is booked on an account; trading and its bots are one. */
export const accountQuery = (entity: string, account: string, currency: string): Html | null => {
  if (!isPasted(entity, account, currency)) return null;
  const places = account === 'assets:trading' ? `${account}', 'assets:trading-bots` : account;
  return asked(
    `select effective_at, stream, record_id, amount from books.postings where entity_id = '${entity}' and account in ('${places}') and currency = '${currency}' order by effective_at`,
  );
};

const asked = (sql: string): Html => html`<code>tieout query "${sql}"</code>`;
