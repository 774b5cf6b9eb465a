import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** The body is larger than allowed, although `content-length` declared less or nothing. */
export class BodyTooLargeError extends Error {}
/** The client sends below the minimum rate. */
export class BodyTooSlowError extends Error {}
/** The client disconnected before the end of the body. */
export class BodyAbortedError extends Error {}

export interface MinimumRate {
  /** Time before the rate is enforced. */
  graceMs: number;
  bytesPerSecond: number;
}

/** A megabyte may take about two and a half minutes. Slower clients would hold a connection to a service for too long. */
const defaultMinimumRate: MinimumRate = { graceMs: 15_000, bytesPerSecond: 8 * 1024 };
const rateCheckMs = 1_000;

export interface RequestBodyOptions {
  maxBytes: number;
  /** Called for every chunk. */
  onProgress: () => void;
  minimumRate?: MinimumRate | undefined;
}

/** The bytes that `content-length` declares; undefined without the header. */
export function declaredLength(request: Pick<IncomingMessage, 'headers'>): number | undefined {
  const { 'content-length': length } = request.headers;
  return length === undefined ? undefined : Number(length);
}

/** Whether a body follows the headers of a request. */
export function hasBody(request: Pick<IncomingMessage, 'headers'>): boolean {
  return request.headers['transfer-encoding'] !== undefined || (declaredLength(request) ?? 0) > 0;
}

/**
 * The body of a client's request on its way to a service. It is read only as fast as the service takes it, so it is never held in memory here. The
 * stream fails when the body is too large, too slow or aborted.
 */
export class RequestBody {
  private received = 0;
  private started = false;

  constructor(
    private readonly request: IncomingMessage,
    private readonly options: RequestBodyOptions,
  ) {}

  /** Whether reading has begun. Then the body cannot be sent a second time. */
  get isStarted(): boolean {
    return this.started;
  }

  /** A stream of the body. Another one may be created as long as none was read. */
  stream(): Readable {
    const { request } = this;
    const { graceMs, bytesPerSecond } = this.options.minimumRate ?? defaultMinimumRate;
    // Only time in which the service waits for the client counts, not time in which the service is busy.
    let [waitedMs, waitingSince] = [0, undefined as number | undefined];
    let isAttached = false;
    const stopWaiting = () => {
      if (waitingSince !== undefined) waitedMs += performance.now() - waitingSince;
      waitingSince = undefined;
    };
    const onData = (chunk: Buffer) => {
      this.received += chunk.length;
      this.options.onProgress();
      if (this.received > this.options.maxBytes) return void body.destroy(new BodyTooLargeError());
      if (body.push(chunk)) return;
      request.pause();
      stopWaiting();
    };
    const onEnd = () => {
      stopWaiting();
      body.push(null);
    };
    const onClose = () => {
      if (!request.complete) body.destroy(new BodyAbortedError());
    };
    let rateCheck: NodeJS.Timeout | undefined;
    const checkRate = () => {
      const spentMs = waitedMs + (waitingSince === undefined ? 0 : performance.now() - waitingSince);
      if (spentMs > graceMs + (this.received / bytesPerSecond) * 1_000) body.destroy(new BodyTooSlowError());
    };
    const attach = () => {
      isAttached = this.started = true;
      rateCheck = setInterval(checkRate, rateCheckMs).unref();
      request.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
      if (request.destroyed) onClose();
    };
    const body = new Readable({
      read: () => {
        waitingSince ??= performance.now();
        if (!isAttached) attach();
        request.resume();
      },
      destroy: (error, done) => {
        clearInterval(rateCheck);
        request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
        request.pause(); // nothing reads the rest
        done(error);
      },
    });
    return body;
  }
}
