import { randomInt } from 'node:crypto';
import net from 'node:net';

/** True when something accepts a TCP connection there within `timeoutMs`. */
export function isListening(port, host = '127.0.0.1', timeoutMs = 500) {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host });
    const finish = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

function canBind(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Below the ports that systems give to outgoing connections, which would take a port again before its owner listens. */
const lowest = 20_000;
const highest = 30_000;

/** The preferred loopback port when it is free, else any free one; drawn, so that two who ask at once get different ones. */
export async function freePort(preferred) {
  if (preferred && (await canBind(preferred))) return preferred;
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await canBind(port)) return port;
  }
}
