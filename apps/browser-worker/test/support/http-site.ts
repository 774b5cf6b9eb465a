import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpSite {
  readonly url: string;
  readonly server: http.Server;
  dispose(): Promise<void>;
}

/** Serves requests on a free port of the loopback. */
export async function httpSite(handle: http.RequestListener): Promise<HttpSite> {
  const server = http.createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    dispose: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
