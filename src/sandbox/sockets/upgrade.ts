// The WebSockets of the stand-in: which path opens which, and their end with the server.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { AccessContext } from '../access/access.ts';
import { refuseSocket } from '../raw-refusal.ts';
import { notificationSocket } from './notification-socket.ts';
import { tradingSocket } from './trading-socket.ts';
import { worldWatch } from './world-watch.ts';

/** A larger message closes the socket with 1009. */
const MESSAGE_MAX = 65_536;

/** The path of the notification socket, and the one of the trading socket (assumption A-TRADING-TOKEN). */
const PATHS = { notifications: '/v1', trading: '/trading' } as const;

/** Adds the WebSockets to a server. Returns a function to call after a change of the world: the sockets send its events. */
export const openSockets = (server: FastifyInstance, context: AccessContext): (() => void) => {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX });
  sockets.on('wsClientError', (_, stream) => refuseSocket(stream, 400, 'The handshake is not valid'));
  const watch = worldWatch(context);
  const connect = (path: string, socket: WebSocket, address: string) => {
    socket.on('error', () => socket.terminate()); // a malformed frame: ws has sent the close code
    if (path === PATHS.trading) tradingSocket(context, socket, address);
    else notificationSocket(context, socket, { address, onOpen: watch.begin });
  };
  server.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    const path = (request.url ?? '').replace(/\?.*$|\/$/g, '');
    if (!Object.values<string>(PATHS).includes(path)) return refuseSocket(stream, 404, 'Route not found');
    const address = request.socket.remoteAddress ?? '';
    sockets.handleUpgrade(request, stream, head, (socket) => connect(path, socket, address));
  });
  server.addHook('preClose', async () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });
  return () => (sockets.clients.size > 0 ? watch.look() : watch.end());
};
