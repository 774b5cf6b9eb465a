import { randomInt } from 'node:crypto';
import dgram from 'node:dgram';
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

/** Ports that this process reserved. */
const reserved = new Set();

/**
 * Reserves a TCP port for what this process starts, by holding the UDP port of the same number until this process ends. Between the choice
 * of a port and the start of its server seconds pass, and test runs that work side by side must not choose the same one.
 */
function reserve(port) {
  return new Promise((resolve) => {
    const socket = dgram.createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      reserved.add(port);
      resolve(true);
    });
  });
}

/** Below the range of ephemeral ports: an outgoing connection cannot take the port before the server listens on it. */
const lowest = 20_000;
const highest = 30_000;

/** The preferred loopback port when it is free, else a random free one. No other call gets the same port while this process runs. */
export async function freePort(preferred) {
  if (preferred && (await canBind(preferred)) && (reserved.has(preferred) || (await reserve(preferred)))) return preferred;
  for (;;) {
    const port = randomInt(lowest, highest);
    if ((await canBind(port)) && (await reserve(port))) return port;
  }
}
