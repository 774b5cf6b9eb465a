import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createService } from '@decola/service-kit';
import { infrastructure, testRedis, testSigningKey } from '@decola/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { headersOfMalformedTargets } from '../src/requests/cors.js';
import { registerRoutes } from '../src/requests/register-routes.js';

export const publishableKey = 'sb_publishable_test_key_0002';
export const issuer = 'http://decola.test/auth/v1';

export interface Seen {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** The request is never answered. */
  silent?: boolean;
}

export interface FakeService {
  url: string;
  seen: Seen[];
  /** Requests that the gateway aborted before they were answered. */
  abandoned: number;
  /** Decides the answer to a request; tests replace it. */
  answer: (seen: Seen) => Answer;
  close(): Promise<void>;
}

/** A service that records the requests that it gets. */
export async function fakeService(): Promise<FakeService> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const each = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      fake.seen.push(each);
      response.on('close', () => {
        if (!response.writableFinished) fake.abandoned += 1;
      });
      const { status = 200, headers = { 'content-type': 'application/json' }, body = '[]', silent } = fake.answer(each);
      if (!silent) response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    abandoned: 0,
    answer: () => ({}),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return fake;
}

export const serviceNames = ['identity', 'billing', 'automations', 'extraction', 'prize-wheel', 'blog'] as const;
export type FakeName = (typeof serviceNames)[number];

/** The least that a gateway needs of the built web app, by path. */
export const builtWebApp: Record<string, string> = {
  'index.html': '<!doctype html><title>Decola</title>',
  'server/wheel.html':
    '<!doctype html><html><head><title>Decola</title><script type="module" src="/assets/wheel-1a2b.js"></script></head><body><div id="root"></div></body></html>',
  'server/wheel-rendered.html':
    '<!doctype html><html><head><title>Decola</title><script defer src="/assets/start-3c4d.js" data-entry="/assets/wheel-1a2b.js"></script></head><body><div id="root"></div></body></html>',
  'server/wheel-pages.cjs': `exports.renderPage = ({ pathname }, { state }) => {
    if (state?.wheel?.name === 'cannot be rendered') throw new Error('rendering failed');
    return pathname.startsWith('/prize-wheel') ? '<h1>' + (state?.wheel?.name ?? state?.error ?? 'skeleton').replaceAll('<', '&lt;') + '</h1>' : '';
  };`,
  'server/blog.html':
    '<!doctype html><html><head><title>Decola</title><script type="module" src="/assets/blog-1a2b.js"></script></head><body><div id="root"></div></body></html>',
  'server/blog-pages.cjs': `exports.renderPage = ({ kind, article, list }) => {
    if (article?.title === 'cannot be rendered') throw new Error('rendering failed');
    return '<h1>' + kind + '</h1>' + (article ? article.content : '') + (list ? list.articles.map(({ title }) => '<h2>' + title + '</h2>').join('') : '');
  };
  exports.renderApprovalPage = ({ kind, answer, address, refused }) => {
    if (answer?.article?.title === 'cannot be rendered') throw new Error('rendering failed');
    return '<h1>' + kind + ' ' + (answer?.state ?? '') + '</h1><p>' + address + '</p>' + (refused ? '<p>' + JSON.stringify(refused).replaceAll('<', '&lt;') + '</p>' : '');
  };`,
};

/**
 * A gateway in front of six fake services.
 * @param overrides environment variables
 * @param files files of the built web app, by path, besides a plain `index.html`, the pages of the wheel, which render the state's wheel as a heading, and those of the blog
 */
export async function gatewayBench(overrides: Record<string, string> = {}, files: Record<string, string> = {}) {
  const redis = testRedis();
  const services = Object.fromEntries(await Promise.all(serviceNames.map(async (name) => [name, await fakeService()] as const))) as Record<
    FakeName,
    FakeService
  >;
  const keys = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
  const living = new Set<string>();
  services.identity.answer = ({ url }) => {
    if (url.includes('jwks')) return { body: JSON.stringify({ keys: [jwk] }) };
    if (url.startsWith('/internal/sessions/'))
      return living.has(url.split('/').pop() ?? '') ? { body: '{"active":true}' } : { status: 404, body: '{}' };
    return { body: '{"ok":true}' };
  };
  const site = mkdtempSync(path.join(os.tmpdir(), 'gateway-'));
  for (const [file, content] of Object.entries({ ...builtWebApp, ...files })) {
    mkdirSync(path.dirname(path.join(site, file)), { recursive: true });
    writeFileSync(path.join(site, file), content);
  }
  const environment: Record<string, string> = {
    PORT: '0',
    LOG_LEVEL: 'silent',
    INTERNAL_SIGNING_KEY: testSigningKey,
    REDIS_URL: redis.url,
    REDIS_PREFIX: redis.prefix,
    RABBITMQ_URL: infrastructure().rabbitmq.url,
    SITE_URL: 'http://decola.test',
    PUBLISHABLE_KEY: publishableKey,
    WEB_DIST: site,
    ...Object.fromEntries(serviceNames.map((name) => [`${name.toUpperCase().replaceAll('-', '_')}_URL`, services[name].url])),
    SUPPORT_EMAIL: 'a@decola.test',
    PRIVACY_EMAIL: 'b@decola.test',
    DPO_EMAIL: 'c@decola.test',
    ...overrides,
  };
  const app = await createService({
    name: 'gateway',
    configSchema,
    module: () => AppModule,
    parseBodies: false,
    metricsPort: ({ METRICS_PORT }) => METRICS_PORT,
    refusalHeaders: headersOfMalformedTargets,
    configure: registerRoutes,
    environment,
  });
  const url = await app.getUrl();
  return {
    app,
    /** What it reads from its environment. */
    environment,
    url,
    services,
    living,
    jwk,
    redis,
    /** Issues an access token as identity does. */
    token: async ({
      session = `${randomUUID()}`,
      lives = true,
      expires = '1h',
      claims = {},
      user = `${randomUUID()}`,
      key = keys.privateKey,
    } = {}) => {
      if (lives) living.add(session);
      return new SignJWT({
        iss: issuer,
        aud: 'authenticated',
        sub: user,
        role: 'authenticated',
        session_id: session,
        aal: 'aal1',
        email: 'ana@example.com',
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(key);
    },
    call: async (address: string, { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {}) => {
      const answer = await fetch(`${url}${address}`, { ...init, headers: { apikey: publishableKey, ...headers } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const text = bytes.toString('utf8');
      return {
        status: answer.status,
        headers: answer.headers,
        bytes,
        body: (answer.headers.get('content-type')?.includes('json') && text.startsWith('{') ? JSON.parse(text) : undefined) as
          | Record<string, unknown>
          | undefined,
      };
    },
    reset: () => {
      for (const name of serviceNames) services[name].seen.length = 0;
    },
    dispose: async () => {
      await app.close();
      await Promise.all([...serviceNames.map((name) => services[name].close()), redis.dispose()]);
      rmSync(site, { recursive: true, force: true });
    },
  };
}

export type GatewayBench = Awaited<ReturnType<typeof gatewayBench>>;
