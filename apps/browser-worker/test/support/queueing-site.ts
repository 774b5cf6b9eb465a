import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A proxy of the network whose pages send mutations some time after the click, and keep a socket open on which they send all the time. */
export interface QueueingSite {
  url: string;
  /** Resolves when a page was clicked and its mutation waits in the page. */
  queued: Promise<void>;
  /** Resolves when a mutation has waited, right before the page sends it. */
  sending: Promise<void>;
  /** Page loads and calls that reached the network through this proxy; no static files. */
  readonly calls: { at: number; line: string }[];
  /** `lastMessageAt` is when the page sent its last message, by the clock of the machine. */
  readonly sockets: { open: number; lastMessageAt: number | null };
  dispose(): Promise<void>;
}

/** @param holdMs how long a mutation waits in the page before it is sent. */
export async function queueingSite(networkUrl: string, holdMs: number): Promise<QueueingSite> {
  const script = `<script>(() => {
    const send = window.fetch;
    window.fetch = async (input, init) => {
      if (new Headers(init?.headers).get('x-fb-friendly-name')?.endsWith('Mutation')) {
        new Image().src = '/_test/queued';
        await new Promise((resolve) => setTimeout(resolve, ${holdMs}));
        new Image().src = '/_test/sending';
      }
      return send(input, init);
    };
    const socket = new WebSocket('ws://' + location.host + '/_test/socket');
    socket.onopen = () => setInterval(() => socket.send(String(Date.now())), 50);
  })();</script>`;
  const network = new URL(networkUrl);
  const calls: QueueingSite['calls'] = [];
  const sockets: QueueingSite['sockets'] = { open: 0, lastMessageAt: null };
  const open = new Set<Socket>();
  const queued = Promise.withResolvers<void>();
  const sending = Promise.withResolvers<void>();

  const server = http.createServer((request, response) => {
    if (request.url === '/_test/queued' || request.url === '/_test/sending') {
      response.writeHead(204).end();
      return (request.url === '/_test/queued' ? queued : sending).resolve();
    }
    if (!/^\/(static|favicon)/.test(request.url!)) calls.push({ at: Date.now(), line: `${request.method} ${request.url}` });
    const upstream = http.request(
      { host: network.hostname, port: network.port, method: request.method, path: request.url, headers: request.headers },
      (answer) => {
        const isDocument = answer.headers['content-type']?.includes('text/html') ?? false;
        if (!isDocument) {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
          return;
        }
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () => {
          const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = answer.headers;
          response.writeHead(answer.statusCode!, headers);
          response.end(
            Buffer.concat(pieces)
              .toString('utf8')
              .replace(/<head>/, `<head>${script}`),
          );
        });
      },
    );
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  server.on('connection', (one: Socket) => {
    open.add(one);
    one.once('close', () => open.delete(one));
  });
  server.on('upgrade', (request, one: Socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    one.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    sockets.open += 1;
    let received: Buffer = Buffer.alloc(0);
    one.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      for (let frame = firstFrame(received); frame; frame = firstFrame(received)) {
        received = received.subarray(frame.length);
        if (frame.text !== null) sockets.lastMessageAt = Number(frame.text);
      }
    });
    one.on('error', () => undefined); // its browser was ended
    one.once('end', () => one.end());
    one.once('close', () => (sockets.open -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queued: queued.promise,
    sending: sending.promise,
    calls,
    sockets,
    dispose: async () => {
      for (const one of open) one.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The first complete frame of a page's WebSocket: its length, and its text when it is a text. The frames of these pages are short and masked. */
function firstFrame(bytes: Buffer): { readonly length: number; readonly text: string | null } | null {
  const [type, size] = bytes;
  if (type === undefined || size === undefined) return null;
  const [headLength, length] = [6, 6 + (size & 0x7f)];
  if (bytes.length < length) return null;
  const mask = bytes.subarray(2, headLength);
  const body = bytes.subarray(headLength, length).map((byte, index) => byte ^ mask[index % 4]!);
  return { length, text: (type & 0x0f) === 1 ? body.toString() : null };
}
