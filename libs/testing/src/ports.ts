import { randomInt } from 'node:crypto';
import net from 'node:net';

/** Below the ports that systems give to outgoing connections, which would take a port again before its owner listens. */
const lowest = 20_000;
const highest = 30_000;

/** A port of the loopback that nobody listens on right now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
