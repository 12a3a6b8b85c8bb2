// Shapes that several operations share: texts, codes, instants, amounts and numbers, as the specification writes them.
// What is sent is strict; what is answered is loose, and its numbers are the text that the service wrote.
import { z } from 'zod';

/** A page may hold ten times the requested limit; a list that is read whole, as many as anybody has. */
export const slack = (limit: number): number => 10 * limit;
export const LIST_MAX = 10_000;

/** An empty query. */
export const nothing = z.strictObject({});

export const text = z.string().min(1);
export const instant = z.iso.datetime({ offset: true });
export const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const code = z.string().regex(/^[A-Z0-9]+$/);
export const codes = z.string().regex(/^[A-Z0-9]+(,[A-Z0-9]+)*$/);
export const pair = z.string().regex(/^[A-Z0-9]+\/[A-Z0-9]+$/);
export const country = z.string().regex(/^[A-Z]{2}$/);
export const language = z.string().regex(/^[a-z]{2}$/);
export const totpCode = z.string().regex(/^[0-9]{4,6}$/);

/** Instants separated by commas, ISO or Unix milliseconds. */
export const instants = z
  .string()
  .max(1_024)
  .regex(/^((\d{4}-\d{1,2}-\d{1,2}T\d{1,2}:\d{1,2}:\d{1,2}\.\d{1,3}Z|\d{13}),?)+$/);

/** An amount as it is sent: decimal text, never negative. */
export const amount = z
  .string()
  .max(50)
  .regex(/^\d+(\.\d+)?$/);

/** A place in a list, or a limit without a maximum. */
export const WHOLE_MAX = 999_999_999;

/** A whole number in a query, written as text. One above WHOLE_MAX counts as that: it is too large, not malformed. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform((digits) => Math.min(Number(digits), WHOLE_MAX))
    .pipe(z.number().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max });

/** A yes or no in a query, written as text. */
export const flag = z.enum(['true', 'false']).meta({ type: 'boolean' });

/** Offset and limit of a list, both optional. */
export const offsetPage = (limitMax: number) => ({
  offset: whole(0, WHOLE_MAX).optional(),
  limit: whole(1, limitMax).optional(),
});

/** A word of an answer: these are known, and others may come. */
export const word = (...known: readonly string[]) => z.string().meta({ examples: [...known] });

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** A number of an answer: the text of its digits, exactly as the service wrote it. */
export const number = () => z.string().regex(NUMBER).meta({ type: 'number' });
export const integer = () =>
  z
    .string()
    .regex(/^-?\d+$/)
    .meta({ type: 'integer' });

/** An amount of an answer that is a number or a text. */
export const numeric = () =>
  z
    .string()
    .regex(NUMBER)
    .meta({ type: ['number', 'string'] });

type Sparse<Shape extends z.ZodRawShape> = {
  -readonly [Field in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Field]>>;
};

/** An answer that may lack any field of this one. */
export const sparse = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) =>
  z.looseObject(
    Object.fromEntries(
      Object.entries(shape).map(([field, schema]) => [field, (schema as z.ZodType).nullish()]),
    ) as unknown as Sparse<Shape>,
  );

/** A body that says only whether it worked. */
export const result = z.looseObject({ result: z.boolean() });

/** An answer without a body. */
export const empty = z.undefined();

/** A list with its count. */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z.looseObject({ total: integer(), data: z.array(row) });

type Fields = Readonly<Record<string, unknown>>;

/** Adds fields that a body needs only for some of its values; a missing one is the same mistake as any missing field. */
export const withRequired = <Body extends z.ZodObject>(body: Body, requiredOf: (sent: Fields) => string[]) =>
  body.superRefine((sent, context) => {
    for (const field of requiredOf(sent).filter((field) => sent[field] === undefined))
      context.addIssue({ code: 'invalid_type', expected: 'nonoptional', input: undefined, path: [field] });
  });
