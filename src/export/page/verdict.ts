// The top of the report page: what tied and what did not, in sentences, each with a link to its rows.
import type { Manifest } from '../reports/manifest.ts';
import type { PageFacts } from './facts.ts';
import type { Phrases } from './phrases.ts';
import type { ReportRow } from './rows.ts';
import { counted, type Html, html, instant, nameHtml, quantity, thousands } from './text.ts';

/** The input of a page: the manifest of the export, and the facts read for the page. */
export type PageOf = { readonly manifest: Omit<Manifest, 'files'>; readonly facts: PageFacts };

/** The worst state that applies. A waived difference does not make the books clean. */
type PageVerdict = 'broken' | 'unproved' | 'waived' | 'clean';

/** The counts behind the verdict. */
type Counts = {
  readonly open: number;
  readonly unseen: number;
  readonly waived: number;
  readonly gaps: number;
  /** Streams that were not read for the whole period, and entities without any stream. */
  readonly short: number;
  readonly complete: number;
  readonly lists: number;
  readonly undecided: number;
  readonly newest: ReadonlyMap<string, number>;
  readonly closing: ReadonlyMap<string, number>;
  readonly sealed: number;
};

const countsOf = ({ breaks, ties, coverage, rejects, seals }: PageFacts): Counts => ({
  ...listCounts(coverage),
  open: breaks.open.total,
  unseen: breaks.unseen,
  waived: breaks.waived.total + seals.filter(({ break_id }) => break_id !== null).length,
  undecided: totalOf(rejects, 'undecided'),
  newest: byStatus(ties.filter(({ reading }) => reading === 'newest')),
  closing: byStatus(ties.filter(({ reading }) => reading === 'closing')),
  sealed: new Set(seals.map(({ entity_id }) => entity_id)).size,
});

const listCounts = (
  coverage: readonly ReportRow[],
): Pick<Counts, 'gaps' | 'short' | 'complete' | 'lists'> => {
  const names = (rows: readonly ReportRow[]) =>
    new Set(rows.map(({ entity_id, stream, scope }) => JSON.stringify([entity_id, stream, scope]))).size;
  const gaps = coverage.filter(({ what }) => what === 'gap');
  const lists = names(coverage);
  return {
    gaps: gaps.length,
    short: names(coverage.filter(({ what, stream }) => what === 'not read' || stream === null)),
    complete: lists - names(coverage.filter(({ what, stream }) => what !== null || stream === null)),
    lists,
  };
};

const totalOf = (rows: readonly ReportRow[], column: string): number =>
  rows.reduce((total, row) => total + Number.parseInt(row[column] ?? '0', 10), 0);

const byStatus = (rows: readonly ReportRow[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { status, accounts } of rows)
    counts.set(status ?? '', (counts.get(status ?? '') ?? 0) + Number.parseInt(accounts ?? '0', 10));
  return counts;
};

const verdictOf = (counts: Counts): PageVerdict => {
  if (counts.open + counts.unseen > 0) return 'broken';
  const uncompared = (counts.newest.get('uncovered') ?? 0) + (counts.closing.get('not read') ?? 0);
  const unexplained = Math.max(0, (counts.closing.get('break') ?? 0) - counts.waived); // each waiver explains one
  if (counts.gaps + counts.short + counts.undecided + uncompared + unexplained > 0) return 'unproved';
  if (counts.newest.size + counts.sealed === 0) return 'unproved';
  return counts.waived > 0 ? 'waived' : 'clean';
};

const SIGNS: Readonly<Record<PageVerdict, string>> = { broken: '▲', unproved: '◌', waived: '◆', clean: '●' };

const headline = (verdict: PageVerdict, { open, unseen, waived }: Counts): string => {
  const many = open + unseen;
  if (verdict === 'broken') return counted(many, 'open break');
  if (verdict === 'unproved') return 'No open break, but not everything is proved';
  if (verdict === 'waived') return `Tied, except ${counted(waived, 'waived break')}`;
  return 'Clean: every balance ties';
};

/** The verdict in one sentence of the page's language, for the part in money. */
export const standingOf = (page: PageOf, { say }: Phrases): Html => {
  const counts = countsOf(page.facts);
  const verdict = verdictOf(counts);
  const n = verdict === 'broken' ? counts.open + counts.unseen : counts.waived;
  return html`<p class="standing ${verdict === 'clean' ? '' : verdict}"><a href="#verdict"><span aria-hidden="true">${SIGNS[verdict]}</span> ${say(`standing.${verdict}`, { n })}</a></p>`;
};

export const verdictSection = (page: PageOf): Html => {
  const counts = countsOf(page.facts);
  const verdict = verdictOf(counts);
  return html`<section id="verdict" class="verdict ${verdict}" aria-labelledby="verdict-h">
<h2 id="verdict-h"><span class="sign" aria-hidden="true">${SIGNS[verdict]}</span> ${headline(verdict, counts)}</h2>
<ul class="sentences">${sentences(page, counts).map((it) => html`<li>${it}</li>\n`)}</ul>
${tiles(counts)}
</section>`;
};

const sentences = (page: PageOf, counts: Counts): readonly (Html | null)[] =>
  [
    ...sealedSentences(page.facts.seals),
    newestSentence(page.facts.ties, counts.newest),
    closingSentence(counts.closing),
    valueSentence(page, counts),
    counts.unseen === 0
      ? null
      : html`${counted(counts.unseen, 'break')} resolved by a person; <a href="#resolved">no tie-out has confirmed it</a> since.`,
    counts.waived === 0
      ? null
      : html`${counted(counts.waived, 'break')} <a href="#waived">waived</a> for the period: the ${counts.waived === 1 ? 'difference remains' : 'differences remain'}.`,
    coverageSentence(counts),
    counts.undecided === 0
      ? null
      : html`${counted(counts.undecided, 'record')} rejected and neither settled nor dismissed: <a href="rejects.csv">rejects.csv</a>.`,
  ].filter((it) => it !== null);

const newestSentence = (ties: readonly ReportRow[], newest: ReadonlyMap<string, number>): Html | null => {
  const total = [...newest.values()].reduce((all, many) => all + many, 0);
  if (total === 0) return null;
  const comparedAt = ties
    .flatMap(({ reading, as_of }) => (reading === 'newest' && as_of ? [as_of] : []))
    .sort()
    .at(-1);
  const others = [...newest].filter(([status]) => status !== 'tied');
  return html`<strong>${thousands(newest.get('tied') ?? 0)} of the ${counted(total, 'balance')}</strong> reported by the gateway tie to the last digit${
    others.length === 0 ? '' : `; ${others.map(([status, many]) => statusPhrase(status, many)).join(', ')}`
  } (<a href="tie_outs.csv">latest tie-out</a>, ${instant(comparedAt)}).`;
};

const PHRASES: Readonly<Record<string, string>> = {
  uncovered: 'not comparable yet',
  pending: 'awaiting final records',
  'in-flight': 'changed while being read',
  'in-transit': 'in transit between two accounts',
  'not read': 'without a later reading',
};

const statusPhrase = (status: string, many: number): string =>
  status === 'break' ? counted(many, 'break') : `${thousands(many)} ${PHRASES[status] ?? status}`;

const closingSentence = (closing: ReadonlyMap<string, number>): Html | null => {
  if (closing.size === 0) return null;
  const others = [...closing].filter(([status]) => status !== 'tied');
  if (others.length === closing.size && others.every(([status]) => status === 'not read'))
    return html`<a href="closing_balances.csv">Closing balances</a> are not tied yet: no balance was read after the end of the period.`;
  const differing = others.map(([status, many]) => `, ${statusPhrase(status, many)}`).join('');
  return html`<a href="closing_balances.csv">Closing balances</a>: ${thousands(closing.get('tied') ?? 0)} tie${differing}.`;
};

const valueSentence = ({ manifest, facts }: PageOf, { open }: Counts): Html | null => {
  const { worth } = facts.breaks.open;
  if (open === 0 || worth === null) return null;
  return html`<a href="#breaks">${open === 1 ? 'The open break' : 'The open breaks'}</a> total ${quantity(worth)} ${manifest.currency} in absolute value, at the latest prices; a break without a price is not included.`;
};

const coverageSentence = ({ gaps, short, lists, sealed }: Counts): Html | null => {
  if (lists === 0) return sealed > 0 ? null : html`No stream was read, so nothing is proved complete.`;
  if (gaps + short === 0)
    return html`${lists === 1 ? 'The one stream is' : `All ${thousands(lists)} streams are`} <a href="#coverage">proved complete</a> for the whole period.`;
  const phrases = [
    ...(gaps > 0 ? [counted(gaps, 'gap')] : []),
    ...(short > 0
      ? [`${thousands(short)} of ${counted(lists, 'stream')} not read for the whole period`]
      : []),
  ];
  return html`<a href="#coverage">${phrases.join(', ')}</a>: completeness is not proved for that time.`;
};

const sealedSentences = (seals: readonly ReportRow[]): Html[] => {
  const closed = [...new Map(seals.map((seal) => [seal.entity_id, seal])).values()];
  const [only] = closed;
  if (!only) return [];
  return closed.length === 1
    ? [
        html`${nameHtml(only.entity_id)} is closed, <a href="#seals">sealed</a> by ${nameHtml(only.prepared_by)}.`,
      ]
    : [html`${counted(closed.length, 'entity', 'entities')} closed and <a href="#seals">sealed</a>.`];
};

const tiles = (counts: Counts): Html => {
  const total = [...counts.newest.values()].reduce((all, many) => all + many, 0);
  const tile = (name: string, href: string, figure: string, tone: string) =>
    html`<li class="${tone}"><a href="${href}"><b>${figure}</b><span>${name}</span></a></li>\n`;
  const open = counts.open + counts.unseen;
  const plural = (many: number, one: string) => (many === 1 ? one : `${one}s`);
  const bad = (many: number) => (many > 0 ? 'bad' : 'calm');
  return html`<ul class="tiles">${[
    tile(
      'balances tied',
      '#ties',
      total === 0 ? '–' : `${thousands(counts.newest.get('tied') ?? 0)} of ${thousands(total)}`,
      'calm',
    ),
    tile(`open ${plural(open, 'break')}`, '#breaks', thousands(open), bad(open)),
    tile('waived', '#waived', thousands(counts.waived), counts.waived > 0 ? 'warn' : 'calm'),
    tile(plural(counts.gaps, 'gap'), '#coverage', thousands(counts.gaps), bad(counts.gaps)),
    tile(
      'streams complete',
      '#coverage',
      counts.lists === 0 ? '–' : `${thousands(counts.complete)} of ${thousands(counts.lists)}`,
      'calm',
    ),
    tile(
      `open ${plural(counts.undecided, 'reject')}`,
      'rejects.csv',
      thousands(counts.undecided),
      bad(counts.undecided),
    ),
  ]}</ul>`;
};
