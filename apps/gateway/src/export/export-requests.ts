import { type Caller, Logger } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimits } from '../limits/rate-limits.js';
import * as refusals from '../refusals/refusals.js';
import { sendRefusal } from '../refusals/send-refusal.js';
import type { AccountExport } from './account-export.js';

/** Answers `POST /functions/v1/export-account` with the whole archive, or with a refusal. */
export class ExportRequests {
  constructor(
    private readonly exports: AccountExport,
    private readonly limits: RateLimits,
    private readonly logger: Logger,
  ) {}

  async handle(request: FastifyRequest, reply: FastifyReply, caller: Caller | null, clientAddress: string): Promise<void> {
    if (request.method !== 'POST') return sendRefusal(reply, refusals.postRequired);
    if (caller?.role !== 'authenticated') return sendRefusal(reply, refusals.loginRequired);
    const wait = await this.limits.countExport(caller.userId);
    if (wait !== null) return sendRefusal(reply, refusals.tooManyExports(wait));
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    try {
      const { body, bytes } = await this.exports.create({
        caller,
        clientAddress,
        userAgent: request.headers['user-agent'],
        requestId: request.id,
        signal: disconnected.signal,
      });
      await reply
        .headers({
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="decola-dados.zip"',
          'content-length': String(bytes),
          'cache-control': 'private, no-store',
        })
        .send(body);
    } catch (error) {
      await this.limits.uncountExport(caller.userId);
      if (disconnected.signal.aborted) return;
      this.logger.error({ err: error }, 'an export could not be created');
      await sendRefusal(reply, refusals.exportUnavailable);
    }
  }
}
