import net from 'node:net';

export interface TcpProxy {
  /** The target's URL with the proxy's host and port. */
  url: string;
  /** Closes every connection and refuses new ones, like a server that was stopped. */
  cut(): Promise<void>;
  /** Accepts connections and transfers nothing, like a server behind a broken network. */
  hang(): void;
  /** Transfers nothing over the open connections and does not close them; new connections work, as after a failover. */
  strand(): void;
  /** Works normally again; closes the connections that hung. */
  restore(): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts a TCP proxy, by which a test can disconnect one client from a server that others use too. @param target the server's URL, with a port */
export async function tcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<net.Socket>();
  let hangs = false;
  const server = net.createServer((client) => {
    keep(client);
    if (hangs) return;
    const upstream = net.connect(Number(port), hostname);
    keep(upstream);
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  function keep(socket: net.Socket): void {
    open.add(socket);
    socket.on('error', () => socket.destroy()); // the other end went away
    socket.once('close', () => open.delete(socket));
  }
  const endAll = () => open.forEach((socket) => socket.destroy());
  const listen = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const own = (server.address() as net.AddressInfo).port;
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(own);
  const silence = () => {
    for (const socket of open) socket.unpipe().pause();
  };
  const cut = async (): Promise<void> => {
    const closed = server.listening ? new Promise<void>((resolve) => server.close(() => resolve())) : Promise.resolve();
    endAll();
    await closed;
  };
  return {
    url: url.href,
    cut,
    hang: () => {
      hangs = true;
      silence();
    },
    strand: silence,
    restore: async () => {
      if (hangs) endAll();
      hangs = false;
      if (!server.listening) await listen(own);
    },
    dispose: cut,
  };
}
