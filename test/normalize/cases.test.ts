// Golden cases: each file has the record as the gateway sent it, a line ---, and the expected journal. To write
// the journals of new or changed cases: npx vitest run --project tests test/normalize/cases.test.ts --update
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseReceived } from '../../src/base/json.ts';
import { negate } from '../../src/base/money.ts';
import { STREAMS, type StreamName, type WireRecord } from '../../src/base/streams.ts';
import type { Leg } from '../../src/ledger/entry.ts';
import type { RecordOutcome } from '../../src/normalize/outcome.ts';
import { applyRule } from '../../src/normalize/rule-table.ts';

type Case = {
  stream: StreamName;
  record: WireRecord;
  /** The currencies of the entity's pockets, by their ids. */
  pockets?: Record<string, string>;
  platformClass?: string;
};

const FOLDER = new URL('./cases/', import.meta.url);
const CASES = readdirSync(FOLDER).sort();
const SEPARATOR = '\n---\n';

/** The outcome as a journal that an accountant can read: each leg is two lines, debit first. */
const journalOf = (outcome: RecordOutcome, { stream, record }: Case): string => {
  if (outcome.outcome === 'rejected') return `rejected: ${outcome.reason}`;
  if (outcome.outcome === 'set-aside') {
    const time = outcome.cancelledAt === undefined ? '' : ` at ${outcome.cancelledAt ?? 'an unknown time'}`;
    return `set-aside: ${outcome.reason}${time}`;
  }
  const { kind, effectiveAt, description, legs } = outcome.draft;
  const head = `${effectiveAt} ${description}  ; ${kind}:${record[STREAMS[stream].id]}`;
  return [head, ...alignedLines(legs)].join('\n');
};

/** The lines of legs, with their amounts in one column. */
const alignedLines = (legs: readonly Leg[]): string[] => {
  const lines = legs.flatMap(({ debit, credit, amount, currency }) => [
    { account: debit, amount, currency },
    { account: credit, amount: negate(amount), currency },
  ]);
  const width = (column: 'account' | 'amount') => Math.max(...lines.map((line) => line[column].length));
  const [accountWidth, amountWidth] = [width('account'), width('amount')];
  return lines.map(
    ({ account, amount, currency }) =>
      `    ${account.padEnd(accountWidth)}  ${amount.padStart(amountWidth)} ${currency}`,
  );
};

const pocketsOf = (currencies: Record<string, string>) =>
  new Map(Object.entries(currencies).map(([id, currency]) => [id, [{ currency, after: 0n, until: null }]]));

for (const file of CASES) {
  test(file.replace(/\.case$/, '').replaceAll('-', ' '), async () => {
    const path = fileURLToPath(new URL(file, FOLDER));
    const [sentText = ''] = readFileSync(path, 'utf8').split(SEPARATOR);
    const sent = parseReceived(sentText) as Case;
    const context = {
      pockets: sent.pockets ? pocketsOf(sent.pockets) : null,
      platformClass: sent.platformClass ?? null,
    };
    const outcome = applyRule(sent.stream, sent.record, context);
    await expect(`${sentText}${SEPARATOR}${journalOf(outcome, sent)}\n`).toMatchFileSnapshot(path);
  });
}
