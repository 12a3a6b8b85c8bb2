// The output of a simulation: the figures that must be zero, the justified gaps, and the losses of the rivals.

import type { Cost } from './seed.ts';
import type { Score } from './simulate.ts';

const SHOWN_MAX = 20;
const LINES_MAX = 6;

/** Lines for people. */
export const linesOf = (score: Score): string[] => [
  `${score.seeds} seeds, ${score.nights} nights, ${score.records} records, ${score.requests} requests for lists`,
  `missed ${score.missed}, duplicated ${score.duplicated}, silent ${score.silent}, stale ${score.stale}`,
  `gaps stored ${score.gaps}, with ${score.gapped} records in them not landed`,
  `mutations named ${score.named}/${score.seeds}`,
  `made ÷ fewest: backfill ${ratio(score.backfill)}, quiet night ${ratio(score.quiet)}`,
  '',
  ...rivalLines(score),
  ...failureLines(score),
];

const ratio = ({ made, fewest }: Cost): string =>
  `${made}/${fewest} = ${fewest === 0 ? '—' : (made / fewest).toFixed(3)}`;

const rivalLines = ({ rivals, seeds }: Score): string[] =>
  [
    ['strategy', 'records lost', 'in seeds'],
    ...[...rivals].map(([name, it]) => [name, it.records, `${it.seeds} of ${seeds}`]),
  ].map(
    ([name, lost, where]) =>
      `${String(name).padEnd(32)}${String(lost).padStart(14)}${String(where).padStart(16)}`,
  );

const failureLines = ({ failures }: Score): string[] => [
  ...failures
    .slice(0, SHOWN_MAX)
    .flatMap(({ seed, wrong }) => [
      '',
      `seed ${seed} failed; replay it with: npm run simulate -- --seeds ${seed}..${seed}`,
      ...wrong.slice(0, LINES_MAX).map((line) => `  ${line}`),
      ...(wrong.length > LINES_MAX ? [`  and ${wrong.length - LINES_MAX} more`] : []),
    ]),
  ...(failures.length > SHOWN_MAX ? ['', `and ${failures.length - SHOWN_MAX} more seeds`] : []),
];

/** The same for programs. */
export const jsonOf = ({ rivals, ...score }: Score) => ({ ...score, rivals: Object.fromEntries(rivals) });
