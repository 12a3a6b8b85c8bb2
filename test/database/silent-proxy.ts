// A way to the test server that may fall silent, as a router does that forgets a connection: neither side hears of it.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Lends an address on loopback that leads to the server of `url`. Between `pause` and `resume` nothing passes; between `cut` and `mend`
 * every connection is broken. `loseAnswer` breaks the connection of the next statement that ends in `text` once it is answered.
 */
export const silentProxy = async (url: string) => {
  const address = new URL(url);
  const folder = decodeURIComponent(address.hostname);
  const port = address.port || '5432';
  const place = folder.startsWith('/')
    ? { path: `${folder}/.s.PGSQL.${port}` }
    : { host: folder, port: Number(port) };
  const ways = new Set<readonly [near: Socket, far: Socket]>();
  let isCut = false;
  let unanswered: string | null = null;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(place);
    near.on('data', (sent) => {
      if (unanswered === null || !sent.toString('latin1').includes(`${unanswered}\0`)) return;
      unanswered = null;
      far.unpipe(near);
      far.once('data', () => near.destroy()).resume();
    });
    near.pipe(far);
    far.pipe(near);
    ways.add([near, far]);
    for (const socket of [near, far]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address.hostname = '127.0.0.1';
  address.port = `${(server.address() as AddressInfo).port}`;
  const each = (act: (one: Socket, other: Socket) => void) => () => {
    for (const [near, far] of ways) {
      act(near, far);
      act(far, near);
    }
  };
  const breakAll = each((socket) => socket.destroy());
  return {
    url: address.href,
    pause: each((from, to) => from.unpipe(to).pause()), // a pipe that waits for its reader would go on by itself
    resume: each((from, to) => from.pipe(to)),
    cut: () => {
      isCut = true;
      breakAll();
    },
    mend: () => {
      isCut = false;
    },
    loseAnswer: (text: string) => {
      unanswered = text;
    },
    close: async () => {
      breakAll();
      await new Promise((done) => server.close(done));
    },
  };
};
