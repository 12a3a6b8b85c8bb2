// Failures that several operations share, with the reason that the specification gives (Errors, HTTP statuses).

export const unknownPocket = { status: 404, when: 'there is no such pocket' } as const;
export const unfunded = { status: 412, when: 'insufficient funds in the pocket' } as const;
export const blocked = { status: 423, when: 'the operation is blocked' } as const;

/** When a proforma is asked for. */
export const PREPARING = [
  unknownPocket,
  { status: 406, when: 'a business rule, for example the limit of a pocket' },
  unfunded,
  { status: 417, when: 'the amount is too low or too high' },
] as const;

/** When a proforma is executed. */
export const EXECUTING = [
  { status: 404, when: 'there is no such proforma' },
  { status: 406, when: 'the proforma is expired or was executed' },
  unfunded,
  blocked,
] as const;

/** When a transaction asks for a network. */
export const unsupportedNetwork = {
  status: 422,
  when: "the network is not supported for the pocket's currency",
} as const;
