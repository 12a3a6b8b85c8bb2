// An operation of the gateway, as data: what the client sends and reads, and what the stand-in serves.
import type { z } from 'zod';

export type Operation<Page = unknown> = {
  readonly name: string;
  readonly method: 'GET';
  /** `{name}` marks a part of the path. */
  readonly path: string;
  readonly query: z.ZodObject;
  /** The reader of a body whose numbers are text. */
  readonly page: z.ZodType<Page>;
  /** A page with more elements is refused. It is a multiple of the requested limit, because services ignore limits. */
  readonly rowsMax: number;
  /** The requests a second and account that the service allows, if it states a limit. */
  readonly perSecond?: number;
  /** Public: requested without key and signature. */
  readonly isPublic?: true;
  readonly section: string;
  readonly assumes: readonly string[];
};
