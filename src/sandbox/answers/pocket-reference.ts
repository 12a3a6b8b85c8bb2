// Bank references of pockets: the concept of a transfer that funds a pocket, and the accounts to send to.
import type { Question, SandboxAnswer } from '../question.ts';
import { randomOf } from '../random.ts';
import type { WireObject } from '../wire-json.ts';
import { referenceOf } from '../world/pocket-reference.ts';
import { pocketNotFound } from './change.ts';

const BENEFICIARY = 'Example Platform S.L.';
const ADDRESS = 'Calle Ejemplo 1, 28001 Madrid, Spain';

/** The accounts of the platform; their IBANs are published examples. */
const BANKS: readonly (readonly [key: string, account: string, bankName: string, swift: string])[] = [
  ['sepa', 'ES9121000418450200051332', 'Banco Ejemplo', 'EXAMESMMXXX'],
  ['sepa-instant', 'DE89370400440532013000', 'Beispielbank', 'EXAMDEFFXXX'],
];

/** The reference of a pocket never changes. */
export const pocketReference = ({ world, entity, query }: Question): SandboxAnswer => {
  const pocket = world.pockets(entity.entityId).find(({ id }) => id === query.pocketId);
  if (pocket === undefined) return pocketNotFound();
  return {
    data: {
      pocket: {
        pocketId: pocket.id,
        reference: referenceOf(pocket.id),
        userId: entity.userId,
      },
      bankAccounts: Object.fromEntries(BANKS.map(bankAccount)),
    },
  };
};

const bankAccount = ([key, account, bankName, swift]: (typeof BANKS)[number]): [string, WireObject] => [
  key,
  {
    account,
    address: ADDRESS,
    bankId: randomOf(`bank:${key}`).uuid(),
    bankName,
    beneficiary: BENEFICIARY,
    public: true,
    swift,
  },
];
