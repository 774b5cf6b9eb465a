import { type GatewayBench, gatewayBench, publishableKey } from './support.js';

/** A customer opens such a link in the browser or in a download manager. No API key is sent; the token in the link authorizes the request. */
describe('download links', () => {
  let own: GatewayBench;
  beforeAll(async () => {
    own = await gatewayBench();
  });
  beforeEach(() => own.reset());
  afterAll(() => own?.dispose());

  const link = '/storage/v1/object/sign/extractions/a.csv?token=x';

  it.each(['GET', 'HEAD'])('need no key for %s', async (method) => {
    own.services.extraction.answer = () => ({ headers: { 'content-type': 'text/csv' }, body: method === 'HEAD' ? '' : 'username\r\n' });
    const answer = await fetch(`${own.url}${link}`, { method });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv']);
    expect(own.services.extraction.seen.map((seen) => [seen.method, seen.url])).toEqual([[method, link]]);
    expect(own.services.extraction.seen[0]?.headers['x-decola-caller']).toEqual(expect.any(String));
  });

  it('do not exist for pictures of failures: a picture needs the key and the token of its customer', async () => {
    const picture = '/storage/v1/object/pictures/3fa85f64-5717-4562-b3fc-2c963f66afa6';
    for (const method of ['GET', 'HEAD']) expect((await fetch(`${own.url}${picture}?token=x`, { method })).status).toBe(401);
    expect(own.services.automations.seen).toEqual([]);
    const answer = await fetch(`${own.url}${picture}`, { headers: { apikey: publishableKey, authorization: 'Bearer invalid' } });
    expect(await answer.json()).toMatchObject({ statusCode: '401', code: 'InvalidJWT' });
    expect(own.services.automations.seen).toEqual([]);
  });

  it('are not needed for pictures of articles: everybody reads them, with the headers of their service, and nobody writes them without a key', async () => {
    const picture = '/storage/v1/object/public/blog-images/0123456789abcdef0123456789abcdef-800.webp';
    const headers = { 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable', etag: '"a"' };
    own.services.blog.answer = () => ({ headers, body: 'RIFF' });
    const answer = await fetch(`${own.url}${picture}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...headers, 'x-content-type-options': 'nosniff' });
    expect((await fetch(`${own.url}${picture}`, { method: 'HEAD' })).status).toBe(200);
    own.reset();
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await fetch(`${own.url}${picture}`, { method })).status).toBe(401);
    expect(own.services.blog.seen).toEqual([]);
  });

  it.each(['POST', 'PUT', 'DELETE'])('need a key for %s', async (method) => {
    expect((await fetch(`${own.url}${link}`, { method })).status).toBe(401);
    expect(own.services.extraction.seen).toEqual([]);
  });
});
