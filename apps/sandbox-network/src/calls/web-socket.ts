import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const handshakeKey = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const opcodes = { binary: 2, close: 8, ping: 9, pong: 10 } as const;
const maxFrame = 65_536;

/**
 * The server's side of a WebSocket (RFC 6455), as far as the page needs it: whole binary messages, pings and the end. A message in several
 * frames or above 64 KiB ends the connection.
 */
export class WebSocketPeer {
  private received: Buffer = Buffer.alloc(0);

  constructor(
    private readonly socket: Duplex,
    private readonly onMessage: (message: Buffer) => void,
  ) {
    socket.on('data', (data: Buffer) => this.receive(data));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
  }

  /** Answers the handshake. @returns false when the request is none; the connection is then closed. */
  static shake(request: IncomingMessage, socket: Duplex): boolean {
    const key = request.headers['sec-websocket-key'];
    if (!key || request.headers['sec-websocket-version'] !== '13') {
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      return false;
    }
    const accept = createHash('sha1').update(`${key}${handshakeKey}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    return true;
  }

  send(message: Buffer): void {
    this.write(opcodes.binary, message);
  }

  close(): void {
    this.write(opcodes.close, Buffer.alloc(0));
    this.socket.destroy();
  }

  private receive(data: Buffer): void {
    this.received = Buffer.concat([this.received, data]);
    for (let frame = this.nextFrame(); frame; frame = this.nextFrame()) {
      const { opcode, payload } = frame;
      if (opcode === opcodes.binary) this.onMessage(payload);
      else if (opcode === opcodes.ping) this.write(opcodes.pong, payload);
      else if (opcode === opcodes.close) {
        this.write(opcodes.close, payload);
        this.socket.end();
        return;
      } else if (opcode !== opcodes.pong) return this.close();
    }
  }

  /** Takes the next whole frame from what was received; undefined until it is complete. */
  private nextFrame(): { opcode: number; payload: Buffer } | undefined {
    const { received } = this;
    if (received.length < 2) return undefined;
    const [first = 0, second = 0] = received;
    const isWhole = (first & 0x80) !== 0;
    const short = second & 0x7f;
    const head = short === 126 ? 4 : 2;
    if (received.length < head + 4) return undefined;
    const length = short === 126 ? received.readUInt16BE(2) : short;
    // A browser always masks its frames.
    if (!isWhole || short === 127 || length > maxFrame || (second & 0x80) === 0) {
      this.close();
      return undefined;
    }
    if (received.length < head + 4 + length) return undefined;
    const mask = received.subarray(head, head + 4);
    const payload = Buffer.from(received.subarray(head + 4, head + 4 + length)).map((byte, place) => byte ^ (mask[place % 4] ?? 0));
    this.received = received.subarray(head + 4 + length);
    return { opcode: first & 0x0f, payload: Buffer.from(payload) };
  }

  private write(opcode: number, payload: Buffer): void {
    if (this.socket.destroyed) return;
    const head =
      payload.length < 126
        ? Buffer.from([0x80 | opcode, payload.length])
        : Buffer.from([0x80 | opcode, 126, payload.length >> 8, payload.length & 0xff]);
    this.socket.write(Buffer.concat([head, payload]));
  }
}
