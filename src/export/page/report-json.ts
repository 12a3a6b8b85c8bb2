// report.json: the figures of the page for programs, and what a seal stores of a closed month's page, so that a page over several
// entities shows a closed one as it was. Amounts are text, exact; the language of the page changes nothing here.
import type { Manifest } from '../reports/manifest.ts';
import type { PageFacts } from './facts.ts';
import { overviewOf, totalOf } from './figures.ts';
import { paidOf } from './paid.ts';
import { namesOf } from './section.ts';

/** The file: the period, totals, then the rows of sql/page by the names of their files. `root`: of the entries being sealed. */
export const reportJson = (
  manifest: Omit<Manifest, 'files'>,
  facts: PageFacts,
  root: string | null,
): string => {
  const { program, period, from, to, timezone, currency, entities, as_of } = manifest;
  const { figures, breaks, ties, coverage, rejects, seals, closeStates } = facts;
  const { open, waived, resolved } = breaks;
  const report = {
    report: 1,
    program,
    period,
    from,
    to,
    timezone,
    currency,
    entities,
    entity_names: Object.fromEntries(namesOf(facts.entities)),
    as_of,
    totals: totalsOf(facts, currency),
    ...figures,
    close_state: root === null ? closeStates : [],
    sealing: root,
    breaks: {
      open: { total: open.total, value: open.value },
      waived: { total: waived.total, value: waived.value },
      resolved: { total: resolved.total, not_confirmed: breaks.unseen },
    },
    ties,
    coverage,
    rejects,
    seals,
  };
  return `${JSON.stringify(report, null, 1)}\n`;
};

const totalsOf = ({ figures }: PageFacts, currency: string) => {
  const overview = overviewOf(figures, currency);
  const { opening, closing } = overview.assets;
  const sumsOf = (assets: typeof opening) => ({
    market: totalOf(assets, 'market'),
    cost: totalOf(assets, 'cost'),
    unrealised: totalOf(assets, 'unrealised'),
  });
  const paid = paidOf(overview.fees);
  return {
    opening: sumsOf(opening),
    closing: sumsOf(closing),
    steps: Object.fromEntries(overview.steps),
    volume: overview.volume,
    fees_paid: paid.total,
    trading_fees_paid: paid.trading,
  };
};
