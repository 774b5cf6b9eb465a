import net from 'node:net';

export interface TcpProxy {
  /** The address that it stands before, with the proxy's own host and port. */
  url: string;
  /** Ends every connection and refuses new ones, as a server that is gone. */
  cut(): Promise<void>;
  /** Answers nothing any more and takes new connections, as a server behind a broken network. */
  hang(): void;
  /** Everything goes through again; what hung before has ended. */
  restore(): Promise<void>;
  dispose(): Promise<void>;
}

/** Stands before a server that others use too, so that a test can take it away from one client. @param target its address, with a port */
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
      for (const socket of open) socket.unpipe().pause();
    },
    restore: async () => {
      if (hangs) endAll();
      hangs = false;
      if (!server.listening) await listen(own);
    },
    dispose: cut,
  };
}
