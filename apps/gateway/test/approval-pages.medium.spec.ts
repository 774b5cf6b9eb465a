import type { ApprovalAnswer } from '@decola/contracts';
import type { Answer, GatewayBench, Seen } from './support.js';
import { gatewayBench } from './support.js';

const token = 'Vq7TkWm3PzR8sYbN1cXd5fGh2jKl4mQw6eRt9yUi0oA';
const open: ApprovalAnswer = {
  state: 'open',
  article: {
    title: 'Torra clara',
    contentHtml: '<p>Sobe 12 %.</p>',
    excerpt: '',
    category: null,
    tags: [],
    image: null,
    claims: [{ quote: '12 %', verdict: 'invented' }],
    siteKey: 'cafedalia.example',
    publishMode: 'publish',
  },
  reason: null,
  until: '2026-11-27T12:00:00.000Z',
  canChange: true,
  nonce: 'the-nonce',
};
const json = (body: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('the page of approval', () => {
  let bench: GatewayBench;
  beforeAll(async () => {
    bench = await gatewayBench();
  });
  afterAll(() => bench?.dispose());
  let shown: ApprovalAnswer;
  let decided: Answer;
  beforeEach(() => {
    bench.reset();
    shown = open;
    decided = json({ success: true });
    bench.services.blog.answer = ({ method, url }: Seen) => {
      if (!url.startsWith('/internal/site/approval/')) return { status: 500, body: '{}' };
      return method === 'POST' ? decided : json(shown);
    };
  });

  const address = `/aprovar/${token}`;
  const get = async (path = address, init: RequestInit = {}) => {
    const answer = await fetch(`${bench.url}${path}`, { redirect: 'manual', ...init });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const send = (fields: Record<string, string>, path = address) => get(path, { method: 'POST', body: new URLSearchParams(fields) });
  const asked = () => bench.services.blog.seen.map(({ method, url, body }) => `${method} ${url} ${body.toString()}`.trim());
  const ask = `GET /internal/site/approval/${token}`;

  it('is rendered with what blog answers; it is kept, indexed and told nowhere, and runs no script', async () => {
    const { status, headers, text } = await get();
    expect([status, headers.get('cache-control'), headers.get('x-robots-tag'), headers.get('referrer-policy')]).toEqual([
      200,
      'no-store',
      'noindex, nofollow',
      'no-referrer',
    ]);
    expect(headers.get('content-security-policy')).toContain(`form-action 'self'`);
    expect(text).toContain(`<h1>answer open</h1><p>${address}</p>`);
    expect(text).toContain('<title>Torra clara · Decola</title>');
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).not.toContain('<script');
    expect(asked()).toEqual([ask]);
  });

  it('decides nothing when it is read, however often and by whom', async () => {
    await get();
    await get(address, { method: 'HEAD' });
    await get(`${address}/`, { headers: { 'user-agent': 'SafeLinks' } });
    expect(asked()).toEqual([ask, ask, ask]);
  });

  it.each([
    ['decided', { state: 'decided', title: 'T', decision: 'approve' }, 200],
    ['expired', { state: 'expired', title: 'T' }, 410],
    ['unknown', { state: 'unknown' }, 404],
  ] as const)('says that a link is %s', async (state, answer, status) => {
    shown = answer;
    const page = await get();
    expect(page.status).toBe(status);
    expect(page.text).toContain(`<h1>answer ${state}</h1>`);
    expect(page.text).toContain('<title>Aprovar artigo · Decola</title>');
  });

  it('asks nobody about an address that cannot be a token', async () => {
    for (const path of ['/aprovar/curto', `/aprovar/${'a'.repeat(300)}`, '/aprovar/um%20texto%20com%20espa%C3%A7os']) {
      const page = await get(path);
      expect([page.status, page.text.includes('answer unknown')]).toEqual([404, true]);
      expect((await send({ decision: 'approve', nonce: 'n' }, path)).status).toBe(404);
    }
    expect(asked()).toEqual([]);
  });

  it('tells blog a decision once, and shows the page again', async () => {
    const answer = await send({ decision: 'change', nonce: 'the-nonce', note: 'Tire o número.' });
    expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([303, address, 'no-store']);
    expect(asked()).toEqual([
      `POST /internal/site/approval/${token} ${JSON.stringify({ decision: 'change', nonce: 'the-nonce', note: 'Tire o número.' })}`,
    ]);
  });

  it('shows why a decision was refused, with what was typed', async () => {
    decided = json({ success: false, error: 'Diga o que <mudar>.' });
    const page = await send({ decision: 'change', nonce: 'old', note: 'x' });
    expect(page.status).toBe(422);
    expect(page.text).toContain(JSON.stringify({ decision: 'change', note: 'x', error: 'Diga o que &lt;mudar>.' }));
  });

  it('shows what was decided meanwhile instead of a refusal', async () => {
    decided = json({ success: false, error: 'Já decidido.' });
    shown = { state: 'decided', title: 'T', decision: 'reject' };
    const page = await send({ decision: 'approve', nonce: 'old' });
    expect([page.status, page.text.includes('answer decided'), page.text.includes('Já decidido')]).toEqual([200, true, false]);
  });

  it.each([
    ['without a nonce', { body: new URLSearchParams({ decision: 'approve' }) }],
    ['with another decision', { body: new URLSearchParams({ decision: 'delete', nonce: 'n' }) }],
    ['as JSON', { body: JSON.stringify({ decision: 'approve', nonce: 'n' }), headers: { 'content-type': 'application/json' } }],
    ['that is too large', { body: new URLSearchParams({ decision: 'change', nonce: 'n', note: 'x'.repeat(40_000) }) }],
    ['without a body', {}],
  ] as const)('decides nothing by a form %s', async (_, init) => {
    const answer = await get(address, { method: 'POST', ...init });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, address]);
    expect(asked()).toEqual([]);
  });

  it('says that nothing was decided when blog does not answer as it should', async () => {
    decided = json({ message: 'broken' }, 500);
    const refused = await send({ decision: 'approve', nonce: 'the-nonce' });
    expect([refused.status, refused.text.includes('<h1>failed </h1>')]).toEqual([503, true]);
    bench.services.blog.answer = () => ({ status: 502, body: 'x' });
    expect((await get()).status).toBe(503);
  });

  it('takes no decision at any other address of the site', async () => {
    for (const path of ['/aprovar', `/aprovar/${token}/mais`, '/adm']) {
      expect((await send({ decision: 'approve', nonce: 'n' }, path)).status).toBe(404);
    }
    expect(asked()).toEqual([]);
  });
});
