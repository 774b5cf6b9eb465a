import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import pg from 'pg';
import { DatabaseClient } from './database-client.js';
import { isOutage } from './outage.js';

/** A message of PostgreSQL's protocol: its type, its length with itself, its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const authenticated = message('R', Buffer.alloc(4));
const readyForQuery = message('Z', Buffer.from('I'));
const shutDown = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

describe('a connection that ends in the packet with which it becomes ready', () => {
  let server: Server;
  let pool: pg.Pool;

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.concat([authenticated, readyForQuery, shutDown])));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    pool = new pg.Pool({ Client: DatabaseClient, host: '127.0.0.1', port, user: 'any', password: 'any' });
  });
  afterAll(async () => {
    await pool?.end();
    server?.close();
  });

  it('fails the query of who borrowed it as an outage, not the process, and leaves the pool', async () => {
    const client = await pool.connect();
    const error = await client.query('select 1').then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isOutage(error)).toBe(true);
    client.release();
    expect(pool.totalCount).toBe(0);
  });
});
