// The three shapes of an error body (Errors, Error body shapes), and the seven codes of a violation.
import { z } from 'zod';
import { integer } from './shapes.ts';

/** The codes of a violation. There are no others. */
const VIOLATION_CODES = [
  'REQUIRED',
  'OBJECT_MISSING_REQUIRED_PROPERTY',
  'ENUM_MISMATCH',
  'PATTERN',
  'MAX_LENGTH',
  'MAXIMUM',
  'INVALID_TYPE',
] as const;

const violation = z.looseObject({
  code: z.enum(VIOLATION_CODES),
  message: z.string(),
  description: z.string().optional(),
  params: z.array(z.unknown()),
  path: z.array(z.unknown()),
});

export const ERROR_SCHEMAS = {
  InvalidCredentials: z
    .looseObject({ code: integer(), description: z.string() })
    .describe('403 before any processing: key, signature or nonce is wrong. The text does not reveal which.'),
  ValidationErrors: z
    .looseObject({
      message: z.literal('Validation errors'),
      errors: z.array(
        z.looseObject({
          code: z.string(),
          message: z.string(),
          in: z.enum(['body', 'query', 'path', 'header']),
          name: z.string(),
          path: z.array(z.unknown()),
          errors: z.array(violation),
        }),
      ),
    })
    .describe('400 for a request that violates its schema.'),
  DefaultError: z
    .looseObject({
      message: z.string(),
      error: z.string(),
      statusCode: integer().optional(),
      reqId: z.string().optional(),
      data: z.looseObject({}).optional(),
    })
    .describe('Every other error. The price chart has errorCode in place of statusCode.'),
} as const;
