import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pictureOf, type Size, sizes } from '../pictures/picture.js';
import type { LedgerEntry } from '../state/ledger.js';
import type { ModelState } from '../state/model-state.js';
import { requireKey, requireModel } from './access.js';
import { tokensOf } from './compose.js';
import { meetFault, recordedCall } from './recorded-call.js';
import { imageRequest } from './requests.js';
import { Sending } from './sending.js';

/** What OpenAI counts for a picture of this size, about. */
const imageTokens = 1_056;
const usualSize: Size = '1024x1024';

/** `POST /v1/images/generations`, and the addresses of pictures that are not sent along. */
export function images(app: FastifyInstance, state: ModelState): void {
  app.post<{ Body: Record<string, unknown> }>('/v1/images/generations', (request, reply) =>
    recordedCall(state, request, { call: 'image', schemaName: null, isStreamed: false }, (entry) =>
      answer(state, request, reply, request.body ?? {}, entry),
    ),
  );

  // Everything about the picture is in its address, so nothing needs to be stored.
  app.get<{ Params: { size: string; name: string } }>('/pictures/:size/:name', (request, reply) => {
    const size = sizes.find((each) => each === request.params.size);
    const seed = /^([\da-f]{16})\.png$/.exec(request.params.name)?.[1];
    if (!size || !seed) return reply.callNotFound();
    return reply.type('image/png').send(pictureOf(size, seed));
  });
}

async function answer(
  state: ModelState,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Record<string, unknown>,
  entry: LedgerEntry,
): Promise<FastifyReply> {
  requireKey(request);
  const { model, prompt, n, size: wanted, response_format: format } = imageRequest.parse(body);
  requireModel(model ?? '');
  const met = meetFault(state, 'image', body, reply, entry);
  if (!met) return reply;
  const { fault, sending } = met;

  const size = wanted && wanted !== 'auto' ? wanted : usualSize;
  const usage = { promptTokens: tokensOf(prompt), completionTokens: imageTokens * (n ?? 1) };
  entry.usage = usage;
  const seedOf = (index: number) =>
    createHash('sha256')
      .update(JSON.stringify([state.seed, prompt, index]))
      .digest('hex')
      .slice(0, 16);
  const isByAddress = fault?.kind === 'image-url' || format === 'url';
  const data = Array.from({ length: n ?? 1 }, (_, index) => {
    const seed = seedOf(index);
    if (isByAddress) return { url: `${request.protocol}://${request.host}/pictures/${size}/${seed}.png`, revised_prompt: prompt };
    const bytes = pictureOf(size, seed);
    return { b64_json: (fault?.kind === 'broken-image' ? bytes.subarray(0, 200) : bytes).toString('base64') };
  });
  const text = JSON.stringify({
    created: Math.floor(Date.now() / 1_000),
    size,
    output_format: 'png',
    data,
    ...(fault?.kind === 'no-usage'
      ? {}
      : {
          usage: {
            input_tokens: usage.promptTokens,
            output_tokens: usage.completionTokens,
            total_tokens: usage.promptTokens + usage.completionTokens,
            input_tokens_details: { text_tokens: usage.promptTokens, image_tokens: 0 },
          },
        }),
  });
  await Sending.watching(entry, async () => {
    await sending.waitFirst();
    const pieces = text.match(/[\s\S]{1,65536}/g) ?? [];
    await sending.send({ 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }, pieces, () =>
      Promise.resolve(),
    );
  });
  return reply;
}
