import sharp from 'sharp';
import { type TestModel, testModel } from './support/model.js';

let model: TestModel;
beforeAll(async () => {
  model = await testModel();
});
afterAll(() => model?.stop());
beforeEach(() => model.control('POST', 'reset'));

const order = { model: 'sandbox-image', prompt: 'Uma mesa de trabalho', size: '1536x1024' as const };
const sizeOf = async (bytes: Buffer) => {
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
};

it('makes a picture of the wanted size, the same for the same words', async () => {
  const { data, usage } = await model.openai.images.generate(order);
  const bytes = Buffer.from(data![0]!.b64_json!, 'base64');
  expect(await sizeOf(bytes)).toEqual({ format: 'png', width: 1536, height: 1024 });
  expect(usage!.total_tokens).toBe(usage!.input_tokens + usage!.output_tokens);
  const again = await model.openai.images.generate(order);
  expect(again.data![0]!.b64_json).toBe(data![0]!.b64_json);
  const other = await model.openai.images.generate({ ...order, prompt: 'Outra mesa' });
  expect(other.data![0]!.b64_json).not.toBe(data![0]!.b64_json);
});

it('sends an address instead when a fault or the client wants it', async () => {
  await model.fault('image-url');
  for (const more of [{}, { response_format: 'url' as const }]) {
    const { data } = await model.openai.images.generate({ ...order, ...more });
    expect(data![0]!.b64_json).toBeUndefined();
    const answer = await fetch(data![0]!.url!);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(await sizeOf(Buffer.from(await answer.arrayBuffer()))).toMatchObject({ width: 1536 });
  }
  expect((await fetch(`${model.url}/pictures/1536x1024/nada.png`)).status).toBe(404);
});

it('sends bytes that are no whole picture when a fault orders it', async () => {
  await model.fault('broken-image');
  const { data } = await model.openai.images.generate(order);
  await expect(sharp(Buffer.from(data![0]!.b64_json!, 'base64')).stats()).rejects.toThrow();
});

it('refuses as OpenAI does', async () => {
  await model.fault('content-filter-400', { call: 'image' });
  await expect(model.openai.images.generate(order)).rejects.toMatchObject({ status: 400, code: 'moderation_blocked' });
  await expect(model.openai.images.generate({ ...order, size: '3x3' })).rejects.toMatchObject({ status: 400, param: 'size' });
  await expect(model.openai.images.generate({ ...order, model: 'dall-e-1' })).rejects.toMatchObject({ status: 404 });
});
