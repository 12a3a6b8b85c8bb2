// The trading socket, as far as it is documented: a client authenticates with a token that lives one minute.
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { type AccessContext, tradingUser } from '../access/access.ts';
import { writeJson } from '../wire-json.ts';

const authentication = z.looseObject({
  event: z.literal('authenticate'),
  data: z.looseObject({ token: z.string() }),
});

const AUTHENTICATION_FAILED = 4000;

/** Serves one connection: the token is confirmed, or the socket is closed. */
export const tradingSocket = (context: AccessContext, socket: WebSocket, address: string): void => {
  socket.on('message', (data) => {
    const token = tokenIn(String(data));
    if (token !== null && tradingUser(context, token, address) !== undefined)
      socket.send(writeJson({ event: 'authenticated' }));
    else socket.close(AUTHENTICATION_FAILED, 'Authentication failed');
  });
};

const tokenIn = (text: string): string | null => {
  try {
    return authentication.safeParse(JSON.parse(text)).data?.data.token ?? null;
  } catch {
    return null; // not JSON
  }
};
