import { randomUUID } from 'node:crypto';
import { readCaller, readClientAddress } from '@decola/service-kit';
import { eventually, freePort, ServiceProcess, testSigningKey } from '@decola/testing';
import { type GatewayBench, gatewayBench, publishableKey } from './support.js';

const id = randomUUID();
const token = 'roleta_1764800000000_um-segredo';
const address = `/prize-wheel/${id}?token=${encodeURIComponent(token)}`;

describe('the pages of a wheel', () => {
  let bench: GatewayBench;
  beforeAll(async () => {
    bench = await gatewayBench();
  });
  afterAll(() => bench?.dispose());
  beforeEach(() => bench.reset());

  const wheelAnswers = (body: unknown, status = 200) => {
    bench.services['prize-wheel'].answer = () => ({ status, body: JSON.stringify(body) });
  };
  const stateOf = (wheel: object) => ({
    success: true,
    wheel: { id, name: 'Roleta de aniversário', prizes: [], leadFields: [], ...wheel },
  });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${bench.url}${path}`, { headers });
    const text = await answer.text();
    const block = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(text)?.[1];
    return {
      ...answer,
      status: answer.status,
      headers: answer.headers,
      text,
      data: block && (JSON.parse(block) as { state: unknown; configuration: unknown }),
    };
  };
  const policyOf = ({ headers }: { headers: Headers }) => headers.get('content-security-policy');

  it('have the state of the wheel in them and are rendered with it', async () => {
    const state = stateOf({});
    wheelAnswers(state);
    const page = await get(address);
    expect(page.text).toContain('<div id="root"><h1>Roleta de aniversário</h1></div>');
    expect(page.data).toEqual({ configuration: expect.objectContaining({ publishableKey, productName: 'Decola' }), state });
    expect(page.text).toContain('<title>Roleta de prêmios: Roleta de aniversário</title>');
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    const [asked] = bench.services['prize-wheel'].seen;
    expect([asked?.method, asked?.url]).toEqual(['POST', '/functions/v1/prize-extractor']);
    expect(JSON.parse(asked!.body.toString())).toEqual({ automationId: id, token, action: 'state' });
    expect(readCaller(asked!.headers['x-decola-caller'], testSigningKey)).toEqual({ role: 'anon' });
    expect(readClientAddress(asked!.headers, testSigningKey)).toBe('127.0.0.1');
    const plain = await get(address, { 'accept-encoding': 'identity' });
    expect([page.headers.get('content-encoding'), plain.headers.get('content-encoding'), plain.text]).toEqual(['gzip', null, page.text]);
  });

  it('load their scripts after the first paint when they are rendered, and else at once', async () => {
    wheelAnswers(stateOf({}));
    expect((await get(address)).text).toContain('<script defer src="/assets/start-3c4d.js" data-entry="/assets/wheel-1a2b.js">');
    expect((await get('/comprovante/K7QF-3MZP-9DX')).text).toContain('<script type="module" src="/assets/wheel-1a2b.js">');
  });

  it('keep a state from ending its block, whatever is in it', async () => {
    const state = stateOf({ name: '</script><script>alert(1)</script><!-- \u2028\u2029 & $& Pão', prizes: [{ name: '<img onerror=x>' }] });
    wheelAnswers(state);
    const page = await get(address);
    expect(page.data).toMatchObject({ state });
    expect(page.text.match(/<script\b/g)).toHaveLength(2); // the page's own, and the block
    expect(/id="page-data">(.*)<\/script>/.exec(page.text)![1]).not.toMatch(/[<>&\u2028\u2029]/);
    expect(page.text).not.toContain('<img');
  });

  it('are never stored, and tell their address to nobody', async () => {
    wheelAnswers(stateOf({}));
    for (const path of [
      address,
      '/comprovante/K7QF-3MZP-9DX',
      '/meus-dados/K7QF-3MZP-9DX',
      '/teste-roleta',
      '/auditoria',
      '/PRIZE-WHEEL/x/',
    ]) {
      const page = await get(path);
      expect([path, page.status, page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
        ...[path, 200],
        ...['no-store', 'no-referrer'],
      ]);
      expect(policyOf(page)).toContain(`default-src 'self'`);
      expect(page.text).not.toContain(encodeURIComponent(token));
      expect(page.text).not.toContain('um-segredo');
      expect(page.text).not.toContain('K7QF');
      expect(page.text).not.toContain('og:url');
    }
    expect(bench.services['prize-wheel'].seen).toHaveLength(2);
  });

  it('may be framed by the sites that the owner named, by any without names, and the others by none', async () => {
    wheelAnswers(stateOf({ domains: ['estudiodaana.com.br', 'https://*.loja.com:8443', `x; script-src 'unsafe-inline'`, "'none'", 7] }));
    const named = await get(address);
    expect(policyOf(named)).toContain(`frame-ancestors 'self' estudiodaana.com.br https://*.loja.com:8443`);
    expect(policyOf(named)).not.toContain("unsafe-inline' ");
    expect(policyOf(named)).not.toContain('script-src');
    expect(named.headers.get('x-frame-options')).toBeNull();
    for (const answer of [stateOf({ domains: [] }), { success: false, error: 'Esta roleta está inativa no momento', code: 'inactive' }]) {
      wheelAnswers(answer);
      expect(policyOf(await get(address))).toContain('frame-ancestors *');
    }
    for (const path of ['/comprovante/K7QF-3MZP-9DX', '/auditoria', '/teste-roleta']) {
      const page = await get(path);
      expect(policyOf(page)).toContain(`frame-ancestors 'none'`);
      expect(page.headers.get('x-frame-options')).toBe('DENY');
    }
  });

  it('have refusals in them, too, and ask for themselves what was not answered in 0.8 seconds, or not understood', async () => {
    const refusal = { success: false, error: 'Token de acesso inválido ou expirado', code: 'wrong_token' };
    wheelAnswers(refusal);
    expect(await get(`/prize-wheel/${id}`)).toMatchObject({
      status: 200,
      data: { state: refusal },
      text: expect.stringContaining('Roleta de prêmios</title>'),
    });
    expect(JSON.parse(bench.services['prize-wheel'].seen[0]!.body.toString())).toMatchObject({ token: null });

    bench.services['prize-wheel'].answer = () => ({ silent: true });
    const began = performance.now();
    // The service never answers, so an answer of the page shows that it did not wait for it.
    expect(await get(address)).toMatchObject({ status: 200, data: { state: null }, text: expect.stringContaining('<h1>skeleton</h1>') });
    expect(performance.now() - began).toBeGreaterThan(700);

    wheelAnswers({ error: 'Muitas tentativas' }, 503);
    expect((await get(address)).data).toMatchObject({ state: null });
    bench.services['prize-wheel'].answer = () => ({ body: '<html>' });
    expect((await get(address)).data).toMatchObject({ state: null });
  });

  it('are sent unrendered when they cannot be rendered', async () => {
    wheelAnswers(stateOf({ name: 'cannot be rendered' }));
    const page = await get(address);
    expect(page.text).toContain('<div id="root"></div>');
    expect(page.data).toMatchObject({ state: { success: true } });
  });

  it('say without an id that it is missing, as an address that is no page', async () => {
    wheelAnswers({ success: false, error: 'ID da automação não fornecido', code: 'missing_id' });
    for (const path of ['/prize-wheel', '/prize-wheel/?token=x'])
      expect(await get(path)).toMatchObject({ status: 404, text: expect.stringContaining('<h1>ID da automação não fornecido</h1>') });
  });

  it('count towards the limit of the visitor’s address, and are sent all the same above it', async () => {
    const few = await gatewayBench({ RATE_LIMIT_REQUESTS_PER_MINUTE: '2' });
    try {
      few.services['prize-wheel'].answer = () => ({ body: JSON.stringify(stateOf({})) });
      const pages = [];
      for (let count = 0; count < 4; count++) pages.push(await (await fetch(`${few.url}${address}`)).text());
      expect(pages.map((page) => page.includes('<h1>skeleton</h1>'))).toEqual([false, false, true, true]);
      expect(few.services['prize-wheel'].seen).toHaveLength(2);
    } finally {
      await few.dispose();
    }
  });

  it('keep what renders them to the gateway', async () => {
    for (const file of ['/server/wheel.html', '/server/wheel-rendered.html', '/server/wheel-pages.cjs', '/wheel.html'])
      expect((await get(file)).status).toBe(404);
  });

  it('leave no token in the log', async () => {
    const port = await freePort();
    const service = await ServiceProcess.start('gateway', { ...bench.environment, PORT: String(port), LOG_LEVEL: 'debug' });
    try {
      bench.services['prize-wheel'].answer = () => ({ silent: true });
      await (await fetch(`http://127.0.0.1:${port}${address}`)).text();
      wheelAnswers(stateOf({ name: 'cannot be rendered' }));
      await (await fetch(`http://127.0.0.1:${port}${address}`)).text();
      await eventually(() => expect(service.log).toContain('could not render a wheel’s page'));
    } finally {
      await service.stop();
    }
    expect(service.log).toContain('sent a wheel’s page without its state');
    expect(service.log).not.toContain('um-segredo');
  });
});
