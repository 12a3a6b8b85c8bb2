// Golden pairs: what the gateway sent (.json) and what it must become (.journal), both written by hand.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseExact } from '../../src/base/json.ts';
import { negate } from '../../src/base/money.ts';
import { STREAMS, type StreamName, type WireRecord } from '../../src/base/streams.ts';
import type { RecordOutcome } from '../../src/normalize/outcome.ts';
import { applyRule } from '../../src/normalize/rules.ts';

type Case = {
  stream: StreamName;
  record: WireRecord;
  /** The currencies of the entity's pockets, by their ids. */
  pockets?: Record<string, string>;
  platformClass?: string;
};

const FOLDER = new URL('./cases/', import.meta.url);
const namesOf = (ending: string): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

/** The outcome as a journal an accountant can read: each leg is two lines, debit first. */
const journal = (outcome: RecordOutcome, { stream, record }: Case): string => {
  if (outcome.outcome === 'rejected') return `rejected: ${outcome.reason}`;
  if (outcome.outcome === 'set-aside') {
    const time = outcome.cancelledAt === undefined ? '' : ` at ${outcome.cancelledAt ?? 'an unknown time'}`;
    return `set-aside: ${outcome.reason}${time}`;
  }
  const { kind, effectiveAt, description, legs } = outcome.draft;
  return [
    `${effectiveAt} ${description}  ; ${kind}:${record[STREAMS[stream].id]}`,
    ...legs.flatMap(({ debit, credit, amount, currency }) => [
      `    ${debit} ${amount} ${currency}`,
      `    ${credit} ${negate(amount)} ${currency}`,
    ]),
  ].join('\n');
};

/** Columns are aligned for people; only the indent and the words count. */
const plain = (text: string): string => text.trimEnd().replaceAll(/(?<=\S) +/g, ' ');

test('every case is a pair', () => expect(namesOf('.json')).toEqual(namesOf('.journal')));

for (const name of namesOf('.json')) {
  test(name.replaceAll('-', ' '), () => {
    const sent = parseExact(read(`${name}.json`)) as Case;
    const context = {
      pockets: sent.pockets ? new Map(Object.entries(sent.pockets)) : null,
      platformClass: sent.platformClass ?? null,
    };
    const outcome = applyRule(sent.stream, sent.record, context);
    expect(plain(journal(outcome, sent))).toBe(plain(read(`${name}.journal`)));
  });
}
