// Embed tokens: they sign a subaccount in without an API key. The service does not document how an integrator obtains one;
// the stand-in issues them under /__world.
import type { Entity } from '../entity.ts';
import { invalidCredentials, type Refusal } from '../refusals.ts';
import { type AccessContext, presentEntities } from './access.ts';

const EMBED_SECONDS = 600;

/** A token that signs a user in. */
export const embedToken = ({ access }: AccessContext, { userId }: Entity): string =>
  access.tokens.issue('embed', { userId, apiKey: null }, EMBED_SECONDS).token;

/** The user of the embed token in the body of a sign-in. */
export const embeddedUser = (context: AccessContext, body: unknown): Entity | Refusal => {
  const { accessToken } = body as { readonly accessToken: string };
  const owner = context.access.tokens.read('embed', accessToken);
  const user = presentEntities(context).find(({ userId }) => userId === owner?.userId);
  return user ?? invalidCredentials();
};
