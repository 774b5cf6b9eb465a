/** Facts of a refusal that a client may read. Never secrets, never another person's data. */
export type ErrorDetails = Record<string, unknown>;

/**
 * A refusal: expected, explained and logged as a warning. Everything else that is thrown is a bug, answered as 500 without
 * its message and logged as an error.
 */
export abstract class AppError extends Error {
  /** Published machine code; never renamed. */
  abstract readonly code: string;
  /** HTTP status of the refusal. */
  abstract readonly status: number;
  /** Further response headers, such as `Retry-After`. */
  readonly headers?: Record<string, string>;

  constructor(
    message: string,
    readonly details?: ErrorDetails,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/**
 * A refusal that nobody needs to tell from others by its class: each is made by a function of its feature's `*.errors.ts`. What is caught
 * somewhere, and treated apart there, has a class of its own.
 */
export class Refusal extends AppError {
  override readonly headers?: Record<string, string>;
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    { details, headers }: { details?: ErrorDetails; headers?: Record<string, string> } = {},
  ) {
    super(message, details);
    if (headers) this.headers = headers;
  }
}

export class UnauthenticatedError extends AppError {
  readonly code = 'not_authenticated';
  readonly status = 401;
  constructor(message = 'Login necessário') {
    super(message);
  }
}

export class ForbiddenError extends AppError {
  readonly code = 'forbidden';
  readonly status = 403;
  constructor(message = 'Acesso negado') {
    super(message);
  }
}

/** The input does not fit its schema; `details.issues` lists path and message. */
export class ValidationFailedError extends AppError {
  readonly code = 'validation_failed';
  readonly status = 400;
  constructor(message: string, issues: readonly { path: string; message: string }[] = []) {
    super(message, { issues });
  }
}

export class MalformedBodyError extends AppError {
  readonly code = 'bad_json';
  readonly status = 400;
  constructor() {
    super('Empty or invalid json');
  }
}

/** The address holds bytes that are no text. */
export class UnreadableAddressError extends AppError {
  readonly code = 'bad_request';
  readonly status = 400;
  constructor() {
    super('Bad request');
  }
}

/** A consumer could not do its work yet; the message comes back after `delayMs` at the earliest. */
export class RetryLaterError extends Error {
  constructor(
    readonly delayMs: number,
    message = 'retry later',
  ) {
    super(message);
    this.name = 'RetryLaterError';
  }
}

/** A consumer can never do this; the message goes to the dead letters at once. */
export class PermanentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PermanentError';
  }
}
