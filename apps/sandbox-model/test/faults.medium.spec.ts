import { readFileSync } from 'node:fs';
import path from 'node:path';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { eventually } from '@decola/testing';
import { faultKinds } from '../src/state/fault-kinds.js';
import { type TestModel, testModel } from './support/model.js';

let model: TestModel;
beforeAll(async () => {
  model = await testModel();
});
afterAll(() => model?.stop());
beforeEach(() => model.control('POST', 'reset'));

const order = { model: 'sandbox-text', messages: [{ role: 'user' as const, content: '{"focusKeyword": "vendas online"}' }] };
const shape = z.object({ title: z.string(), tags: z.array(z.string()) });
const structured = { ...order, response_format: zodResponseFormat(shape, 'plan') };
const call = (more: object = {}) => model.openai.chat.completions.create({ ...order, ...more });
const choice = async (more: object = {}) => {
  const completion: OpenAI.ChatCompletion = await model.openai.chat.completions.create({ ...order, ...more, stream: false });
  return { ...completion.choices[0]!, usage: completion.usage };
};
const isWhole = async () => (await choice()).finish_reason === 'stop';

/** Reads a stream to its end. @returns the text so far, and the error that ended it. */
async function read(signal?: AbortSignal): Promise<{ text: string; finish: string | null; error?: unknown }> {
  let [text, finish] = ['', null as string | null];
  try {
    for await (const chunk of await model.openai.chat.completions.create({ ...order, stream: true }, { signal })) {
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    return { text, finish };
  } catch (error) {
    return { text, finish, error };
  }
}

describe('instead of an answer', () => {
  it.each([
    ['rate-limit', OpenAI.RateLimitError, { status: 429, code: 'rate_limit_exceeded' }],
    ['quota', OpenAI.RateLimitError, { status: 429, code: 'insufficient_quota' }],
    ['unauthorized', OpenAI.AuthenticationError, { status: 401, code: 'invalid_api_key' }],
    ['forbidden', OpenAI.PermissionDeniedError, { status: 403 }],
    ['no-model', OpenAI.NotFoundError, { status: 404, code: 'model_not_found' }],
    ['server-error', OpenAI.InternalServerError, { status: 500 }],
    ['html-502', OpenAI.InternalServerError, { status: 502 }],
    ['content-filter-400', OpenAI.BadRequestError, { status: 400, code: 'content_filter' }],
    ['reset', OpenAI.APIConnectionError, {}],
  ] as const)('%s', async (kind, type, facts) => {
    await model.fault(kind);
    const error = await call().then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject(facts);
    // It hits as often as ordered, here once.
    expect(await isWhole()).toBe(true);
    expect((await model.requests()).map(({ fault, usage }) => [fault, usage !== null])).toEqual([
      [kind, false],
      [null, true],
    ]);
  });

  it('a page with status 200, which the client takes for an answer', async () => {
    await model.fault('html-200');
    expect(await call()).toEqual(expect.stringContaining('<!doctype html>'));
  });

  it('says when to come again', async () => {
    await model.fault('rate-limit', { retryAfterSeconds: 7 });
    const error = (await call().catch((caught: unknown) => caught)) as InstanceType<typeof OpenAI.RateLimitError>;
    expect(error.headers.get('retry-after')).toBe('7');
  });

  it('a parameter that is refused once', async () => {
    await model.fault('refused-parameter', { parameter: 'response_format' });
    await expect(model.openai.chat.completions.create(structured)).rejects.toMatchObject({ status: 400, param: 'response_format' });
    expect(await isWhole()).toBe(true);
  });

  it('silence, until the client gives up', async () => {
    await model.fault('silence');
    await expect(model.clientWith({ timeout: 300 }).chat.completions.create(order)).rejects.toBeInstanceOf(OpenAI.APIConnectionError);
    await eventually(async () => expect((await model.requests())[0]).toMatchObject({ outcome: 'aborted', fault: 'silence', usage: null }));
    await model.fault('silence', { delayMs: 200 });
    const before = performance.now();
    expect(await isWhole()).toBe(true);
    expect(performance.now() - before).toBeGreaterThan(190);
  });

  it('silence, until it is released', async () => {
    await model.fault('silence');
    const answer = isWhole();
    await eventually(async () => expect((await model.requests())[0]).toMatchObject({ outcome: 'pending', fault: 'silence' }));
    await model.control('POST', 'release');
    expect(await answer).toBe(true);
  });
});

describe('in the answer', () => {
  it('the content filter, a refusal, a cut at the limit', async () => {
    await model.fault('content-filter');
    expect((await choice()).finish_reason).toBe('content_filter');
    await model.fault('refusal');
    expect((await choice()).message).toMatchObject({ content: null, refusal: expect.stringContaining('não posso') });
    await model.fault('length');
    expect((await choice()).finish_reason).toBe('length');
  });

  it('JSON that is broken, cut, of another shape, or within words', async () => {
    const contentWith = async (kind: string) => {
      await model.fault(kind);
      return (await choice(structured)).message.content!;
    };
    const parsed = (text: string) => shape.safeParse(JSON.parse(text)).success;
    expect(parsed((await choice(structured)).message.content!)).toBe(true);
    const [bad, cut] = [await contentWith('bad-json'), await contentWith('cut-json')];
    expect(() => parsed(bad)).toThrow(SyntaxError);
    expect(() => parsed(cut)).toThrow(SyntaxError);
    expect(parsed(await contentWith('wrong-json'))).toBe(false);
    const fenced = await contentWith('fenced-json');
    expect(fenced).toMatch(/^<think>[\s\S]*```json\n\{[\s\S]*\}\n```$/);
    expect(parsed(fenced.slice(fenced.indexOf('{'), fenced.lastIndexOf('}') + 1))).toBe(true);
    expect(await contentWith('empty-answer')).toBe('');
  });

  it('no usage, whole or streamed', async () => {
    await model.fault('no-usage', { times: 2 });
    expect((await choice()).usage).toBeUndefined();
    const stream = await model.openai.chat.completions.create({ ...order, stream: true, stream_options: { include_usage: true } });
    for await (const chunk of stream) expect(chunk.usage ?? null).toBeNull();
  });

  it('invented figures and injected markup', async () => {
    await model.fault('invented-statistics');
    expect((await choice()).message.content).toMatch(/Segundo o Instituto Panorama, 73% [\s\S]*3 em cada 4[\s\S]*R\$ 250/);
    await model.fault('injection', { times: 2 });
    expect((await choice()).message.content).toMatch(/<script>[\s\S]*onerror[\s\S]*javascript:[\s\S]*golpe\.example/);
    const plan = shape.parse(JSON.parse((await choice(structured)).message.content!));
    expect(plan.title).toContain('<script>');
  });
});

describe('while it is sent', () => {
  it.each(['cut-connection', 'stall'] as const)('%s: a part of the text arrives', async (kind) => {
    const whole = await read();
    await model.fault(kind);
    const { text, finish } = await read(kind === 'stall' ? AbortSignal.timeout(400) : undefined);
    expect(finish).toBeNull();
    expect(text.length).toBeGreaterThan(1_000);
    expect(whole.text.startsWith(text)).toBe(true);
    expect(text.length).toBeLessThan(whole.text.length);
    await eventually(async () => expect((await model.requests()).at(-1)!.outcome).toBe(kind === 'stall' ? 'aborted' : 'broken'));
  });

  it('a cut body of an answer in one piece', async () => {
    await model.fault('cut-connection');
    await expect(call()).rejects.toThrow();
  });

  it('drip: slowly, but whole', async () => {
    const whole = await read();
    await model.fault('drip', { delayMs: 1 });
    const before = performance.now();
    expect((await read()).text).toBe(whole.text);
    expect(performance.now() - before).toBeGreaterThan(400);
  });
});

it('hits only the requests that it names', async () => {
  await model.fault('server-error', { call: 'chat', match: '"name":"plan"', times: null });
  expect(await isWhole()).toBe(true);
  await expect(model.openai.chat.completions.create(structured)).rejects.toMatchObject({ status: 500 });
  await model.control('DELETE', 'faults');
  await expect(model.openai.chat.completions.create(structured)).resolves.toBeDefined();
});

it('refuses faults and settings that do not exist', async () => {
  expect(await model.fault('earthquake')).toMatchObject({ error: { param: 'kind' } });
  expect(await model.control('PATCH', 'settings', { speed: 1 })).toMatchObject({ error: { type: 'invalid_request_error' } });
});

it('notes keys of repetition and what was said', async () => {
  await model.openai.chat.completions.create(order, { headers: { 'idempotency-key': 'k1' } });
  expect((await model.requests())[0]).toMatchObject({
    call: 'chat',
    model: 'sandbox-text',
    idempotencyKey: 'k1',
    outcome: 'answered',
    status: 200,
    body: order,
  });
});

it('describes every fault in the README', () => {
  const readme = readFileSync(path.resolve(__dirname, '../README.md'), 'utf8');
  expect(faultKinds.filter((kind) => !readme.includes(`\`${kind}\``))).toEqual([]);
});
