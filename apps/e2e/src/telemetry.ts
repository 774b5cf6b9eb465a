import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A collector of traces that stores what services export, unchanged. */
export interface TraceCollector {
  url: string;
  /** Whether any span, attribute or event contains this text. */
  holds(text: string): boolean;
  bytes(): number;
  stop(): Promise<void>;
}

/** Receives OTLP over HTTP on a free port of the loopback. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const exported: Buffer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (request.url?.startsWith('/v1/traces')) exported.push(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
      response.setHeader('content-type', 'application/x-protobuf');
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holds: (text) => exported.some((body) => body.includes(text)),
    bytes: () => exported.reduce((sum, body) => sum + body.length, 0),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
