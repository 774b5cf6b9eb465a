/** Why the provider cannot be used until an operator acts: nothing is configured, no money is left, the key is refused, the model is unknown. */
export type ProviderDownCause = 'not_configured' | 'quota' | 'key' | 'model';

/** The provider refuses every call; runs wait until an operator has acted. */
export class ProviderDownError extends Error {
  override readonly name = 'ProviderDownError';
  constructor(
    readonly why: ProviderDownCause,
    message: string,
  ) {
    super(message);
  }
}

/** The provider failed several times in a row and may work again later. */
export class ProviderBusyError extends Error {
  override readonly name = 'ProviderBusyError';
  constructor(
    message: string,
    /** How long the provider asked to wait; null when it did not say. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/** The provider refuses this request, and would refuse it again (too long, a parameter that it does not know). */
export class RequestRefusedError extends Error {
  override readonly name = 'RequestRefusedError';
}

/** The model answers with something that does not fit the asked shape, again and again. */
export class BadAnswerError extends Error {
  override readonly name = 'BadAnswerError';
}

/** The model's answer was cut at its limit, also after it was asked for a shorter one. */
export class CutAnswerError extends Error {
  override readonly name = 'CutAnswerError';
}

/** The provider does not write about this topic: a content filter, or a refusal of the model. */
export class RefusedTopicError extends Error {
  override readonly name = 'RefusedTopicError';
}

/** A limit of tokens is reached; no call is made. */
export class BudgetReachedError extends Error {
  override readonly name = 'BudgetReachedError';
  constructor(
    /** `month`: of the owner; `day`: of everybody; `article`: of this article. */
    readonly scope: 'month' | 'day' | 'article',
    /** When there are tokens again; null for `article`. */
    readonly until: Date | null,
  ) {
    super(`the limit of tokens is reached: ${scope}`);
  }
}
