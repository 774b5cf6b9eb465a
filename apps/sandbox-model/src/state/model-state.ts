import { Faults } from './faults.js';
import { Ledger } from './ledger.js';

/** What the server is able to do. Real servers differ in each of these. */
export interface Settings {
  /** Speed of writing; 0 means at once. */
  tokensPerSecond: number;
  /** Parameters that are answered with 400. By default those that reasoning models refuse. */
  refusedParameters: string[];
  /** Accepted types of `response_format`. */
  responseFormats: ('text' | 'json_object' | 'json_schema')[];
}

export const models = ['sandbox-text', 'sandbox-review', 'sandbox-image'] as const;

/** The server's settings, faults and ledger. All of it is in memory: a model remembers nothing. */
export class ModelState {
  readonly faults = new Faults();
  readonly ledger = new Ledger();
  settings: Settings;
  private releasing = new AbortController();

  constructor(
    readonly seed: string,
    private readonly tokensPerSecond: number,
  ) {
    this.settings = this.usualSettings();
  }

  /** Aborted by the next `release`. */
  get released(): AbortSignal {
    return this.releasing.signal;
  }

  /** Lets every call be answered that a fault keeps silent. */
  release(): void {
    this.releasing.abort();
    this.releasing = new AbortController();
  }

  reset(): void {
    this.settings = this.usualSettings();
    this.faults.clear();
    this.ledger.clear();
  }

  private usualSettings(): Settings {
    return {
      tokensPerSecond: this.tokensPerSecond,
      refusedParameters: ['temperature', 'top_p', 'max_tokens'],
      responseFormats: ['text', 'json_object', 'json_schema'],
    };
  }
}
