// The top of the report page: what tied and what did not, in sentences, each with a link to its rows.
import type { PageFacts } from './facts.ts';
import type { Phrases } from './phrases.ts';
import type { ReportRow } from './rows.ts';
import { entityOf, type PageOf } from './section.ts';
import { fileLink, type Html, html, nameHtml } from './text.ts';

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

/** The verdict in one sentence of the page's language. */
const headline = (verdict: PageVerdict, { open, unseen, waived }: Counts, { say }: Phrases): Html =>
  html`<span class="sign" aria-hidden="true">${SIGNS[verdict]}</span> ${say(`standing.${verdict}`, { n: verdict === 'broken' ? open + unseen : waived })}`;

/** The same for the part in money. */
export const standingOf = ({ facts, phrases }: PageOf): Html => {
  const counts = countsOf(facts);
  const verdict = verdictOf(counts);
  return html`<p class="standing ${verdict === 'clean' ? '' : verdict}"><a href="#verdict">${headline(verdict, counts, phrases)}</a></p>`;
};

export const verdictSection = (page: PageOf): Html => {
  const counts = countsOf(page.facts);
  const verdict = verdictOf(counts);
  return html`<section id="verdict" class="verdict ${verdict}" aria-labelledby="verdict-h">
<h2 id="verdict-h">${headline(verdict, counts, page.phrases)}</h2>
<ul class="sentences">${sentences(page, counts).map((it) => html`<li>${it}</li>\n`)}</ul>
${tiles(counts, page.phrases)}
</section>`;
};

const sentences = (page: PageOf, counts: Counts): readonly (Html | null)[] => {
  const { say } = page.phrases;
  const about = (key: string, n: number, target: string): Html | null =>
    n === 0 ? null : say(key, { n, link: detailsLink(page.phrases, target) });
  return [
    sealedSentence(page),
    newestSentence(page, counts.newest),
    closingSentence(page, counts.closing),
    valueSentence(page, counts),
    about('verdict.unseen', counts.unseen, '#resolved'),
    about('verdict.waived', counts.waived, '#waived'),
    coverageSentence(page, counts),
    counts.undecided === 0
      ? null
      : say('verdict.rejects', { n: counts.undecided, file: fileLink('rejects.csv') }),
  ].filter((it) => it !== null);
};

const detailsLink = ({ say }: Phrases, target: string): Html =>
  html`<a href="${target}">${say('details.link')}</a>`;

const newestSentence = ({ facts, phrases }: PageOf, newest: ReadonlyMap<string, number>): Html | null => {
  const { say, count, moment } = phrases;
  const total = totalIn(newest);
  if (total === 0) return null;
  const comparedAt = facts.ties
    .flatMap(({ reading, as_of }) => (reading === 'newest' && as_of ? [as_of] : []))
    .sort()
    .at(-1);
  const others = othersOf(phrases, newest);
  return say('verdict.tied', {
    share: html`<strong>${say('x.of.y', { part: count(newest.get('tied') ?? 0), whole: count(total) })}</strong>`,
    others: others.length === 0 ? '' : `; ${others.join(', ')}`,
    link: html`<a href="tie_outs.csv">${say('verdict.tied.link')}</a>`,
    moment: moment(comparedAt),
  });
};

const totalIn = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((all, many) => all + many, 0);

/** Each result but tied, counted. */
const othersOf = ({ text }: Phrases, counts: ReadonlyMap<string, number>): string[] =>
  [...counts].flatMap(([status, n]) => (status === 'tied' ? [] : [text(`result.${status}`, { n })]));

const closingSentence = ({ phrases }: PageOf, closing: ReadonlyMap<string, number>): Html | null => {
  if (closing.size === 0) return null;
  const link = html`<a href="closing_balances.csv">${phrases.say('verdict.closing.link')}</a>`;
  if ([...closing.keys()].every((status) => status === 'not read'))
    return phrases.say('verdict.closing.none', { link });
  const others = othersOf(phrases, closing)
    .map((other) => `, ${other}`)
    .join('');
  return phrases.say('verdict.closing', { link, tied: closing.get('tied') ?? 0, others });
};

const valueSentence = ({ manifest, facts, phrases }: PageOf, { open }: Counts): Html | null => {
  const { value } = facts.breaks.open;
  if (open === 0 || value === null) return null;
  return phrases.say('verdict.value', {
    link: html`<a href="#breaks">${phrases.say('verdict.value.link')}</a>`,
    value: phrases.amount(value),
    currency: manifest.currency,
  });
};

const coverageSentence = ({ phrases }: PageOf, { gaps, short, lists, sealed }: Counts): Html | null => {
  const { say, text } = phrases;
  if (lists === 0) return sealed > 0 ? null : say('verdict.unread');
  const link = detailsLink(phrases, '#coverage');
  if (gaps + short === 0) return say('verdict.complete', { n: lists, link });
  const parts = [
    ...(gaps > 0 ? [text('verdict.gaps', { n: gaps })] : []),
    ...(short > 0 ? [text('verdict.short', { n: short, whole: lists })] : []),
  ];
  return say('verdict.incomplete', { parts: parts.join(', '), link });
};

const sealedSentence = (page: PageOf): Html | null => {
  const { say } = page.phrases;
  const closed = [...new Map(page.facts.seals.map((seal) => [seal.entity_id, seal])).values()];
  const [only] = closed;
  if (!only) return null;
  const link = detailsLink(page.phrases, '#seals');
  return closed.length === 1
    ? say('verdict.sealed', { entity: entityOf(page, only.entity_id), by: nameHtml(only.prepared_by), link })
    : say('verdict.sealed.more', { n: closed.length, link });
};

const tiles = (counts: Counts, { say, count }: Phrases): Html => {
  const tile = (name: string, href: string, [figure, tone]: readonly [string | Html, string], n = 0) =>
    html`<li class="${tone}"><a href="${href}"><b>${figure}</b><span>${say(`tile.${name}`, { n })}</span></a></li>\n`;
  const shareOf = (part: number, whole: number) =>
    [whole === 0 ? '–' : say('x.of.y', { part, whole }), 'calm'] as const;
  const counted = (many: number, tone: string) => [count(many), many > 0 ? tone : 'calm'] as const;
  const open = counts.open + counts.unseen;
  return html`<ul class="tiles">${[
    tile('tied', '#ties', shareOf(counts.newest.get('tied') ?? 0, totalIn(counts.newest))),
    tile('breaks', '#breaks', counted(open, 'bad'), open),
    tile('waived', '#waived', counted(counts.waived, 'warn')),
    tile('gaps', '#coverage', counted(counts.gaps, 'bad'), counts.gaps),
    tile('complete', '#coverage', shareOf(counts.complete, counts.lists)),
    tile('rejects', 'rejects.csv', counted(counts.undecided, 'bad'), counts.undecided),
  ]}</ul>`;
};
