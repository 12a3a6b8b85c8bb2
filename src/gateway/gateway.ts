// The gateway room: the only one with a socket. Opens clients and says what a failed call means; contract/contract.ts has the
// operations. Integrators import this module as `tieout/gateway`.
export { openReadGateway } from './client.ts';
export type { Credentials } from './credentials.ts';
export { GATEWAY_FAILED, GatewayError, OF_NAME, OF_REQUEST, REQUEST_REFUSED } from './errors.ts';
export { type Gateway, type GatewayOptions, openGateway } from './full-client.ts';
export {
  type NotificationEvent,
  type Notifications,
  openNotifications,
  type SocketState,
} from './notification-socket.ts';
export type { Gate, GateAnswer } from './shared-budget.ts';
export { isPathPart, isSendable } from './target.ts';
