import { ArgumentsHost, Catch, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from 'nestjs-pino';
import { AppError } from './errors.js';
import { toWireError } from './wire-errors.js';

/** Answers every thrown value in the wire form of its API; refusals are warnings, the rest are errors with their stack. */
@Catch()
export class WireErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { status, headers, body } = toWireError(error, request.url, { ...request.headers, 'x-request-id': request.id });
    if (error instanceof AppError) this.logger.warn({ code: error.code, status, method: request.method, path: pathOf(request) }, 'refused');
    else if (status >= 500) this.logger.error({ err: error, status, method: request.method, path: pathOf(request) }, 'request failed');
    if (reply.sent) return;
    void reply.status(status).headers(headers).header('content-type', 'application/json; charset=utf-8').send(body);
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
