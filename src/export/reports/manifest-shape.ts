// The shape of a manifest that was read, checked before any of it is used: whoever altered a folder may have written its manifest.
import { z } from 'zod';
import { PROFILES } from './profile.ts';

/** A plain file name, in a lake below the folders of its table: nothing of ours leads out of the folder. */
const NAME = /^(?!\.)[\w.-]+(?:\/(?!\.)[\w.=%-]+)*$/;

const texts = z.array(z.string());
const FILE = z.looseObject({
  name: z.string().regex(NAME),
  rows: z.number(),
  sha256: z.string().min(1),
  columns: texts,
  headings: texts.optional(),
  sheets: z
    .array(
      z.looseObject({
        name: z.string(),
        report: z.string(),
        rows: z.number(),
        columns: texts,
        headings: texts,
      }),
    )
    .optional(),
});
const AMOUNT = z.string().regex(/^-?\d+(?:\.\d+)?$/);

/** What the proofs of a folder rest on. */
export const MANIFEST_SHAPE = z.looseObject({
  entities: texts,
  control_totals: z.array(
    z.looseObject({
      currency: z.string(),
      debit: AMOUNT,
      credit: AMOUNT,
      closing: z.record(z.string(), AMOUNT),
    }),
  ),
  profile: z.enum(PROFILES),
  format: z.string(),
  batch: z.looseObject({ package: z.string(), year: z.string(), number: z.number() }).optional(),
  lake: z.looseObject({ tables: z.array(z.looseObject({ columns: z.array(z.looseObject({})) })) }).optional(),
});

/** A sentence for the first file that is described as no export does. */
export const oddFileFault = (files: readonly unknown[]): string | null => {
  const index = files.findIndex((file) => !FILE.safeParse(file).success);
  return index < 0
    ? null
    : `describes a file in a way that no export does: ${JSON.stringify(files[index]).slice(0, 120)}`;
};
