import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type LookupFunction } from 'node:net';
import { OutgoingCallError } from './outgoing-call-error.js';
import { outgoingHttpConfig } from './outgoing-http.config.js';
import { OutgoingHttp, type OutgoingHttpOptions } from './outgoing-http.js';

/** Answers every name with the next list of addresses. */
const resolvesTo = (...answers: string[][]): { lookup: LookupFunction; asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    lookup: (hostname, options, done) => {
      asked.push(hostname);
      const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
      const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
      if (options.all) done(null, found);
      else done(null, found[0]?.address ?? '', found[0]?.family);
    },
  };
};

describe('calls to addresses that customers typed', () => {
  let server: Server;
  let port: number;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let requests: string[];
  const clients: OutgoingHttp[] = [];
  const client = (options: OutgoingHttpOptions = {}) => {
    const made = new OutgoingHttp(options);
    clients.push(made);
    return made;
  };
  const failureOf = async (call: Promise<unknown>) =>
    call.then(
      () => 'answered',
      (error: unknown) => (error instanceof OutgoingCallError ? error.failure : `other: ${String(error)}`),
    );

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    requests = [];
    answer = (_, response) => response.end('ok');
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((each) => each.close()));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const here = () => `http://127.0.0.1:${port}/hook`;
  const allowed = () => client({ plainHosts: [`127.0.0.1:${port}`] });

  it('reach the hosts that are configured, and answer with status, headers and body', async () => {
    answer = (request, response) => {
      response.setHeader('x-seen', String(request.headers['webhook-id']));
      response.statusCode = 202;
      request.pipe(response);
    };
    const { status, headers, body } = await allowed().call(here(), { method: 'POST', headers: { 'webhook-id': 'msg_1' }, body: '{"á":1}' });
    expect({ status, seen: headers['x-seen'], body }).toEqual({ status: 202, seen: 'msg_1', body: '{"á":1}' });
  });

  it.each([
    'http://127.0.0.1:PORT/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://localhost/',
    'https://metadata.google.internal/',
    'https://loja.example:22/',
    'https://ana:segredo@loja.example/',
    'ftp://loja.example/',
    'loja.example',
  ])('are refused before a name is resolved: %s', async (address) => {
    const { lookup, asked } = resolvesTo(['127.0.0.1']);
    const text = address.replace('PORT', String(port));
    const guarded = client({ lookup });
    expect(guarded.problemOf(text)).not.toBeNull();
    expect(await failureOf(guarded.call(text, { method: 'GET' }))).toBe('address');
    expect({ asked, requests }).toEqual({ asked: [], requests: [] });
  });

  it.each([
    ['loopback', ['127.0.0.1']],
    ['a private network', ['10.1.2.3']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['a shared address', ['100.64.0.1']],
    ['IPv6 loopback', ['::1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['6to4', ['2002:7f00:1::']],
    ['a unique local address', ['fd00::1']],
    ['a public and a private address', ['93.184.215.14', '127.0.0.1']],
    ['nothing', []],
  ])('are refused when the name resolves to %s', async (_, addresses) => {
    const { lookup, asked } = resolvesTo(addresses);
    expect(await failureOf(client({ lookup }).call('https://loja.example/hook', { method: 'POST', body: '{}' }))).toBe('address');
    expect(asked).toEqual(['loja.example']);
  });

  it('resolve a name once for each connection, so that it cannot turn private between check and connection', async () => {
    const { lookup, asked } = resolvesTo(['127.0.0.1'], ['93.184.215.14']);
    expect(await failureOf(client({ lookup }).call('https://loja.example/', { method: 'GET' }))).toBe('address');
    expect(asked).toEqual(['loja.example']);
    const turned = resolvesTo(['10.0.0.1'], ['127.0.0.1']);
    const one = client({ lookup: turned.lookup });
    for (let call = 0; call < 2; call++) expect(await failureOf(one.call('https://loja.example/', { method: 'GET' }))).toBe('address');
    expect(turned.asked).toEqual(['loja.example', 'loja.example']);
  });

  it('lift the rules for exactly the configured host and port', async () => {
    const { lookup } = resolvesTo(['127.0.0.1']);
    const one = client({ lookup, plainHosts: [`loja.example:${port}`] });
    expect((await one.call(`http://loja.example:${port}/`, { method: 'GET' })).status).toBe(200);
    expect(await failureOf(one.call('https://loja.example/', { method: 'GET' }))).toBe('address');
    expect(await failureOf(one.call(`http://127.0.0.1:${port}/`, { method: 'GET' }))).toBe('address');
    expect(requests).toHaveLength(1);
  });

  it('follow no redirect', async () => {
    answer = (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
    expect((await allowed().call(here(), { method: 'POST', body: '{}' })).status).toBe(302);
    expect(requests).toEqual(['POST /hook']);
  });

  describe('that follow redirects within the same site', () => {
    const post = (address = here()) => allowed().call(address, { method: 'POST', body: 'olá', followsSameSite: true });

    it.each([301, 302, 307, 308])('send the same body again after %i, and tell which address answered', async (status) => {
      const bodies: string[] = [];
      answer = (request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
        request.on('end', () => {
          bodies.push(body);
          if (request.url === '/hook') response.writeHead(status, { location: '/moved/' }).end();
          else response.end('ok');
        });
      };
      expect(await post()).toMatchObject({ status: 200, body: 'ok', url: `http://127.0.0.1:${port}/moved/` });
      expect(requests).toEqual(['POST /hook', 'POST /moved/']);
      expect(bodies).toEqual(['olá', 'olá']);
    });

    it.each(['http://127.0.0.2:PORT/', 'http://localhost:PORT/', 'http://127.0.0.1:1/', 'http://10.0.0.1/', 'file:///etc/passwd'])(
      'return one to another site or port: %s',
      async (location) => {
        answer = (_, response) => response.writeHead(302, { location: location.replace('PORT', String(port)) }).end();
        expect((await post()).status).toBe(302);
        expect(requests).toHaveLength(1);
      },
    );

    it('do not follow 303, which asks for another method, and follow at most three', async () => {
      answer = (_, response) => response.writeHead(303, { location: '/again' }).end();
      expect((await post()).status).toBe(303);
      requests = [];
      answer = (_, response) => response.writeHead(308, { location: '/again' }).end();
      expect((await post()).status).toBe(308);
      expect(requests).toHaveLength(4);
    });

    it('end by the caller’s signal', async () => {
      answer = () => undefined;
      const signal = AbortSignal.timeout(50);
      expect(await failureOf(allowed().call(here(), { method: 'GET', signal }))).toBe('timeout');
    });
  });

  it('read no more than 256 KiB of an answer', async () => {
    let sent = 0;
    answer = (_, response) => {
      const more = () => {
        while (!response.destroyed && sent < 64 * 1024 * 1024) {
          sent += 65_536;
          if (!response.write('x'.repeat(65_536))) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
    expect((await allowed().call(here(), { method: 'GET' })).body).toHaveLength(256 * 1024);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it('end after their time, whether nothing comes or it never stops', async () => {
    const hasty = client({ plainHosts: [`127.0.0.1:${port}`], timeoutMs: 150 });
    answer = () => undefined;
    expect(await failureOf(hasty.call(here(), { method: 'GET' }))).toBe('timeout');
    answer = (_, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(drip));
    };
    expect(await failureOf(hasty.call(here(), { method: 'GET' }))).toBe('timeout');
  });

  it('tell apart what went wrong', async () => {
    // Plain HTTP answers where TLS was asked for.
    expect(await failureOf(allowed().call(`https://127.0.0.1:${port}/`, { method: 'GET' }))).toBe('tls');
    answer = (request) => request.socket.destroy();
    expect(await failureOf(allowed().call(here(), { method: 'GET' }))).toBe('connection');
    const unknown: LookupFunction = (_, __, done) => done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '');
    expect(await failureOf(client({ lookup: unknown }).call('https://loja.example/', { method: 'GET' }))).toBe('dns');
  });

  describe('downloads', () => {
    const file = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0xfe, 0x80]);

    it('return the bytes as they are', async () => {
      answer = (_, response) => response.setHeader('content-type', 'image/png').end(file);
      const { status, headers, bytes } = await allowed().download(here(), { maxBytes: 100 });
      expect({ status, type: headers['content-type'], bytes }).toEqual({ status: 200, type: 'image/png', bytes: file });
    });

    it('accept a file of exactly the limit and return nothing of a longer one, also when its length is not declared', async () => {
      answer = (_, response) => response.end(file);
      expect((await allowed().download(here(), { maxBytes: file.length })).bytes).toEqual(file);
      expect((await allowed().download(here(), { maxBytes: file.length - 1 })).bytes).toBeNull();
      let sent = 0;
      answer = (_, response) => {
        const more = () => {
          while (!response.destroyed && sent < 64 * 1024 * 1024) {
            sent += 65_536;
            if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
          }
          response.end();
        };
        more();
      };
      expect((await allowed().download(here(), { maxBytes: 1024 * 1024 })).bytes).toBeNull();
      expect(sent).toBeLessThan(32 * 1024 * 1024);
    });

    it('follow redirects within the same site', async () => {
      answer = (request, response) =>
        request.url === '/hook' ? response.writeHead(301, { location: '/moved.png' }).end() : response.end(file);
      expect((await allowed().download(here(), { maxBytes: 100 })).bytes).toEqual(file);
      expect(requests).toEqual(['GET /hook', 'GET /moved.png']);
      const { lookup } = resolvesTo(['127.0.0.1']);
      const names = client({ lookup, plainHosts: [`loja.example:${port}`, `www.loja.example:${port}`] });
      answer = ({ headers }, response) =>
        headers.host?.startsWith('www.')
          ? response.end(file)
          : response.writeHead(302, { location: `http://www.loja.example:${port}/a.png` }).end();
      expect((await names.download(`http://loja.example:${port}/a.png`, { maxBytes: 100 })).bytes).toEqual(file);
    });

    it.each(['http://127.0.0.2:PORT/', 'http://localhost:PORT/', 'http://127.0.0.1:1/', 'file:///etc/passwd', 'http://[', ''])(
      'follow no redirect to another site: %s',
      async (location) => {
        answer = (_, response) => response.writeHead(302, { location: location.replace('PORT', String(port)) }).end();
        // `''` is the same page again, so it ends by the number of redirects.
        expect((await allowed().download(here(), { maxBytes: 100 })).status).toBe(302);
        expect(requests.length).toBe(location === '' ? 4 : 1);
      },
    );

    it('follow at most three redirects', async () => {
      answer = (_, response) => response.writeHead(307, { location: '/again' }).end();
      expect((await allowed().download(here(), { maxBytes: 100 })).status).toBe(307);
      expect(requests).toHaveLength(4);
    });

    it('are refused for private addresses like every call, also behind a redirect', async () => {
      const guarded = client({ lookup: resolvesTo(['10.0.0.1']).lookup });
      expect(await failureOf(guarded.download('https://loja.example/a.png', { maxBytes: 100 }))).toBe('address');
      // The `www.` form is not among the hosts that may be called without TLS.
      const names = client({ lookup: resolvesTo(['127.0.0.1']).lookup, plainHosts: [`loja.example:${port}`] });
      answer = (_, response) => response.writeHead(302, { location: `http://www.loja.example:${port}/a.png` }).end();
      expect(await failureOf(names.download(`http://loja.example:${port}/a.png`, { maxBytes: 100 }))).toBe('address');
    });

    it('end after their time, however many redirects there were', async () => {
      const hasty = client({ plainHosts: [`127.0.0.1:${port}`], timeoutMs: 200 });
      answer = (_, response) => void setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 80);
      expect(await failureOf(hasty.download(here(), { maxBytes: 100 }))).toBe('timeout');
    });
  });

  it('read their configured hosts as host:port', () => {
    const { OUTGOING_HTTP_HOSTS: hosts } = outgoingHttpConfig;
    expect(hosts.parse(undefined)).toEqual([]);
    expect(hosts.parse(' 127.0.0.1:4999, Hook.test:80')).toEqual(['127.0.0.1:4999', 'hook.test:80']);
    expect(hosts.safeParse('http://127.0.0.1').success).toBe(false);
  });
});
