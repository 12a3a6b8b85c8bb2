// Access: signing in, the second factor of the main account, and the token of the trading socket.
import { presentEntities } from '../access/access.ts';
import {
  endEnrolment,
  factorMetadata,
  offerSecret,
  secondFactorOf,
  sendCode,
} from '../access/second-factor.ts';
import type { Token } from '../access/tokens.ts';
import type { Answers, Question, SandboxAnswer } from '../question.ts';
import { invalidCredentials } from '../refusals.ts';
import { exact, type WireObject } from '../wire-json.ts';

const REFRESH_SECONDS = 86_400;

const tokenBody = ({ token, expirationTime }: Token): WireObject => ({
  expirationTime: exact(String(expirationTime)),
  token,
});

/** The token is of the entity that the request acts for, or of the subaccount in the body. */
const signInByKey = ({ world, platform, access, visitor, entity, body }: Question): SandboxAnswer => {
  const { userId } = (body ?? {}) as { readonly userId?: string };
  const isMain = visitor?.entity === world.entities[0];
  const present = presentEntities({ world, platform });
  const user = userId === undefined ? entity : present.find((other) => other.userId === userId);
  if (user === undefined || (user !== entity && !isMain)) return invalidCredentials();
  const owner = { userId: user.userId, apiKey: visitor?.apiKey ?? null };
  return { data: { accessToken: tokenBody(access.tokens.issue('access', owner, access.tokenSeconds)) } };
};

const signInByEmbedToken = ({ access, platform, entity }: Question): SandboxAnswer => {
  const owner = { userId: entity.userId, apiKey: null };
  const refreshToken = access.tokens.issue('refresh', owner, REFRESH_SECONDS);
  return {
    data: {
      accessToken: tokenBody(access.tokens.issue('access', owner, access.tokenSeconds)),
      refreshToken: tokenBody(refreshToken),
      session: { id: platform.uuid(), expirationTime: exact(String(refreshToken.expirationTime)) },
    },
  };
};

/** Sends a code unless an authenticator makes it. */
const checkSecondFactor = ({ access, platform, entity }: Question): SandboxAnswer => {
  const factor = secondFactorOf(platform, entity.userId);
  sendCode(platform, factor, access.now());
  return { data: factorMetadata(factor) };
};

const startSecondFactor = ({ platform, entity }: Question): SandboxAnswer => ({
  data: { secret: offerSecret(platform, secondFactorOf(platform, entity.userId)), name: entity.name },
});

const endSecondFactor = ({ access, platform, entity, body }: Question): SandboxAnswer => {
  const { totp } = body as { readonly totp: string };
  const refused = endEnrolment(secondFactorOf(platform, entity.userId), totp, access.now());
  return refused ?? { data: { result: true } };
};

const TRADING_SECONDS = 60;

/** The token for the trading socket lives one minute. */
const tradingSocketToken = ({ access, entity, visitor }: Question): SandboxAnswer => {
  const owner = { userId: entity.userId, apiKey: visitor?.apiKey ?? null };
  return { data: { token: access.tokens.issue('trading', owner, TRADING_SECONDS).token } };
};

export const access: Answers = {
  'sign-in-by-key': signInByKey,
  'sign-in-by-embed-token': signInByEmbedToken,
  'second-factor-check': checkSecondFactor,
  'second-factor-start': startSecondFactor,
  'second-factor-end': endSecondFactor,
  'trading-socket-token': tradingSocketToken,
};
