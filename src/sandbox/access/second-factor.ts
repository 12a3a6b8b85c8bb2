// The second factor of each user: its kind, its codes, the check of the TOTP headers, and the enrolment of an authenticator.
import type { Operation } from '../../gateway/contract/operation.ts';
import type { Platform } from '../platform.ts';
import { type Refusal, refusal, refusalWith } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import { base32, isTotpCode, totpCode } from './totp.ts';

export const DELIVERIES = ['gauth', 'email', 'sms', 'call', 'whatsapp'] as const;
type Delivery = (typeof DELIVERIES)[number];

/** Codes sent by these take a while to arrive, so the service states when to try again (A-SECOND-FACTOR). */
const BY_PHONE: readonly Delivery[] = ['sms', 'call', 'whatsapp'];

type SecondFactor = {
  /** How the user receives codes. */
  delivery: Delivery;
  /** The secret of the enrolled authenticator, base32; null: none is enrolled. */
  secret: string | null;
  /** The secret of an enrolment that has started. */
  offered: string | null;
  /** The last code that was sent, and when. */
  sent: { readonly code: string; readonly at: number } | null;
};

const CODE_LENGTH = 6;
const RETRY_SECONDS = 30;
const CODE_LIFE_MS = 300_000;
const SECRET_BYTES = 20;

const SHELF = {
  name: 'second-factor',
  empty: (): SecondFactor => ({ delivery: 'gauth', secret: null, offered: null, sent: null }),
};

/** The second factor of a user. */
export const secondFactorOf = (platform: Platform, userId: string): SecondFactor =>
  platform.on(SHELF, userId);

/** The secret of an authenticator, from 40 hexadecimal digits. */
export const authenticatorSecret = (hex: string): string =>
  base32(Buffer.from(hex.slice(0, 2 * SECRET_BYTES), 'hex'));

/** What a client needs to prompt its user. */
export const factorMetadata = ({ delivery }: SecondFactor): WireObject => ({
  codeLength: CODE_LENGTH,
  sfaType: delivery,
  ...(BY_PHONE.includes(delivery) && { retryIntervalSeconds: RETRY_SECONDS }),
});

/** Sends a code, unless an authenticator makes it. */
export const sendCode = (platform: Platform, factor: SecondFactor, now: number): void => {
  if (factor.delivery === 'gauth') return;
  const code = String(platform.random().below(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0');
  factor.sent = { code, at: now };
};

/** The code that is right now, or null: none was sent, or no authenticator is enrolled. */
export const currentCode = ({ delivery, secret, sent }: SecondFactor, now: number): string | null => {
  if (delivery === 'gauth') return secret === null ? null : totpCode(secret, now);
  return sent !== null && now - sent.at <= CODE_LIFE_MS ? sent.code : null;
};

/** The headers x-totp and x-totp-type. */
type TotpHeaders = { readonly totp: string | undefined; readonly totpType: string | undefined };

type FactorState = { readonly factor: SecondFactor; readonly isForced: boolean; readonly now: number };

/** Checks the headers as the operation demands. 428 for a missing code has what the client needs to prompt its user. */
export const totpRefusal = (
  { totp: demand }: Pick<Operation, 'totp'>,
  { totp, totpType = 'gauth' }: TotpHeaders,
  { factor, isForced, now }: FactorState,
): Refusal | null => {
  if (demand === undefined || (demand === 'when-forced' && !isForced)) return null;
  if (totp === undefined && demand !== 'legacy')
    return refusalWith(428, 'Two-factor authentication is required', factorMetadata(factor));
  const isOfType = totpType === factor.delivery && (demand !== 'gauth' || totpType === 'gauth');
  const isRight = totp !== undefined && isOfType && isCode(factor, totp, now);
  return isRight ? null : refusal(420, 'Invalid two-factor code');
};

const isCode = (factor: SecondFactor, code: string, now: number): boolean =>
  factor.delivery === 'gauth' && factor.secret !== null
    ? isTotpCode(factor.secret, code, now)
    : currentCode(factor, now) === code;

/** Starts the enrolment of an authenticator and returns its secret. */
export const offerSecret = (platform: Platform, factor: SecondFactor): string => {
  const words = platform.uuid() + platform.uuid();
  factor.offered = authenticatorSecret(words.replaceAll('-', ''));
  return factor.offered;
};

/** Ends the enrolment with a code of the new authenticator. */
export const endEnrolment = (factor: SecondFactor, code: string, now: number): Refusal | null => {
  if (factor.offered === null) return refusal(406, 'No enrolment has started');
  if (!isTotpCode(factor.offered, code, now)) return refusal(420, 'Invalid two-factor code');
  Object.assign(factor, { delivery: 'gauth', secret: factor.offered, offered: null });
  return null;
};
