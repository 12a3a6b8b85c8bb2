// Conservation in a manifest: of the records of a period, landed = booked + rejected + set aside, per stream and rule.

import { together } from '../../base/together.ts';
import type { Cell } from '../../database/database.ts';
import type { Conserved, ConservedSum } from './conserved.ts';
import { type Cut, cutSql } from './report.ts';
import { rowsOf, type Snapshot } from './snapshot.ts';

type ConservationRow = Record<string, Cell>;

/** The proof for the records whose own time falls in a period; for a closed month it is the sealed proof. */
export const conservationOf = async (
  snapshot: Snapshot,
  cut: Cut,
  sealed: readonly { readonly entities: readonly string[]; readonly conservation: readonly Conserved[] }[],
): Promise<Conserved[]> => {
  const [sums, counts] = await together([
    rowsOf(snapshot, cutSql('export/conservation_sums.sql', cut)),
    rowsOf(snapshot, cutSql('export/conservation.sql', cut)),
  ]);
  const isOf = (count: ConservationRow) => (sum: ConservationRow) =>
    sum.entity_id === count.entity_id &&
    sum.stream === count.stream &&
    sum.rule_version === count.rule_version;
  const open = counts.map((count) => ({
    ...conserved(count),
    sums: sums.filter(isOf(count)).map(conservedSum),
  }));
  const closed = new Map(
    sealed.flatMap(({ entities, conservation }) => entities.map((id) => [id, conservation])),
  );
  return [...open.filter(({ entity }) => !closed.has(entity)), ...[...closed.values()].flat()].sort(byEntity);
};

/** The sort is stable, so the rows of one entity stay in order. */
const byEntity = (a: Conserved, b: Conserved): number =>
  Buffer.compare(Buffer.from(a.entity), Buffer.from(b.entity));

const text = (cell: Cell | undefined): string => cell ?? '';
const whole = (cell: Cell | undefined): number => Number.parseInt(text(cell), 10);

const conserved = (row: ConservationRow): Omit<Conserved, 'sums'> => ({
  entity: text(row.entity_id),
  stream: text(row.stream),
  rule_version: whole(row.rule_version),
  landed: whole(row.landed),
  booked: whole(row.booked),
  rejected: whole(row.rejected),
  set_aside: whole(row.set_aside),
});

const conservedSum = (row: ConservationRow): ConservedSum => ({
  side: text(row.side),
  currency: text(row.currency),
  landed: text(row.landed),
  booked: text(row.booked),
  set_aside: text(row.set_aside),
});
