import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { randomUUID, type UUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { accountExportPath, accountExportType, callerHeader, type ExportFile, exportFrames, readCaller } from '@decola/service-kit';
import { eventually, testSigningKey, unzip } from '@decola/testing';
import { createClient, type FunctionsHttpError } from '@supabase/supabase-js';
import { createClient as createOlderClient } from '@supabase/supabase-js-2-50';
import { type GatewayBench, gatewayBench, publishableKey, serviceNames } from './support.js';

/** Both versions of the published client; the functions used here are the same. */
type Make = typeof createClient;

async function* each<Item>(...items: Item[]): AsyncGenerator<Item> {
  for (const item of items) yield await Promise.resolve(item);
}

/** Serves the export of one service, and counts clients that disconnected before its end. */
async function exporter(
  files: (userId: string) => AsyncIterable<ExportFile>,
  change: (frames: Readable, response: http.ServerResponse) => void,
) {
  const state = { asked: [] as http.IncomingHttpHeaders[], abandoned: 0 };
  const server = http.createServer((request, response) => {
    if (request.url !== accountExportPath) return void response.writeHead(404).end();
    const caller = readCaller(request.headers[callerHeader], testSigningKey);
    if (caller.role !== 'authenticated') return void response.writeHead(401).end();
    state.asked.push(request.headers);
    response.on('close', () => {
      if (!response.writableFinished) state.abandoned += 1;
    });
    response.writeHead(200, { 'content-type': accountExportType });
    change(Readable.from(exportFrames(files(caller.userId))), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const whole = (frames: Readable, response: http.ServerResponse): void => void pipeline(frames, response, () => undefined);

setFlagsFromString('--expose-gc');
/** Runs the garbage collector, so that only reachable memory is measured. */
const collect = runInNewContext('gc') as () => void;

describe('the data export', () => {
  let gateway: GatewayBench;
  let list: Awaited<ReturnType<typeof exporter>>;
  let rows = 3;
  let width = 80;
  let deliver = whole;
  /** Called before each row of the list is written. */
  let onRow: (row: number) => void = () => undefined;

  const usual = process.env['TMPDIR'];
  // Its own folder, because other tests create archives too.
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'gateway-'));

  beforeAll(async () => {
    process.env['TMPDIR'] = temporary;
    list = await exporter(
      (userId) =>
        each({
          name: 'extracoes/lista.csv',
          about: 'Uma lista.',
          text: (async function* () {
            for (let row = 0; row < rows; row += 1) {
              onRow(row);
              yield await Promise.resolve(`pessoa_${row},${userId},${'x'.repeat(width)}\r\n`);
            }
          })(),
        }),
      (frames, response) => deliver(frames, response),
    );
    gateway = await gatewayBench({ EXTRACTION_URL: list.url, RATE_LIMIT_EXPORTS_PER_DAY: '3' });
    for (const name of serviceNames) {
      const before = gateway.services[name].answer;
      gateway.services[name].answer = (seen) => {
        if (seen.url !== accountExportPath) return before(seen);
        const caller = readCaller(seen.headers[callerHeader], testSigningKey);
        if (caller.role !== 'authenticated') return { status: 401, body: '{}' };
        const lines = [
          { file: { name: `${name}/dados.json`, about: `O que ${name} guarda.` } },
          { text: JSON.stringify([{ de: name, pessoa: caller.userId }]) },
          { file: { name: `${name}/vazio.json`, about: `O que ${name} guarda.` } },
          { end: { files: 2 } },
        ];
        return { headers: { 'content-type': accountExportType }, body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') };
      };
    }
  });
  afterAll(async () => {
    await gateway?.dispose();
    await list?.close();
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
    rmSync(temporary, { recursive: true, force: true });
  });
  beforeEach(() => {
    gateway.reset();
    rows = 3;
    width = 80;
    deliver = whole;
    onRow = () => undefined;
  });

  const clientOf = async (user: UUID, make: Make = createClient) => {
    const token = await gateway.token({ user });
    return make(gateway.url, publishableKey, {
      auth: { persistSession: false },
      global: { headers: { authorization: `Bearer ${token}`, 'user-agent': 'Firefox de teste' } },
    });
  };
  const refusalOf = async (error: unknown) => {
    const answer = (error as FunctionsHttpError).context as Response;
    return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.json() };
  };
  const leftFiles = () => readdirSync(os.tmpdir()).filter((name) => name.startsWith('decola-export-'));

  it.each([
    ['current', createClient],
    ['older', createOlderClient as unknown as Make],
  ])('is one archive with the data of every service, as a Blob in the %s client', async (_, make) => {
    const user = randomUUID();
    const { data, error } = await (await clientOf(user, make)).functions.invoke<Blob>('export-account');
    expect(error).toBeNull();
    expect(data).toBeInstanceOf(Blob);
    const files = await unzip(Buffer.from(await data!.arrayBuffer()));
    const others = serviceNames.filter((name) => name !== 'extraction');
    expect([...files.keys()].sort()).toEqual(
      ['LEIA-ME.txt', 'extracoes/lista.csv', ...others.flatMap((name) => [`${name}/dados.json`, `${name}/vazio.json`])].sort(),
    );
    for (const name of others) expect(JSON.parse(files.get(`${name}/dados.json`)!.toString())).toEqual([{ de: name, pessoa: user }]);
    expect(files.get('extracoes/lista.csv')!.toString()).toBe(
      [0, 1, 2].map((row) => `pessoa_${row},${user},${'x'.repeat(width)}\r\n`).join(''),
    );
    const readMe = files.get('LEIA-ME.txt')!.toString();
    for (const word of [
      'Seus dados no Decola',
      'ana@example.com',
      'Lei nº 13.709/2018',
      'c@decola.test',
      'extracoes/lista.csv',
      'Uma lista.',
    ])
      expect(readMe).toContain(word);
    // Files with the same explanation share it.
    expect(readMe.split('O que blog guarda.')).toHaveLength(2);
    expect(list.state.asked.at(-1)).toMatchObject({ 'x-decola-client-ip': '127.0.0.1' });
    expect(leftFiles()).toEqual([]);
  });

  it('is a download that must not be cached', async () => {
    const token = await gateway.token();
    const answer = await gateway.call('/functions/v1/export-account', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="decola-dados.zip"',
      'content-length': String(answer.bytes.length),
      'cache-control': 'private, no-store',
      'access-control-allow-origin': '*',
    });
  });

  it('is only for signed-in people, and only by POST', async () => {
    const anonymous = createClient(gateway.url, publishableKey, { auth: { persistSession: false } });
    expect(await refusalOf((await anonymous.functions.invoke('export-account')).error)).toMatchObject({
      status: 401,
      body: { error: 'Login necessário', code: 'not_authenticated' },
    });
    const authorization = `Bearer ${await gateway.token()}`;
    expect((await gateway.call('/functions/v1/export-account', { headers: { authorization } })).status).toBe(405);
    const ended = `Bearer ${await gateway.token({ lives: false })}`;
    expect((await gateway.call('/functions/v1/export-account', { method: 'POST', headers: { authorization: ended } })).status).toBe(401);
    expect(serviceNames.flatMap((name) => gateway.services[name].seen).filter(({ url }) => url === accountExportPath)).toEqual([]);
  });

  it('is refused as a whole when one service fails to send its part, and is not counted then', async () => {
    const user = randomUUID();
    const client = await clientOf(user);
    const refusal = {
      status: 503,
      type: 'application/json; charset=utf-8',
      body: { error: 'Não foi possível reunir todos os seus dados agora. Tente novamente em alguns minutos.', code: 'service_unavailable' },
    };
    const failures: ((frames: Readable, response: http.ServerResponse) => void)[] = [
      (_frames, response) => response.destroy(),
      // The connection breaks after some rows.
      (frames, response) => void frames.once('data', (chunk) => response.write(chunk, () => response.destroy())),
      // The answer ends normally, but without the last line.
      (frames, response) => void frames.once('data', (chunk) => response.end(chunk)),
      (_frames, response) => void response.end('<html>not ours</html>'),
    ];
    for (const failure of failures) {
      deliver = failure;
      expect(await refusalOf((await client.functions.invoke('export-account')).error)).toEqual(refusal);
    }
    deliver = whole;
    const blog = gateway.services.blog.answer;
    gateway.services.blog.answer = () => ({ status: 500, body: '{}' });
    expect(await refusalOf((await client.functions.invoke('export-account')).error)).toEqual(refusal);
    // Identity records exports: it must not get a request for one that failed.
    expect(gateway.services.identity.seen.filter(({ url }) => url === accountExportPath)).toEqual([]);
    gateway.services.blog.answer = blog;
    expect((await client.functions.invoke('export-account')).error).toBeNull();
    expect(leftFiles()).toEqual([]);
  });

  it('is limited per person and day; others are not affected', async () => {
    const client = await clientOf(randomUUID());
    for (let time = 0; time < 3; time += 1) expect((await client.functions.invoke('export-account')).error).toBeNull();
    const { error } = await client.functions.invoke('export-account');
    expect(await refusalOf(error)).toMatchObject({
      status: 429,
      body: { error: 'Você já baixou seus dados várias vezes hoje. Tente novamente amanhã.', code: 'too_many_requests' },
    });
    expect((await (await clientOf(randomUUID())).functions.invoke('export-account')).error).toBeNull();
  });

  it('has only the caller’s data, also with many concurrent requests', async () => {
    const users = Array.from({ length: 12 }, () => randomUUID());
    rows = 2_000;
    const archives = await Promise.all(
      users.map(async (user) => (await (await clientOf(user)).functions.invoke<Blob>('export-account')).data!.arrayBuffer()),
    );
    for (const [index, archive] of archives.entries()) {
      const text = [...(await unzip(Buffer.from(archive))).values()].map((file) => file.toString()).join('\n');
      for (const user of users) expect(text.includes(user)).toBe(user === users[index]);
    }
  });

  it('needs bounded memory for 100,000 people', async () => {
    width = 1_000;
    const download = async () => {
      const answer = await fetch(`${gateway.url}/functions/v1/export-account`, {
        method: 'POST',
        headers: { apikey: publishableKey, authorization: `Bearer ${await gateway.token()}` },
      });
      let bytes = 0;
      for await (const chunk of answer.body!) bytes += (chunk as Uint8Array).length;
      expect(bytes).toBe(Number(answer.headers.get('content-length')));
      return bytes;
    };
    // A first download, so that memory for loaded code is not measured.
    rows = 5_000;
    await download();
    const held = () => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    rows = 100_000;
    let peak = 0;
    let samples = 0;
    const before = held();
    // Garbage collection is slow, so memory is measured twenty times over the list.
    onRow = (row) => {
      if (row % 5_000 !== 4_999) return;
      peak = Math.max(peak, held() - before);
      samples += 1;
    };
    expect(await download()).toBeGreaterThan(100_000);
    expect(samples).toBe(20);
    // The rows alone are 100 MB of text.
    expect(peak).toBeLessThan(50 * 1024 * 1024);
  });

  it('is aborted when the client disconnects', async () => {
    const before = list.state.abandoned;
    deliver = (frames, response) => void frames.once('data', (chunk) => response.write(chunk)); // and sends nothing more
    const gone = new AbortController();
    const asked = list.state.asked.length;
    const call = fetch(`${gateway.url}/functions/v1/export-account`, {
      method: 'POST',
      headers: { apikey: publishableKey, authorization: `Bearer ${await gateway.token()}` },
      signal: gone.signal,
    });
    await eventually(() => expect(list.state.asked.length).toBe(asked + 1));
    gone.abort();
    await expect(call).rejects.toThrow();
    await eventually(() => expect(list.state.abandoned).toBe(before + 1));
    expect(leftFiles()).toEqual([]);
    // The aborted export has freed its place.
    deliver = whole;
    for (let time = 0; time < 6; time += 1)
      expect((await (await clientOf(randomUUID())).functions.invoke('export-account')).error).toBeNull();
  });
});
