// What every section of the page shares: its input, the names of entities and accounts, and what it leaves out.
import type { Manifest } from '../reports/manifest.ts';
import type { PageFacts } from './facts.ts';
import type { Phrases } from './phrases.ts';
import type { ReportRow } from './rows.ts';
import { entityHtml, fileLink, type Html, html, namedHtml, shortId } from './text.ts';

/** The input of a section: the manifest of the export, the facts read for the page, and how the page speaks. */
export type PageOf = {
  readonly manifest: Omit<Manifest, 'files'>;
  readonly facts: PageFacts;
  readonly phrases: Phrases;
  /** What people call an entity, by its id. */
  readonly names: ReadonlyMap<string, string>;
};

/** The label of each entity, or else the name that the books have; an entity with neither is not in it. */
export const namesOf = (entities: readonly ReportRow[]): ReadonlyMap<string, string> =>
  new Map(
    entities.flatMap(({ entity_id: id, entity_name: label, name }) => {
      const shown = label ?? name;
      return id && shown && shown !== id ? [[id, shown] as const] : [];
    }),
  );

export const entityOf = ({ names }: Pick<PageOf, 'names'>, id: string | null | undefined): Html =>
  entityHtml(names.get(id ?? ''), id);

/** What an account is called: its label, or else what it is; null for one of neither. */
export const accountName = (
  { text, places }: Phrases,
  { account, account_label: label }: ReportRow,
): string | null => {
  if (label) return label;
  const [, kind, id = ''] = /^assets:(\w+)(?::(.+))?$/.exec(account ?? '') ?? [];
  const key = `account.${kind === 'pocket' || id === '' ? kind : `${kind}.${id}`}`;
  return places(key) === null ? null : text(key, { id: shortId(id) });
};

/** The account of a row by its name, or else by its path. */
export const accountOf = (phrases: Phrases, row: ReportRow): Html =>
  namedHtml(accountName(phrases, row), row.account);

/** What a list leaves out, and the file that has it; null if nothing is. */
export const moreIn = ({ say }: Phrases, many: number, file: string, key = 'more'): Html | null =>
  many <= 0 ? null : html`<p class="more">${say(key, { n: many, file: fileLink(file) })}</p>`;
