import { ArgumentsHost, Catch, ExceptionFilter, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, UnavailableError } from './errors.js';
import { Logger } from './logger.js';
import { UnopenedEnvelopeError } from './sealer.js';
import { toWireError } from './wire-errors.js';

/** Translates errors of a dependency, such as the database, to refusals. Modules register a translation for the errors of their dependency. */
@Injectable()
export class ErrorTranslator {
  private readonly translations: ((error: unknown) => AppError | undefined)[] = [];

  /** @param translate returns undefined for an error of something else */
  register(translate: (error: unknown) => AppError | undefined): void {
    this.translations.push(translate);
  }

  /** @returns the refusal that an error stands for, or the error itself */
  translate(error: unknown): unknown {
    if (error instanceof AppError) return error;
    // Another replica may have the key, or this one after its configuration was corrected.
    if (error instanceof UnopenedEnvelopeError) return new UnavailableError();
    for (const translate of this.translations) {
      const refusal = translate(error);
      if (refusal) return refusal;
    }
    return error;
  }
}

/** Answers every thrown value in the wire form of its API. Logs refusals as warnings, and everything else as errors with their stack. */
@Catch()
export class WireErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly translator: ErrorTranslator = new ErrorTranslator(),
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw thrown;
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = this.translator.translate(thrown);
    const { status, headers, body } = toWireError(error, request.url, { ...request.headers, 'x-request-id': request.id });
    if (thrown instanceof AppError) {
      // Log the reason when the response does not contain it.
      const reason = thrown.publicMessage === undefined ? {} : { reason: thrown.message };
      this.logger.warn({ code: thrown.code, status, ...reason, method: request.method, path: pathOf(request) }, 'refused');
    } else if (status >= 500) this.logger.error({ err: thrown, status, method: request.method, path: pathOf(request) }, 'request failed');
    if (reply.sent) return;
    void reply.status(status).headers(headers).header('content-type', 'application/json; charset=utf-8').send(body);
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
