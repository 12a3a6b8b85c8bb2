// What erase prints: by stream and count, never a value.
import { counted } from '../base/counted.ts';
import type { HoldResult } from '../privacy/holds.ts';
import type { Erased } from '../privacy/privacy.ts';
import { print, printJson, table } from './print.ts';

type How = {
  readonly isJson: boolean;
  readonly isDryRun: boolean;
  readonly isPerson: boolean;
  readonly retentionYears: number;
};

export const printErased = (erased: readonly Erased[], how: How): void => {
  if (how.isJson) printJson({ dry_run: how.isDryRun, entities: erased.map(asJson) });
  else printCounts(erased, how);
};

const printCounts = (erased: readonly Erased[], how: How): void => {
  const rows = erased.flatMap(({ entity, streams }) =>
    streams.map(({ stream, records, fields }) => [entity, stream, records, fields]),
  );
  const word = how.isDryRun ? 'would be erased' : 'erased';
  if (rows.length > 0) print(`${table(['entity', 'stream', `records ${word}`, 'fields'], rows)}\n`);
  const told = erased.flatMap((it) => tellings(it, how));
  const nothing = how.isPerson
    ? `no personal field equals that text in the books of ${erased.map(({ entity }) => entity).join(', ') || 'any entity'}`
    : `no erasable record is older than ${how.retentionYears} years`;
  if (rows.length === 0 && told.length === 0) print(nothing);
  for (const line of told) print(line);
  if (how.isDryRun) print('dry run: nothing was changed');
};

const asJson = (it: Erased) => ({
  ...{ entity_id: it.entity, erasure_id: it.erasureId, streams: it.streams },
  ...{ kept_by_retention: it.keptByRetention, kept_by_hold: it.keptByHold },
  ...{ first_may_go_at: it.firstMayGoAt, last_may_go_at: it.lastMayGoAt, erased_before: it.erasedBefore },
});

const tellings = (it: Erased, { retentionYears }: How): string[] => {
  const told: string[] = [];
  if (it.keptByRetention > 0)
    told.push(
      `${it.entity}: ${recordsOf(it.keptByRetention)} retained, younger than ${retentionYears} years: ` +
        `the first can be erased from ${it.firstMayGoAt}, the last from ${it.lastMayGoAt}`,
    );
  if (it.keptByHold > 0)
    told.push(`${it.entity}: ${recordsOf(it.keptByHold)} protected by a hold: npx tieout erase --list`);
  if (it.streams.length === 0 && it.keptByRetention + it.keptByHold === 0 && it.erasedBefore !== null)
    told.push(`${it.entity}: already erased at ${it.erasedBefore}`);
  return told;
};

const recordsOf = (count: number): string => counted(count, 'record');

export const printHeld = (held: readonly HoldResult[], isJson: boolean): void => {
  if (isJson) {
    printJson(
      held.map((it) => ({ entity_id: it.entity, hold_id: it.holdId, new: it.isNew, records: it.records })),
    );
    return;
  }
  const rows = held.map((it) => [it.entity, it.holdId, it.isNew ? 'new' : 'existing', it.records]);
  print(table(['entity', 'hold', '', 'records today'], rows));
};

export const printReleased = (
  released: { readonly holdId: string; readonly entities: readonly string[] },
  isJson: boolean,
): void => {
  if (isJson) printJson({ hold_id: released.holdId, entities: released.entities });
  else print(`hold ${released.holdId} was released in the books of ${released.entities.join(', ')}`);
};

/** One row of the log or of the holds, as the books tell it. */
type Kept = Record<string, string | number | null>;

export const printKept = (kept: Readonly<Record<string, readonly Kept[]>>, isJson: boolean): void => {
  if (isJson) printJson(kept);
  else printTables(kept);
};

const printTables = (kept: Readonly<Record<string, readonly Kept[]>>): void => {
  for (const [title, rows] of Object.entries(kept)) {
    const head = Object.keys(rows[0] ?? {});
    const shown = table(
      head,
      rows.map((row) => Object.values(row)),
    );
    print(rows.length === 0 ? `${title.toUpperCase()}: none\n` : `${title.toUpperCase()}\n${shown}\n`);
  }
};
