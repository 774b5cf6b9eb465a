import { context, propagation, SpanKind, trace, type Context } from '@opentelemetry/api';

/** W3C trace context of the current work; undefined when it is not traced. */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'];
}

/** Runs `work` in a span that continues the trace of the message's sender. */
export function inTrace<Result>(traceparent: string | undefined, name: string, work: () => Promise<Result>): Promise<Result> {
  const parent: Context = traceparent ? propagation.extract(context.active(), { traceparent }) : context.active();
  return trace.getTracer('decola.messaging').startActiveSpan(name, { kind: SpanKind.CONSUMER }, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      throw error;
    } finally {
      span.end();
    }
  });
}
