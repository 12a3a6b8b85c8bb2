// The state of each set of books on the report page: tie-outs, records, the seal of a closed month, and which id a name stands for.
import type { Phrases } from './phrases.ts';
import { commandText } from './query.ts';
import type { ReportRow } from './rows.ts';
import { accountName, entityOf, moreIn, type PageOf } from './section.ts';
import { count, tableOf, text } from './table.ts';
import { type Html, html, nameHtml, shortHtml, shortId } from './text.ts';

const ROWS_MAX = 60;

export const booksSection = (page: PageOf): Html => html`<section id="ties" aria-labelledby="ties-h">
<h2 id="ties-h">${page.phrases.say('nav.ties')}</h2>
${tiesTable(page)}
${conservationTable(page)}
${sealsOf(page)}
${namesTable(page)}
</section>`;

const STATUSES = ['tied', 'break', 'in-flight', 'pending', 'in-transit', 'uncovered'];

const tiesTable = (page: PageOf): Html => {
  const { phrases, facts } = page;
  const newest = facts.ties.filter(({ reading }) => reading === 'newest');
  const entities = [...new Set(newest.map(({ entity_id }) => entity_id))];
  const broken = (entity: string | null | undefined) =>
    newest.some((it) => it.entity_id === entity && it.status !== 'tied') ? 0 : 1;
  const shown = [...entities].sort((a, b) => broken(a) - broken(b)).slice(0, ROWS_MAX);
  const many = (entity: string | null | undefined, status: string) =>
    newest.find((it) => it.entity_id === entity && it.status === status)?.accounts ?? '0';
  return html`${tableOf({
    caption: phrases.text('ties.caption'),
    columns: [
      text(phrases.heading('entity_id')),
      ...STATUSES.map((status) => count(phrases.word('status', status))),
    ],
    rows: shown.map((entity) => [
      entityOf(page, entity),
      ...STATUSES.map((status) => phrases.count(Number.parseInt(many(entity, status), 10))),
    ]),
  })}${moreIn(phrases, entities.length - shown.length, 'tie_outs.csv')}`;
};

const conservationTable = (page: PageOf): Html => {
  const { phrases, manifest } = page;
  const lists = new Map<string, [string, string, number, number, number, number]>();
  for (const conserved of manifest.conservation) {
    const key = JSON.stringify([conserved.entity, conserved.stream]);
    const [, , landed, booked, rejected, aside] = lists.get(key) ?? ['', '', 0, 0, 0, 0];
    const counts = [
      landed + conserved.landed,
      booked + conserved.booked,
      rejected + conserved.rejected,
      aside + conserved.set_aside,
    ] as const;
    lists.set(key, [conserved.entity, conserved.stream, ...counts]);
  }
  const rows = [...lists.values()].map(([entity, stream, ...counts]) => [
    entityOf(page, entity),
    phrases.word('stream', stream),
    ...counts.map(phrases.count),
  ]);
  return html`${tableOf({
    caption: phrases.text('records.caption'),
    columns: [
      text(phrases.heading('entity_id')),
      text(phrases.text('coverage.stream')),
      ...['landed', 'booked', 'rejected', 'aside'].map((name) => count(phrases.text(`records.${name}`))),
    ],
    rows: rows.slice(0, ROWS_MAX),
  })}${moreIn(phrases, rows.length - ROWS_MAX, 'manifest.json')}`;
};

const sealsOf = (page: PageOf): Html | null => {
  const { phrases, manifest, facts } = page;
  const { text: word } = phrases;
  const closed = [...new Map(facts.seals.map((seal) => [seal.entity_id, seal])).values()];
  if (closed.length === 0) return null;
  const command = commandText(manifest, 'verify ledger --root').html;
  return html`<div id="seals">${tableOf({
    caption: word('seals.caption', { command }),
    columns: [
      text(phrases.heading('entity_id')),
      text(word('state.prepared')),
      text(word('state.sealed')),
      count(word('seals.entries')),
      text(word('seals.root')),
    ],
    rows: closed
      .slice(0, ROWS_MAX)
      .map((seal) => [
        entityOf(page, seal.entity_id),
        nameHtml(seal.prepared_by),
        phrases.moment(seal.sealed_at),
        phrases.count(Number.parseInt(seal.entries ?? '0', 10)),
        html`<code>${seal.root}</code>`,
      ]),
  })}${moreIn(phrases, closed.length - ROWS_MAX, 'manifest.json')}</div>`;
};

/** What a reader sees instead of an id, and the id: a printed page has no tooltips. */
const namesTable = (page: PageOf): Html | null => {
  const { phrases, manifest } = page;
  const rows = namedOn(page);
  if (rows.length === 0) return null;
  const more = rows.length - ROWS_MAX;
  const command = html`<code>${commandText(manifest, 'labels list')}</code>`;
  return html`<div id="names">${tableOf({
    caption: phrases.text('names.caption'),
    columns: [text(phrases.text('kind')), text(phrases.text('names.name')), text(phrases.text('names.id'))],
    rows: rows.slice(0, ROWS_MAX),
  })}${more <= 0 ? null : html`<p class="more">${phrases.say('names.more', { n: more, command })}</p>`}</div>`;
};

const namedOn = (page: PageOf): (readonly [string, Html, Html])[] => {
  const { facts, phrases, names } = page;
  const { open, waived, resolved } = facts.breaks;
  const rowsWithAccounts = [...facts.seals, ...[open, waived, resolved].flatMap(({ shown }) => shown)];
  const entities = facts.entities.flatMap(({ entity_id: id }) =>
    id && (names.has(id) || id.length > SHORT_MAX) ? [[id, entityOf(page, id)] as const] : [],
  );
  const kinds = [
    ['entity_id', entities],
    ['account', accountsOf(phrases, rowsWithAccounts)],
    ['counterparty', labelled(facts.figures.counterparties, 'counterparty')],
  ] as const;
  const wallets = new Set(
    facts.coverage.flatMap(({ scope }) => (scope && shortId(scope) !== scope ? [scope] : [])),
  );
  return [
    ...kinds.flatMap(([column, found]) =>
      found.map(([id, name]) => [phrases.heading(column), name, nameHtml(id)] as const),
    ),
    ...[...wallets].map((id) => [phrases.text('coverage.wallet'), shortHtml(id), nameHtml(id)] as const),
  ];
};

/** The longest id of an entity that is shown in full; a longer one may be cut to its beginning. */
const SHORT_MAX = 20;

/** Each account that is shown by a name, once, in order. */
const accountsOf = (phrases: Phrases, rows: readonly ReportRow[]): (readonly [string, Html])[] => [
  ...new Map(
    rows.flatMap((row) => {
      const name = accountName(phrases, row);
      return row.account && name !== null ? [[row.account, nameHtml(name)] as const] : [];
    }),
  ),
];

/** Each id that has a label in these rows, once, in order. */
const labelled = (rows: readonly ReportRow[], column: string): (readonly [string, Html])[] => [
  ...new Map(
    rows.flatMap((row) => {
      const [id, label] = [row[column], row[`${column}_label`]];
      return id && label ? [[id, nameHtml(label)] as const] : [];
    }),
  ),
];
