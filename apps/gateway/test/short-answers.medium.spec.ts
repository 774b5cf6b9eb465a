import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gatewayBench, type GatewayBench } from './support.js';

/** The longest answer that is sent in one piece. */
const short = 64 * 1024;

describe('an answer of a service', () => {
  let own: GatewayBench;
  let server: http.Server;
  let answer: (response: http.ServerResponse) => void;

  beforeAll(async () => {
    server = http.createServer((_request, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    own = await gatewayBench({ AUTOMATIONS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  afterAll(async () => {
    await own?.dispose();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([0, 1, short - 1, short, short + 1, 5 * short])('of %i bytes arrives unchanged, with its headers', async (length) => {
    const body = randomBytes(length);
    answer = (response) =>
      response.writeHead(206, { 'content-type': 'text/csv', 'content-range': '0-1/2', 'content-length': String(length) }).end(body);
    const { status, headers, bytes } = await own.call('/rest/v1/automations');
    expect([status, headers.get('content-type'), headers.get('content-range')]).toEqual([206, 'text/csv', '0-1/2']);
    expect(headers.get('content-length')).toBe(String(length));
    expect(bytes.equals(body)).toBe(true);
  });

  it('without a declared length is sent as it comes', async () => {
    let more: (() => void) | undefined;
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('first ');
      more = () => response.end('second');
    };
    const { body } = await fetch(`${own.url}/rest/v1/automations`, { headers: { apikey: own.environment['PUBLISHABLE_KEY']! } });
    const reader = body!.getReader();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('first ');
    more!();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('second');
  });

  it('to HEAD keeps the length of the body that it does not have', async () => {
    answer = (response) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1234' }).end();
    const { status, headers, bytes } = await own.call('/rest/v1/automations', { method: 'HEAD' });
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, '1234', 0]);
  });

  it('that is short and breaks off is answered with 503, not with half of it', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('[{"id":');
      setImmediate(() => response.destroy());
    };
    const { status, headers, body } = await own.call('/rest/v1/automations');
    expect([status, body?.['code']]).toEqual([503, 'PGRST002']);
    expect(headers.get('content-type')).toContain('application/json');
  });
});
