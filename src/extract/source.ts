// The account whose lists a walk reads.
import type { WireRecord } from '../base/streams.ts';
import type { ReadGateway, Receipt } from '../gateway/client.ts';
import type { Walk } from './step.ts';

/** `subaccount` is absent for the main account. */
export type Source = { readonly gateway: ReadGateway; readonly subaccount?: string };

/** The account that a request acts for; the main account needs no header. */
export const acting = ({ subaccount }: Pick<Source, 'subaccount'>) =>
  subaccount === undefined ? {} : { subaccount };

export type RecordWalk = Walk<WireRecord, Receipt>;
