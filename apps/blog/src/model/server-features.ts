import type { OptionalParameter } from './failures.js';
import { type AnswerFormat, formatAfter } from './structured-answer.js';

/** How long it is remembered what a server does not know. */
const rememberedMs = 24 * 60 * 60 * 1000;

export interface Features {
  format: AnswerFormat;
  /** Whether the server knows `max_completion_tokens`; older ones know `max_tokens`. */
  knowsCompletionTokens: boolean;
  /** Whether the server sends the usage of a stream when it is asked to. */
  knowsStreamOptions: boolean;
}

/** What the server of each model turned out not to know, for a day: then it is asked anew, since it may have been updated. */
export class ServerFeatures {
  private readonly byModel = new Map<string, { features: Features; until: number }>();

  /** @param configured a format that is used whatever the server says; `auto` begins with the strictest one */
  constructor(private readonly configured: AnswerFormat | 'auto') {}

  of(model: string, now: Date): Features {
    const known = this.byModel.get(model);
    if (known && known.until > now.getTime()) return known.features;
    return { format: this.configured === 'auto' ? 'json_schema' : this.configured, knowsCompletionTokens: true, knowsStreamOptions: true };
  }

  /** Remembers that the server does not know a parameter. @returns false when it was not sent, or nothing can take its place */
  stepDown(model: string, parameter: OptionalParameter, now: Date): boolean {
    const features = this.of(model, now);
    const less = this.without(features, parameter);
    if (less === null) return false;
    this.byModel.set(model, { features: less, until: now.getTime() + rememberedMs });
    return true;
  }

  private without(features: Features, parameter: OptionalParameter): Features | null {
    switch (parameter) {
      case 'response_format': {
        const next = this.configured === 'auto' ? formatAfter(features.format) : null;
        return next && { ...features, format: next };
      }
      case 'max_completion_tokens':
        return features.knowsCompletionTokens ? { ...features, knowsCompletionTokens: false } : null;
      case 'stream_options':
        return features.knowsStreamOptions ? { ...features, knowsStreamOptions: false } : null;
    }
  }
}
