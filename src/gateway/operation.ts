// An operation of the gateway, as data: what the client sends and reads, and what the stand-in serves.
import type { z } from 'zod';

export type Operation<Page = unknown> = {
  readonly name: string;
  readonly method: 'GET';
  /** `{name}` marks a part of the path. */
  readonly path: string;
  readonly query: z.ZodObject;
  /** What the client reads out of a body whose numbers are text. */
  readonly page: z.ZodType<Page>;
  /** More elements than this in one page are refused: some times what was asked for, since services ignore limits. */
  readonly rowsMax: number;
  /** Requests a second and account that the service allows, where it says so. */
  readonly perSecond?: number;
  /** Answered to everybody: asked without key and signature. */
  readonly isPublic?: true;
  readonly section: string;
  readonly assumes: readonly string[];
};
