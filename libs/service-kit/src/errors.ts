/** Facts of a refusal that the client may read. Never secrets, never another person's data. */
export type ErrorDetails = Record<string, unknown>;

/**
 * A refusal: an expected error with a message for the client, logged as a warning. Everything else that is thrown is a bug: it is answered with
 * status 500 without its message, and logged as an error.
 */
export abstract class AppError extends Error {
  /** Published machine code; never renamed. */
  abstract readonly code: string;
  /** HTTP status of the refusal. */
  abstract readonly status: number;
  /** Message for the client when `message` is for logs and operators only. When it is empty, the page shows a text of its own. */
  readonly publicMessage?: string;
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
 * A refusal that no code needs to distinguish by its class. Functions in a feature's `*.errors.ts` create them. A refusal that is caught
 * and handled somewhere has a class of its own.
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

/** The caller is signed in, but only administrators may do this. */
export class NotAdminError extends AppError {
  readonly code = 'not_admin';
  readonly status = 403;
  constructor(message = 'Somente administradores podem fazer isto.') {
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

/** The request's URL cannot be decoded, or names another host. */
export class MalformedUrlError extends AppError {
  readonly code = 'bad_request';
  readonly status = 400;
  constructor() {
    super('Bad request');
  }
}

/** A dependency of the service, such as its database, is unavailable; the same request may succeed soon. */
export class UnavailableError extends AppError {
  readonly code = 'unavailable';
  readonly status = 503;
  override readonly headers = { 'retry-after': '1' };
  constructor(message = 'Serviço temporariamente indisponível. Tente novamente em instantes.') {
    super(message);
  }
}

/** Thrown by a consumer that cannot handle a message yet: it is delivered again after `delayMs` at the earliest. */
export class RetryLaterError extends Error {
  constructor(
    readonly delayMs: number,
    message = 'retry later',
  ) {
    super(message);
    this.name = 'RetryLaterError';
  }
}

/** Thrown by a consumer that can never handle a message: it is dead-lettered at once. */
export class PermanentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PermanentError';
  }
}
