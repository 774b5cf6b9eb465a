import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { eventually } from '@decola/testing';
import { type TestModel, testModel } from './support/model.js';

let model: TestModel;
beforeAll(async () => {
  model = await testModel();
});
afterAll(() => model?.stop());
beforeEach(() => model.control('POST', 'reset'));

const messages = [
  { role: 'system' as const, content: 'Escreva em português.' },
  { role: 'user' as const, content: `Dados: ${JSON.stringify({ focusKeyword: 'engajamento no feed', words: { min: 900, max: 1400 } })}` },
];
const order = { model: 'sandbox-text', messages };

const topics = z.object({
  topics: z.array(
    z.object({ title: z.string(), focusKeyword: z.string(), intent: z.enum(['informativa', 'compra']), why: z.string().nullable() }),
  ),
});

describe('a chat completion', () => {
  it('is an article in Markdown, with its usage', async () => {
    const { choices, usage, object, model: name } = await model.openai.chat.completions.create(order);
    expect({ object, name }).toEqual({ object: 'chat.completion', name: 'sandbox-text' });
    const [{ message, finish_reason: reason }] = choices as [OpenAI.ChatCompletion.Choice];
    expect(reason).toBe('stop');
    const words = message.content!.split(/\s+/).length;
    expect(words).toBeGreaterThan(900);
    expect(words).toBeLessThan(1400);
    expect(message.content!.split('\n\n')[0]!.toLowerCase()).toContain('engajamento no feed');
    expect(usage!.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens);
    expect(usage!.completion_tokens).toBe(Math.ceil(message.content!.length / 4));
  });

  it('is the same for the same request, and another one for another', async () => {
    const textFor = async (content: string) =>
      (await model.openai.chat.completions.create({ ...order, messages: [{ role: 'user', content }] })).choices[0]!.message.content;
    expect(await textFor('Tema: vendas')).toBe(await textFor('Tema: vendas'));
    expect(await textFor('Tema: vendas')).not.toBe(await textFor('Tema: vendas locais'));
  });

  it('has the wanted shape when it is structured', async () => {
    const completion = await model.openai.chat.completions.parse({ ...order, response_format: zodResponseFormat(topics, 'topics') });
    const parsed = completion.choices[0]!.message.parsed!;
    expect(parsed.topics).toHaveLength(5);
    expect(parsed.topics[0]!.focusKeyword).toContain('engajamento');
  });

  it.each(['json_object', 'text'] as const)('has the shape of a schema in the messages as %s', async (type) => {
    const schema = z.toJSONSchema(topics);
    const completion = await model.openai.chat.completions.create({
      ...order,
      messages: [...messages, { role: 'user', content: `Responda em JSON conforme ${JSON.stringify(schema)}` }],
      response_format: { type },
    });
    expect(topics.parse(JSON.parse(completion.choices[0]!.message.content!)).topics).toHaveLength(5);
  });

  it('ends at its limit of tokens', async () => {
    const { choices, usage } = await model.openai.chat.completions.create({ ...order, max_completion_tokens: 50 });
    expect(choices[0]!.finish_reason).toBe('length');
    expect(usage!.completion_tokens).toBe(50);
  });
});

describe('a stream', () => {
  it('is the same text in pieces, with the usage last', async () => {
    const whole = await model.openai.chat.completions.create(order);
    const stream = await model.openai.chat.completions.create({ ...order, stream: true, stream_options: { include_usage: true } });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(whole.choices[0]!.message.content);
    expect(chunks.length).toBeGreaterThan(100);
    expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it('has no usage when the client did not ask for it', async () => {
    const stream = await model.openai.chat.completions.create({ ...order, stream: true });
    for await (const chunk of stream) expect(chunk.usage).toBeUndefined();
  });

  it('works with the client’s own helper', async () => {
    const final = await model.openai.chat.completions.stream(order).finalChatCompletion();
    expect(final.choices[0]!.message.content!.length).toBeGreaterThan(4_000);
  });

  it('is written at the speed that was set, and the ledger knows when the client goes away', async () => {
    await model.control('PATCH', 'settings', { tokensPerSecond: 400 });
    const stream = await model.openai.chat.completions.create({ ...order, stream: true });
    let pieces = 0;
    for await (const _ of stream) if ((pieces += 1) === 5) break;
    await eventually(async () => {
      const [entry] = await model.requests();
      expect(entry).toMatchObject({ outcome: 'aborted', isStreamed: true });
      expect(entry!.usage!.completionTokens).toBeLessThan(400);
    });
  });
});

describe('a request that OpenAI refuses', () => {
  const refusal = (more: object) =>
    model.openai.chat.completions.create({ ...order, ...more }).then(
      () => undefined,
      (error: unknown) => error,
    );

  it.each([
    ['a parameter of other models', { temperature: 0.5 }, 'unsupported_parameter', 'temperature'],
    ['the old limit of tokens', { max_tokens: 10 }, 'unsupported_parameter', 'max_tokens'],
    ['an unknown parameter', { top_k: 3 }, 'unknown_parameter', 'top_k'],
    [
      'JSON that the messages do not mention',
      { response_format: { type: 'json_object' }, messages: [{ role: 'user', content: 'Oi' }] },
      null,
      'messages',
    ],
    ['messages of an unknown role', { messages: [{ role: 'chefe', content: 'Oi' }] }, 'invalid_value', 'messages.0.role'],
  ])('%s', async (_, more, code, param) => {
    const error = await refusal(more);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ status: 400, code, param });
  });

  it('a strict schema with members that may be missing', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: [], additionalProperties: false };
    expect(await refusal({ response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } } })).toMatchObject({
      status: 400,
      message: expect.stringContaining("Missing 'a'"),
    });
  });

  it('a model that is not there, and a key that is not for stand-ins', async () => {
    expect(await refusal({ model: 'gpt-9' })).toMatchObject({ status: 404, code: 'model_not_found' });
    const real = model.clientWith({ apiKey: 'sk-proj-real' });
    await expect(real.chat.completions.create(order)).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it('a body that is no JSON, and an unknown address', async () => {
    const headers = { authorization: 'Bearer sandbox-test', 'content-type': 'application/json' };
    const broken = await fetch(`${model.url}/v1/chat/completions`, { method: 'POST', headers, body: '{"model":' });
    expect([broken.status, await broken.json()]).toMatchObject([400, { error: { type: 'invalid_request_error' } }]);
    const unknown = await fetch(`${model.url}/v1/responses`, { method: 'POST', headers, body: '{}' });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { message: 'Invalid URL (POST /v1/responses)' } }]);
  });

  it('what other servers do not know, once that is set', async () => {
    await model.control('PATCH', 'settings', { refusedParameters: ['max_completion_tokens', 'stream_options'], responseFormats: ['text'] });
    expect(await refusal({ max_completion_tokens: 10 })).toMatchObject({ status: 400, param: 'max_completion_tokens' });
    expect(await refusal({ stream: true, stream_options: { include_usage: true } })).toMatchObject({ param: 'stream_options' });
    expect(await refusal({ response_format: zodResponseFormat(topics, 'topics') })).toMatchObject({ param: 'response_format' });
    expect(await refusal({ max_tokens: 10 })).toBeUndefined();
  });
});

describe('the list of models', () => {
  it('has the three models', async () => {
    const ids: string[] = [];
    for await (const { id } of model.openai.models.list()) ids.push(id);
    expect(ids).toEqual(['sandbox-text', 'sandbox-review', 'sandbox-image']);
    expect(await model.openai.models.retrieve('sandbox-text')).toMatchObject({ object: 'model' });
    await expect(model.openai.models.retrieve('x')).rejects.toMatchObject({ status: 404 });
  });
});
