// An entity of a world: the main account or a subaccount.

/** `entityId` is `main` for the main account, otherwise the subaccount's user id. */
export type Entity = {
  readonly entityId: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
};
