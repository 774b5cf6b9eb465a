import { createHmac, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import {
  eventually,
  freePort,
  type ReceivedMail,
  runCommand,
  ServiceProcess,
  testBroker,
  type TestBroker,
  testDatabase,
  type TestDatabase,
  testMailServer,
  testRedis,
  testSigningKey,
} from '@decola/testing';
import pg from 'pg';
import { builtWebApp, publishableKey } from './support.js';

const requestsPerSecond = 50;
/** On a slow machine requests wait here instead of piling up in the services. */
const mostAtOnce = 12;
const siteUrl = 'http://decola.test';
const plenty = '1000000';

/** A load balancer for replicas, like a Kubernetes service: requests go to the replicas in turn, and a replica that leaves finishes what it has. */
class Balancer {
  private readonly replicas: { port: number; underWay: number }[] = [];
  private turn = 0;
  private readonly server = http.createServer((request, response) => {
    const replica = this.replicas[this.turn++ % this.replicas.length]!;
    replica.underWay += 1;
    response.once('close', () => (replica.underWay -= 1));
    const { method, url, headers } = request;
    const passed = http.request({ host: '127.0.0.1', port: replica.port, method, path: url, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Puts a replica in the place of another one; resolves when that one has answered its requests. */
  async replace(index: number, port: number): Promise<void> {
    const [left] = this.replicas.splice(index, 1, { port, underWay: 0 });
    await eventually(() => expect(left?.underWay ?? 0).toBe(0), { timeoutMs: 60_000 });
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const newTokenKey = (kid: string) => ({ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid });
const newRingKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const kidOf = (token: string) => (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid;

/** The six digits that an authenticator app shows now (RFC 6238). */
function codeOf(secret: string): string {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  return String((mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

interface Person {
  email: string;
  /** A token from before the rotation; null when it has expired. */
  first: string | null;
  access: string;
  refresh: string;
}

describe('keys that are rotated under load, step by step', () => {
  const [oldToken, newToken] = [newTokenKey('old'), newTokenKey('new')];
  const [oldKey, newKey] = [newRingKey('old'), newRingKey('new')];
  const rings = (ring: string) => ({ FACTOR_KEY_RING: ring, MAIL_KEY_RING: ring });
  /** The configurations of an operator, one after the other. */
  const steps = {
    before: { TOKEN_KEYS: JSON.stringify([oldToken]), ...rings(oldKey) },
    accept: { TOKEN_KEYS: JSON.stringify({ active: 'old', keys: [oldToken, newToken] }), ...rings(`active=old;${oldKey},${newKey}`) },
    use: { TOKEN_KEYS: JSON.stringify({ active: 'new', keys: [oldToken, newToken] }), ...rings(`active=new;${oldKey},${newKey}`) },
    drop: { TOKEN_KEYS: JSON.stringify({ active: 'new', keys: [newToken] }), ...rings(newKey) },
  };
  type Step = keyof typeof steps;

  const balancer = new Balancer();
  const redis = testRedis();
  const site = mkdtempSync(path.join(os.tmpdir(), 'key-rotation-'));
  const identities: (ServiceProcess | undefined)[] = [];
  const processes: ServiceProcess[] = [];
  const people: Person[] = [];
  const failures: string[] = [];
  const kidsRead = new Set<string>();
  let asked = 0;
  let answered = 0;
  let mailServer: Awaited<ReturnType<typeof testMailServer>>;
  let database: TestDatabase;
  let broker: TestBroker;
  let db: pg.Client;
  let common: Record<string, string>;
  let gateway: string;

  const startIdentity = async (step: Step) => {
    const port = await freePort();
    const started = await ServiceProcess.start('identity', { ...common, ...steps[step], PORT: String(port) });
    processes.push(started);
    return { started, port };
  };
  /** Both replicas get the configuration of a step, one after the other, each after some load on the mixture. */
  const rollOut = async (step: Step) => {
    const next = await Promise.all([startIdentity(step), startIdentity(step)]);
    for (const [index, { started, port }] of next.entries()) {
      await balancer.replace(index, port);
      await identities[index]?.stop();
      identities[index] = started;
      await requests(30);
    }
  };
  /** Resolves when this many more requests were answered. */
  const requests = async (count: number) => {
    const enough = answered + count;
    await eventually(() => expect(answered).toBeGreaterThanOrEqual(enough), { timeoutMs: 120_000 });
  };
  const keys = async (step: Step, ...words: string[]) => runCommand('identity', 'keys', { ...common, ...steps[step] }, words);

  const ask = async (method: string, address: string, token: string | null, body?: object) => {
    const answer = await fetch(gateway + address, {
      method,
      headers: {
        apikey: publishableKey,
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${address}${token ? ` with ${kidOf(token)}` : ''}: ${answer.status} ${text}`);
    return (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
  };
  const password = 'Segredo!123';
  const tokensOf = (session: Record<string, unknown>) => ({
    access: String(session['access_token']),
    refresh: String(session['refresh_token']),
  });
  const readers = ['/auth/v1/user', '/rest/v1/profiles?select=user_id'];
  const refreshing = new Set<Person>();

  /** The next request of somebody: mostly reads, with tokens of before and of now, and refreshes, sign-ins and mails among them. */
  const next = async (number: number): Promise<void> => {
    const person = people[number % people.length]!;
    if (number % 25 === 3) {
      Object.assign(person, tokensOf(await ask('POST', '/auth/v1/token?grant_type=password', null, { email: person.email, password })));
    } else if (number % 25 === 9) await ask('POST', '/auth/v1/recover', null, { email: person.email });
    else if (number % 10 === 5 && !refreshing.has(person)) {
      refreshing.add(person);
      try {
        const { refresh } = person;
        const session = await ask('POST', '/auth/v1/token?grant_type=refresh_token', null, { refresh_token: refresh });
        if (person.refresh === refresh) Object.assign(person, tokensOf(session));
      } finally {
        refreshing.delete(person);
      }
    } else {
      const token = (number % 2 === 0 ? person.first : null) ?? person.access;
      await ask('GET', readers[number % readers.length]!, token);
      kidsRead.add(kidOf(token));
    }
  };

  beforeAll(async () => {
    [mailServer, database, broker] = await Promise.all([testMailServer(), testDatabase({ migrations: [] }), testBroker()]);
    expect(await runCommand('identity', 'migrate', { DATABASE_URL: database.url })).toMatchObject({ status: 0 });
    db = new pg.Client({ connectionString: database.url });
    await db.connect();
    const identityUrl = await balancer.listen();
    common = {
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.url,
      RABBITMQ_URL: broker.url,
      REDIS_URL: redis.url,
      REDIS_PREFIX: redis.prefix,
      INTERNAL_SIGNING_KEY: testSigningKey,
      SITE_URL: siteUrl,
      TOKEN_ISSUER: `${siteUrl}/auth/v1`,
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Decola <nao-responda@decola.test>',
      MAIL_GAP_SECONDS: '0',
    };
    const port = await freePort();
    gateway = `http://127.0.0.1:${port}`;
    mkdirSync(path.join(site, 'server'));
    for (const [file, content] of Object.entries(builtWebApp)) writeFileSync(path.join(site, file), content);
    const first = await Promise.all([startIdentity('before'), startIdentity('before')]);
    for (const [index, { started, port: at }] of first.entries()) {
      await balancer.replace(index, at);
      identities[index] = started;
    }
    const others = ['BILLING', 'AUTOMATIONS', 'EXTRACTION', 'PRIZE_WHEEL', 'BLOG'].map((name) => [`${name}_URL`, 'http://127.0.0.1:9']);
    processes.push(
      await ServiceProcess.start('gateway', {
        ...common,
        ...Object.fromEntries(others),
        PORT: String(port),
        IDENTITY_URL: identityUrl,
        PUBLISHABLE_KEY: publishableKey,
        WEB_DIST: site,
        AUTH_TIMEOUT_MS: '60000',
        SUPPORT_EMAIL: 'a@decola.test',
        PRIVACY_EMAIL: 'b@decola.test',
        DPO_EMAIL: 'c@decola.test',
        ...Object.fromEntries(
          ['REQUESTS_PER_MINUTE', 'USER_REQUESTS_PER_MINUTE', 'AUTH_PER_5_MINUTES', 'TOKEN_PER_5_MINUTES', 'VERIFY_PER_5_MINUTES']
            .concat(['ACCOUNT_PER_5_MINUTES', 'MFA_PER_2_MINUTES'])
            .map((name) => [`RATE_LIMIT_${name}`, plenty]),
        ),
      }),
    );
    for (let count = 0; count < 6; count += 1) {
      const email = `${randomUUID()}@example.com`;
      const tokens = tokensOf(await ask('POST', '/auth/v1/signup', null, { email, password, data: { full_name: 'Ana Souza' } }));
      people.push({ email, first: tokens.access, ...tokens });
    }
  });
  afterAll(async () => {
    balancer.close();
    await Promise.all(processes.map((each) => each.kill()));
    await db?.end();
    await Promise.all([mailServer?.stop(), database?.dispose(), broker?.dispose(), redis.dispose()]);
    rmSync(site, { recursive: true, force: true });
  });

  it('fail no request, lose no mail and no second factor, and the command says when the old ones may go', async () => {
    // A second factor whose secret the old key sealed.
    const owner = tokensOf(
      await ask('POST', '/auth/v1/signup', null, { email: 'dona@example.com', password, data: { full_name: 'Bia Lima' } }),
    );
    await db.query(`update users set mailbox_proven_at = now() where email = 'dona@example.com'`);
    const factor = (await ask('POST', '/auth/v1/factors', owner.access, { factor_type: 'totp', friendly_name: 'x' })) as {
      id: string;
      totp: { secret: string };
    };
    const mailsBefore = mailServer.mails.length;

    let number = 0;
    const load = setInterval(() => {
      if (asked - answered >= mostAtOnce) return;
      asked += 1;
      void next(number++)
        .catch((error: Error) => failures.push(inspect(error)))
        .finally(() => (answered += 1));
    }, 1_000 / requestsPerSecond);
    try {
      await requests(30);
      await rollOut('accept');
      expect(people.map(({ access }) => kidOf(access))).toEqual(people.map(() => 'old'));
      await rollOut('use');
      await eventually(() => expect(people.map(({ access }) => kidOf(access))).toEqual(people.map(() => 'new')), { timeoutMs: 120_000 });
      expect([...kidsRead].sort()).toEqual(['new', 'old']);

      const mixed = await keys('use');
      expect(mixed).toMatchObject({ status: 0, stderr: '' });
      expect(mixed.stdout).toMatch(/^ {2}old +opens +factors\.sealed_secret 1: keep it, or run reseal$/m);
      expect(mixed.stdout).toMatch(/^ {2}new +signs +tokens live until 20/m);
      expect(mixed.stdout).toMatch(/^ {2}old +accepts +tokens live until 20.*: keep it until then$/m);
      // Too early: the command says so of a configuration without the old keys.
      const early = await keys('drop');
      expect(early.status).toBe(1);
      expect(early.stdout).toMatch(/^ {2}old +MISSING +factors\.sealed_secret 1: cannot be opened; put the key back$/m);
      expect(early.stdout).toMatch(/^ {2}old +MISSING +tokens live until 20.*: they are refused; put the key back$/m);

      const resealed = await keys('use', 'reseal');
      expect(resealed.stdout).toContain('factors.sealed_secret: 1 sealed again, 0 cannot be opened, 0 skipped');
      // The tokens of before expire. Two hours pass only for the note of their key.
      for (const person of people) person.first = null;
      await requests(mostAtOnce);
      await db.query(`update token_key_uses set live_until = live_until - interval '2 hours' where kid = 'old'`);
      const done = await keys('use');
      expect(done.stdout).toMatch(/^ {2}old +accepts +no token lives: may be removed when no replica signs with it$/m);
      expect(done.stdout).toMatch(/^ {2}old +opens +nothing stored: may be removed when no service seals with it$/m);
      await rollOut('drop');
    } finally {
      clearInterval(load);
    }
    await eventually(() => expect(answered).toBe(asked), { timeoutMs: 120_000 });
    expect(failures).toEqual([]);

    // The old key is gone indeed, and the second factor has outlived it.
    await expect(ask('GET', '/auth/v1/user', owner.access)).rejects.toThrow(/with old: 40[13]/);
    const current = await ask('POST', '/auth/v1/token?grant_type=refresh_token', null, { refresh_token: owner.refresh });
    const { access } = tokensOf(current);
    const challenge = await ask('POST', `/auth/v1/factors/${factor.id}/challenge`, access, {});
    await ask('POST', `/auth/v1/factors/${factor.id}/verify`, access, { challenge_id: challenge['id'], code: codeOf(factor.totp.secret) });

    const recoveries = Array.from({ length: number }, (_, each) => each).filter((each) => each % 25 === 9).length;
    const recovered = () => mailServer.mails.slice(mailsBefore).filter(({ text }: ReceivedMail) => text.includes('verify?'));
    await eventually(() => expect(recovered()).toHaveLength(recoveries), { timeoutMs: 60_000 });
    expect(recoveries).toBeGreaterThan(5);
  }, 600_000);
});
