// Account: its addresses, the verification of identity, and its deletion.
import { removeAccount } from '../access/access.ts';
import type { Answers, Question, SandboxAnswer } from '../question.ts';
import { refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import { accountOptions } from './account-options.ts';

type Address = {
  readonly id: string;
  readonly userId: string;
  readonly streetAddress: string;
  readonly city: string;
  readonly stateCode: string;
  readonly zip: string;
  readonly countryCode: string;
  readonly alias: string;
  readonly isDefaultAddress: boolean;
  readonly isResidence: boolean;
};

const SHELF = { name: 'addresses', empty: (): { list: readonly Address[] | null } => ({ list: null }) };

type Owner = Pick<Question, 'platform' | 'entity'>;

/** The addresses of an entity. At first there are two: the residence, and an office (A-ADDRESSES). */
const addressesOf = ({ platform, entity: { entityId, userId } }: Owner): readonly Address[] => {
  const shelf = platform.on(SHELF, entityId);
  shelf.list ??= [
    {
      id: platform.uuid(),
      userId,
      streetAddress: 'Calle Mayor 1',
      city: 'Madrid',
      stateCode: 'ES-MD',
      zip: '28013',
      countryCode: 'ES',
      alias: 'Home',
      isDefaultAddress: true,
      isResidence: true,
    },
    {
      id: platform.uuid(),
      userId,
      streetAddress: 'Gran Via 2',
      city: 'Madrid',
      stateCode: 'ES-MD',
      zip: '28004',
      countryCode: 'ES',
      alias: 'Office',
      isDefaultAddress: false,
      isResidence: false,
    },
  ];
  return shelf.list;
};

const store = ({ platform, entity }: Owner, list: readonly Address[]): void => {
  platform.on(SHELF, entity.entityId).list = list;
};

const wanted = (question: Question): readonly Address[] => {
  const { addressId, isResidence } = question.query;
  return addressesOf(question).filter(
    (address) =>
      (addressId === undefined || address.id === addressId) &&
      (isResidence === undefined || String(address.isResidence) === String(isResidence)),
  );
};

const MASK = '****';

const masked = (address: Address): WireObject => ({
  ...address,
  streetAddress: MASK,
  city: MASK,
  stateCode: MASK,
  zip: MASK,
  alias: MASK,
});

const updateAddress = (question: Question): SandboxAnswer => {
  const { id: _, userId: __, ...fields } = question.body as Partial<Address>;
  const addresses = addressesOf(question);
  const address = addresses.find(({ id }) => id === question.query.addressId);
  if (address === undefined) return refusal(404, 'Address not found');
  const residence = addresses.find(({ isResidence }) => isResidence);
  if (fields.isResidence && residence !== undefined && residence !== address)
    return refusal(406, 'Residence already established');
  const changed: Address = { ...address, ...fields };
  const others = (other: Address): Address =>
    fields.isDefaultAddress ? { ...other, isDefaultAddress: false } : other;
  const list = addresses.map((other) => (other === address ? changed : others(other)));
  store(question, list);
  return { data: list };
};

const removeAddress = (question: Question): SandboxAnswer => {
  const addresses = addressesOf(question);
  const left = addresses.filter(({ id }) => id !== question.query.addressId);
  if (left.length === addresses.length) return refusal(404, 'Address not found');
  store(question, left);
  return { data: { result: true } };
};

const TRIES_MAX = 3;
const TRIES = { name: 'verification', empty: () => ({ left: TRIES_MAX }) };

const startVerification = ({ platform, entity }: Question): SandboxAnswer => {
  const tries = platform.on(TRIES, entity.entityId);
  if (tries.left === 0) return refusal(406, 'No try is left');
  tries.left -= 1;
  const token = platform.uuid();
  return { data: { token, redirectUrl: `https://verification.example/start?token=${token}` } };
};

const retryVerification = ({ platform, entity }: Question): SandboxAnswer => {
  const { left } = platform.on(TRIES, entity.entityId);
  return left === 0 ? refusal(406, 'No try is left') : { data: { result: true, triesLeft: left } };
};

const remove = ({ platform, entity }: Question): SandboxAnswer => {
  removeAccount(platform, entity);
  return { data: { result: true } };
};

export const account: Answers = {
  ...accountOptions,
  addresses: (question) => ({ data: wanted(question).map(masked) }),
  'addresses-v1': (question) => ({ data: wanted(question) }),
  'address-update': updateAddress,
  'address-remove': removeAddress,
  'account-remove': remove,
  'verification-start': startVerification,
  'verification-start-old': startVerification,
  'verification-retry': retryVerification,
  'verification-retry-old': retryVerification,
};
