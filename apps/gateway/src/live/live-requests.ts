import type { Caller } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as refusals from '../refusals/refusals.js';
import { sendRefusal } from '../refusals/send-refusal.js';
import type { TokenVerifier } from '../tokens/token-verifier.js';
import type { LiveStreams } from './live-streams.js';

/** What a page with too many streams is told to wait. */
const tooManyRetrySeconds = 30;

/** Answers `GET /live/v1`. */
export class LiveRequests {
  constructor(
    private readonly streams: LiveStreams,
    private readonly tokens: TokenVerifier,
  ) {}

  /** @param token the access token by which the caller was authenticated */
  async handle(request: FastifyRequest, reply: FastifyReply, caller: Caller | null, token: string | undefined): Promise<void> {
    if (request.method !== 'GET') return sendRefusal(reply, refusals.getRequired);
    if (caller?.role !== 'authenticated' || token === undefined) return sendRefusal(reply, refusals.loginRequired);
    const stream = this.streams.add(caller.userId, { verify: () => this.tokens.verify(token), expiresAt: caller.expiresAt });
    if (stream === 'unavailable') return sendRefusal(reply, refusals.liveUnavailable);
    if (stream === 'too-many') return sendRefusal(reply, refusals.rateLimited('functions', tooManyRetrySeconds));
    await reply
      .type('text/event-stream; charset=utf-8')
      // `no-transform`: a proxy that compressed the stream would hold it back. `x-accel-buffering` says the same to nginx.
      .header('cache-control', 'no-store, no-transform')
      .header('x-accel-buffering', 'no')
      // A connection that becomes idle while the replica stops would delay the stop by its keep-alive time.
      .header('connection', 'close')
      .send(stream.body);
  }
}
