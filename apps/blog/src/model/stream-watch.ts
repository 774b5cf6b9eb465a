/** Limits of a call, in ms: until the first byte, between two bytes, and until the last one. */
export interface CallTimeouts {
  firstByteMs: number;
  silenceMs: number;
  totalMs: number;
}

type Fetch = typeof globalThis.fetch;

/** Ends a call that begins too late, falls silent or takes too long. Bytes count, not words: servers send comments while a model thinks. */
export class StreamWatch {
  private readonly controller = new AbortController();
  private readonly total: NodeJS.Timeout;
  private silence: NodeJS.Timeout;

  constructor(
    private readonly timeouts: CallTimeouts,
    private readonly outer?: AbortSignal,
  ) {
    this.total = setTimeout(() => this.end('took too long'), timeouts.totalMs);
    this.silence = setTimeout(() => this.end('did not begin to answer'), timeouts.firstByteMs);
    outer?.addEventListener('abort', this.onOuterAbort, { once: true });
    if (outer?.aborted) this.onOuterAbort();
  }

  private readonly onOuterAbort = () => this.controller.abort(this.outer?.reason);

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why the call was ended; undefined while it was not. */
  get reason(): unknown {
    return this.signal.reason as unknown;
  }

  /** `fetch` that notes every byte of the answer. */
  readonly fetch: Fetch = async (input, init) => {
    const response = await globalThis.fetch(input, init);
    this.noteByte();
    if (!response.body) return response;
    const noting = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.noteByte();
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(noting), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };

  stop(): void {
    clearTimeout(this.total);
    clearTimeout(this.silence);
    this.outer?.removeEventListener('abort', this.onOuterAbort);
  }

  private noteByte(): void {
    clearTimeout(this.silence);
    if (!this.signal.aborted) this.silence = setTimeout(() => this.end('fell silent'), this.timeouts.silenceMs);
  }

  private end(what: string): void {
    this.controller.abort(new Error(`the model ${what}`));
  }
}
