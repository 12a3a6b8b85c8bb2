// The output of erase: counts by stream, never a value.
import { counted } from '../base/counted.ts';
import type { HoldResult } from '../privacy/holds.ts';
import type { Erased } from '../privacy/privacy.ts';
import { print, printJson, table, titledTable } from './print.ts';
import type { Cell } from './table-layout.ts';

type PrintOptions = {
  readonly isJson: boolean;
  readonly isDryRun: boolean;
  readonly isPerson: boolean;
  readonly retentionYears: number;
};

export const printErased = (erased: readonly Erased[], options: PrintOptions): void => {
  if (options.isJson) printJson({ dry_run: options.isDryRun, entities: erased.map(asJson) });
  else printCounts(erased, options);
};

/** Files are not in the database: what was written before shows what it showed. */
const LEFT =
  'Files of before stay as they are: dumps contain the erased fields, and exports show the last digits of bank accounts. ' +
  'The next npx tieout nightly writes those of TIEOUT_HOME/exports again; write the others again, or delete them.';

const printCounts = (erased: readonly Erased[], options: PrintOptions): void => {
  const rows = erased.flatMap(({ entity, streams }) =>
    streams.map(({ stream, records, fields }) => [entity, stream, records, fields]),
  );
  const word = options.isDryRun ? 'would be erased' : 'erased';
  if (rows.length > 0) print(`${table(['entity', 'stream', `records ${word}`, 'fields'], rows)}\n`);
  const notes = erased.flatMap((it) => notesOf(it, options));
  const nothing = options.isPerson
    ? `no personal field equals that text in the books of ${erased.map(({ entity }) => entity).join(', ') || 'any entity'}`
    : `no erasable record is older than ${options.retentionYears} years`;
  if (rows.length === 0 && notes.length === 0) print(nothing);
  for (const line of notes) print(line);
  if (options.isDryRun) print('dry run: nothing was changed');
  else if (rows.length > 0) print(LEFT);
};

const asJson = (erased: Erased) => ({
  entity_id: erased.entity,
  erasure_id: erased.erasureId,
  streams: erased.streams,
  kept_by_retention: erased.retained,
  kept_by_hold: erased.protectedByHold,
  first_may_go_at: erased.firstMayGoAt,
  last_may_go_at: erased.lastMayGoAt,
  erased_before: erased.erasedBefore,
});

const notesOf = (erased: Erased, { retentionYears }: PrintOptions): string[] => {
  const notes: string[] = [];
  if (erased.retained > 0)
    notes.push(
      `${erased.entity}: ${recordsOf(erased.retained)} retained, younger than ${retentionYears} years: ` +
        `the first can be erased from ${erased.firstMayGoAt}, the last from ${erased.lastMayGoAt}`,
    );
  if (erased.protectedByHold > 0)
    notes.push(
      `${erased.entity}: ${recordsOf(erased.protectedByHold)} protected by a hold: npx tieout erase --list`,
    );
  if (
    erased.streams.length === 0 &&
    erased.retained + erased.protectedByHold === 0 &&
    erased.erasedBefore !== null
  )
    notes.push(`${erased.entity}: already erased at ${erased.erasedBefore}`);
  return notes;
};

const recordsOf = (count: number): string => counted(count, 'record');

export const printHolds = (holds: readonly HoldResult[], isJson: boolean): void => {
  if (isJson) {
    printJson(
      holds.map((hold) => ({
        entity_id: hold.entity,
        hold_id: hold.holdId,
        new: hold.isNew,
        records: hold.records,
      })),
    );
    return;
  }
  const rows = holds.map((hold) => [hold.entity, hold.holdId, hold.isNew ? 'new' : 'existing', hold.records]);
  print(table(['entity', 'hold', '', 'records today'], rows));
};

export const printReleased = (
  released: { readonly holdId: string; readonly entities: readonly string[] },
  isJson: boolean,
): void => {
  if (isJson) printJson({ hold_id: released.holdId, entities: released.entities });
  else print(`hold ${released.holdId} was released in the books of ${released.entities.join(', ')}`);
};

export const printLists = (
  lists: Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>,
  isJson: boolean,
): void => {
  if (isJson) printJson(lists);
  else for (const [title, rows] of Object.entries(lists)) print(titledTable(title, rows));
};
