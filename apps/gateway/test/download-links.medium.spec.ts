import { type GatewayBench, gatewayBench } from './support.js';

/** A link that a customer opens, or gives to a download manager: no key goes with it, its own token is what opens it. */
describe('download links', () => {
  let own: GatewayBench;
  beforeAll(async () => {
    own = await gatewayBench();
  });
  beforeEach(() => own.reset());
  afterAll(() => own.dispose());

  const link = '/storage/v1/object/sign/extractions/a.csv?token=x';

  it.each(['GET', 'HEAD'])('are asked for with %s by whoever holds them', async (method) => {
    own.services.extraction.answer = () => ({ headers: { 'content-type': 'text/csv' }, body: method === 'HEAD' ? '' : 'username\r\n' });
    const answer = await fetch(`${own.url}${link}`, { method });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv']);
    expect(own.services.extraction.seen.map((seen) => [seen.method, seen.url])).toEqual([[method, link]]);
    expect(own.services.extraction.seen[0]?.headers['x-decola-caller']).toEqual(expect.any(String));
  });

  it.each(['POST', 'PUT', 'DELETE'])('are for nothing else: %s needs a key', async (method) => {
    expect((await fetch(`${own.url}${link}`, { method })).status).toBe(401);
    expect(own.services.extraction.seen).toEqual([]);
  });
});
