// Subaccounts of the main account: creation, list, second factor and identity files.
import { presentEntities } from '../access/access.ts';
import { endEnrolment, offerSecret, secondFactorOf } from '../access/second-factor.ts';
import type { Entity } from '../entity.ts';
import type { Platform } from '../platform.ts';
import type { Answers, Question, SandboxAnswer } from '../question.ts';
import { type Refusal, refusal } from '../refusals.ts';
import { wholeFrom } from './query-values.ts';

/** What the list shows of a person beside name and e-mail. */
type Person = {
  readonly surname: string;
  readonly phone: { readonly number: string; readonly countryCode: string };
};

const SEEDED: Person = { surname: 'Example', phone: { number: '600000000', countryCode: '34' } };

const SHELF = { name: 'subaccounts', empty: () => new Map<string, Person>() };

/** The phone of a user; those of the seeded world share one. */
export const phoneOf = (platform: Platform, { userId }: Entity): Person['phone'] =>
  (platform.on(SHELF).get(userId) ?? SEEDED).phone;

/** The subaccounts, or the refusal for everybody but the main account. */
const ownedBy = ({ world, platform, entity }: Question): readonly Entity[] | Refusal =>
  entity === world.entities[0]
    ? presentEntities({ world, platform }).slice(1)
    : refusal(403, 'Only for main accounts');

const list = (question: Question): SandboxAnswer => {
  const owned = ownedBy(question);
  if ('statusCode' in owned) return owned;
  const { query, platform } = question;
  const [offset, limit] = [wholeFrom(query.offset, 0), wholeFrom(query.limit, 1000)];
  const people = platform.on(SHELF);
  const rows = owned.slice(offset, offset + limit);
  return {
    data: {
      total: owned.length,
      data: rows.map(({ userId, email, name }) => ({
        id: userId,
        email,
        name,
        ...(people.get(userId) ?? SEEDED),
      })),
    },
  };
};

const create = (question: Question): SandboxAnswer => {
  const owned = ownedBy(question);
  if ('statusCode' in owned) return owned;
  const { world, platform, body } = question;
  const { name, email, ...person } = body as Person & Pick<Entity, 'name' | 'email'>;
  if (world.entities.some((entity) => entity.email === email)) return refusal(406, 'E-mail already in use');
  if (world.enlist === undefined) return refusal(423, 'This world cannot be changed');
  const { userId } = world.enlist({ name, email });
  platform.on(SHELF).set(userId, person);
  return { data: { userId } };
};

/** The subaccount with an id, or the refusal. */
const ownedOne = (question: Question, userId: unknown): Entity | Refusal => {
  const owned = ownedBy(question);
  if ('statusCode' in owned) return owned;
  return owned.find((entity) => entity.userId === userId) ?? refusal(404, 'Subaccount not found');
};

type Enrolment = { readonly subaccountUserId: string; readonly totp: string };

const startSecondFactor = (question: Question): SandboxAnswer => {
  const subaccount = ownedOne(question, (question.body as Enrolment).subaccountUserId);
  if ('statusCode' in subaccount) return subaccount;
  const { platform } = question;
  return { data: { secret: offerSecret(platform, secondFactorOf(platform, subaccount.userId)) } };
};

const endSecondFactor = (question: Question): SandboxAnswer => {
  const { platform, access, body } = question;
  const { subaccountUserId, totp } = body as Enrolment;
  const subaccount = ownedOne(question, subaccountUserId);
  if ('statusCode' in subaccount) return subaccount;
  const refused = endEnrolment(secondFactorOf(platform, subaccount.userId), totp, access.now());
  return refused ?? { data: { result: true } };
};

/** An image of one white pixel. */
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC',
  'base64',
);

/** The subaccounts of the seed are verified and have every file; a new one has none. */
const identityFile = (question: Question): SandboxAnswer => {
  const subaccount = ownedOne(question, question.query.subAccountId);
  if ('statusCode' in subaccount) return subaccount;
  const isNew = question.platform.on(SHELF).has(subaccount.userId);
  return isNew ? refusal(404, 'File not found') : { file: IMAGE, type: 'image/png' };
};

export const subaccounts: Answers = {
  subaccounts: list,
  'subaccount-create': create,
  'subaccount-second-factor-start': startSecondFactor,
  'subaccount-second-factor-end': endSecondFactor,
  'subaccount-identity-file': identityFile,
};
