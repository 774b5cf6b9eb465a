/** What stands before replicas: the address of a Kubernetes Service, and an Ingress. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { Agent } from 'undici';

const listen = async (server, port) => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
};

/** Connects to the first replica that accepts. @returns undefined when none does */
async function connectInTurn(endpoints) {
  for (const port of endpoints.inTurn()) {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    try {
      await once(socket, 'connect');
      return socket;
    } catch {
      endpoints.refused += 1;
    }
  }
  return undefined;
}

/** A Service: distributes connections over the ready replicas. It knows nothing of requests and repeats none. Open connections stay where they are. */
export class ServiceAddress {
  #sockets = new Set();
  #server = net.createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => void this.#serve(client));
  endpoints;

  static async at(port) {
    const address = new ServiceAddress();
    address.port = port;
    address.url = `http://127.0.0.1:${port}`;
    await listen(address.#server, port);
    return address;
  }

  async #serve(client) {
    client.on('error', () => client.destroy());
    const replica = this.endpoints && (await connectInTurn(this.endpoints));
    if (!replica) return void client.resetAndDestroy();
    for (const [socket, other] of [
      [client, replica],
      [replica, client],
    ]) {
      this.#sockets.add(socket);
      // A reset of one side resets the other one. An end is passed on by `pipe`, after the last byte.
      socket.on('error', () => other.resetAndDestroy());
      socket.once('close', () => {
        this.#sockets.delete(socket);
        if (!socket.errored && !other.destroyed) other.destroySoon();
      });
    }
    client.pipe(replica).pipe(client);
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await this.endpoints?.close();
  }
}

const connectErrors = new Set(['ECONNREFUSED', 'ECONNRESET']);
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const hopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/**
 * An Ingress with nginx's default, `proxy_next_upstream error timeout`: a request that could not be sent, and a read whose answer has not begun,
 * goes to the next replica. Bodies are read completely first, as nginx does.
 */
export class Ingress {
  #agents = new Map();
  #server = http.createServer((request, response) => void this.#serve(request, response).catch(() => response.destroy()));

  static async at(port, endpoints) {
    const ingress = new Ingress();
    Object.assign(ingress, { endpoints, url: `http://127.0.0.1:${port}` });
    await listen(ingress.#server, port);
    return ingress;
  }

  async #serve(request, response) {
    const body = [];
    for await (const chunk of request) body.push(chunk);
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !hopHeaders.has(name)));
    let last = new Error('no replica is ready');
    for (const port of this.endpoints.inTurn()) {
      try {
        const answer = await this.#agentOf(port).request({
          origin: `http://127.0.0.1:${port}`,
          path: request.url,
          method: request.method,
          headers,
          body: body.length > 0 ? Buffer.concat(body) : null,
          signal: abort.signal,
        });
        const kept = Object.entries(answer.headers).filter(([name]) => !hopHeaders.has(name));
        response.writeHead(answer.statusCode, Object.fromEntries(kept));
        response.flushHeaders();
        answer.body.on('error', () => response.destroy()).pipe(response);
        return;
      } catch (error) {
        last = error;
        const isUnsent = error.syscall === 'connect' && connectErrors.has(error.code);
        if (abort.signal.aborted || !(isUnsent || readMethods.has(request.method))) break;
      }
    }
    if (!abort.signal.aborted) response.writeHead(502, { 'x-ingress-error': String(last.code ?? last.message) }).end();
  }

  /** nginx keeps a cache of connections for each replica. */
  #agentOf(port) {
    if (!this.#agents.has(port)) this.#agents.set(port, new Agent({ headersTimeout: 125_000, bodyTimeout: 125_000 }));
    return this.#agents.get(port);
  }

  async close() {
    this.#server.closeAllConnections();
    this.#server.close();
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }
}
