// Shapes that several operations share: texts, codes, instants, amounts and numbers, as the specification writes them.
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

/** A whole number in a query. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));

/** A place in a list, or a limit without a maximum. */
export const WHOLE_MAX = 999_999_999;
