import { randomBytes, randomUUID } from 'node:crypto';
import type { TestNetwork } from './network.js';
import type { PageClient } from './page-client.js';

/** What the network says about a message. */
export interface News {
  type: 'accepted' | 'delivered' | 'failed' | 'refused';
  status?: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of many shapes, read by assertions only
  body?: any;
}

const mix = (key: Uint8Array, bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.map((byte, place) => byte ^ (((key[place % 16] ?? 0) + place) % 256)));

/** Sends one direct message as the page does, and waits for the network's first word about it. */
export async function sendMessage(network: TestNetwork, page: PageClient, thread: string, text: string): Promise<News> {
  const headers = { cookie: page.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; '), origin: network.url };
  // Node's WebSocket takes headers, which the browser's does not.
  const socket = new WebSocket(`${network.url.replace('http', 'ws')}/ws/realtime`, { headers } as unknown as string[]);
  socket.binaryType = 'arraybuffer';
  try {
    return await new Promise((resolve, reject) => {
      socket.onerror = () => reject(new Error('no connection'));
      socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
        const bytes = new Uint8Array(data);
        resolve(JSON.parse(mix(bytes.subarray(0, 16), bytes.subarray(16)).toString()) as News);
      };
      socket.onopen = () => {
        const key = randomBytes(16);
        const message = { type: 'send', lsd: page.lsd, dtsg: page.dtsg, language: 'en', thread, text, otid: randomUUID() };
        socket.send(Buffer.concat([key, mix(key, Buffer.from(JSON.stringify(message)))]));
      };
    });
  } finally {
    socket.close();
  }
}
