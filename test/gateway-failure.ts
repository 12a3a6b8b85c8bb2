// The error of a gateway call that failed, for tests that have no gateway.
import type { Operation } from '../src/gateway/contract/operation.ts';
import { type Failure, GatewayError } from '../src/gateway/errors.ts';

/** An operation that failed in this way, at its own path or at a target of it. */
export const failureOf = (
  failure: Failure,
  operation: Operation,
  { target = operation.path, tries = 1 }: { readonly target?: string; readonly tries?: number } = {},
): GatewayError =>
  new GatewayError({ failure, operation, target, tries, status: null, requestId: null, detail: '' });
