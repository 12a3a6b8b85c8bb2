// The gateway room: the only one with a socket. Opens a client and says what a failed call means; contract/contract.ts has the operations.
export { isPathPart, isSendable, openGateway } from './client.ts';
export { GatewayError } from './errors.ts';
