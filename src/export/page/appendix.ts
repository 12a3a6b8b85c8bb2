// The appendix of the report page: the statements behind the figures in money, with the values of the page, for whoever reads them
// again in the books.
import { readSql } from '../../database/database.ts';
import { FIGURE_FILES } from './figures.ts';
import type { MoneyPage } from './money-page.ts';
import { finished, type Html, html } from './text.ts';

const FILES = [...FIGURE_FILES, 'close_state'] as const;

export const appendixSection = (page: MoneyPage): Html => {
  const { say } = page.phrases;
  return html`<section id="appendix" aria-labelledby="appendix-h">
<h2 id="appendix-h">${say('appendix')}</h2>
<p class="lead">${say('appendix.lead')}</p>
${FILES.map((file) => html`<details><summary>${say(`appendix.${file}`)}</summary><pre tabindex="0" lang="en"><code>${linesOf(statementOf(page, file))}</code></pre></details>\n`)}
</section>`;
};

/** Lines stay lines: one without its end would make the rest of a statement a comment. */
const linesOf = (text: string): readonly Html[] =>
  text.split('\n').map((line) => html`${line}${finished('\n')}`);

/** The statement with its values as literals; psql runs it as it is. */
const statementOf = ({ manifest }: MoneyPage, file: string): string => {
  const { from, to, timezone, entities } = manifest;
  const values: Readonly<Record<string, string>> = { from, to, timezone, entity: entities.join(',') };
  const { text, parameters } = readSql(`page/${file}.sql`);
  return text.replace(/\$(\d+)/g, (_, nth: string) =>
    literal(values[parameters[Number.parseInt(nth, 10) - 1] ?? ''] ?? ''),
  );
};

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;
