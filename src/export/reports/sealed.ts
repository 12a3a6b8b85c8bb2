// The content of a month's seal: its reports, byte for byte.
import assert from 'node:assert/strict';
import { loadSql } from '../../database/database.ts';
import type { Manifest } from './manifest.ts';
import { rowsOf, type Snapshot } from './snapshot.ts';

/** Entities in order: read from the books or, if the month is closed, from the seal. */
export type EntityPart =
  | { readonly from: 'books'; readonly entity: string }
  | { readonly from: 'seal'; readonly entity: string; readonly manifest: Manifest };

/**
 * A piece of a report: some of its text, in whole rows, and the number of rows. The header comes first, with the columns
 * and, if the profile uses others, the headings.
 */
export type Piece = {
  readonly text: string;
  readonly rows: number;
  readonly columns?: readonly string[];
  readonly headings?: readonly string[];
};

/** A sealed file, piece by piece, so that memory use is constant; the first line of the first piece is the header. */
export async function* fromSeal(
  snapshot: Snapshot,
  name: string,
  { entity, period, manifest }: { entity: string; period: string; manifest: Manifest },
): AsyncGenerator<Piece> {
  const file = manifest.files.find((file) => file.name === name);
  if (!file) return; // a report that did not exist when the month was closed
  for (let part = 0; ; part += 1) {
    const query = loadSql('export/sealed_part.sql', { entity, period, name, part: String(part) });
    const [row] = await rowsOf(snapshot, query);
    if (!row) break;
    const content = row.content ?? '';
    if (part > 0) yield { text: content, rows: 0 };
    else {
      const head = content.slice(0, content.indexOf('\n') + 1);
      yield { text: head, rows: 0, columns: file.columns };
      yield { text: content.slice(head.length), rows: file.rows };
    }
  }
}

/** The parts of an export: closed entities come from their seals, the others together from the books. */
export const partsOf = async (
  snapshot: Snapshot,
  scope: {
    readonly cut: { readonly entity: string };
    readonly period: string;
    readonly entities: readonly string[];
  },
): Promise<EntityPart[]> => {
  const sealed = new Map(
    (await rowsOf(snapshot, loadSql('export/seals.sql', { period: scope.period }))).map((row) => {
      assert(row.entity_id && row.manifest);
      return [row.entity_id, JSON.parse(row.manifest) as Manifest] as const;
    }),
  );
  if (!scope.entities.some((entity) => sealed.has(entity)))
    return [{ from: 'books', entity: scope.cut.entity }];
  const parts: EntityPart[] = [];
  for (const entity of scope.entities) {
    const manifest = sealed.get(entity);
    const last = parts.at(-1);
    if (manifest) parts.push({ from: 'seal', entity, manifest });
    else if (last?.from === 'books')
      parts.splice(-1, 1, { from: 'books', entity: `${last.entity},${entity}` });
    else parts.push({ from: 'books', entity });
  }
  return parts;
};
