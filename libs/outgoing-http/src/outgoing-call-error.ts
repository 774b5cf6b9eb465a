/**
 * Why a call got no answer. `address`: the address must not be called (not https, another port, a host that is not public, or a name that resolves to such
 * an address). `dns`: the name does not resolve. `tls`: no valid certificate. `timeout`: no whole answer in time. `connection`: refused, reset or closed.
 */
export type FailureOfCall = 'address' | 'dns' | 'tls' | 'timeout' | 'connection';

/** Nothing of the other server's words is in the message, so that it may be logged. */
export class OutgoingCallError extends Error {
  constructor(
    readonly failure: FailureOfCall,
    cause?: unknown,
  ) {
    super(`the call failed: ${failure}`, { cause });
    this.name = 'OutgoingCallError';
  }
}

const timeouts = ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const unknownNames = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'];
/** Codes of OpenSSL and of Node's own checks of certificates. */
const certificateCodes = /CERT|^ERR_(TLS|SSL)_|^EPROTO$|^UNABLE_TO_|SIGNATURE|ISSUER/;

/** Reads an error of Node or undici. */
export function callErrorOf(error: unknown): OutgoingCallError {
  if (error instanceof OutgoingCallError) return error;
  const { name, code = '', cause } = error as { name?: string; code?: string; cause?: unknown };
  // An error of a lookup may come wrapped.
  if (cause instanceof OutgoingCallError) return cause;
  if (name === 'TimeoutError' || name === 'AbortError' || timeouts.includes(code)) return new OutgoingCallError('timeout', error);
  if (unknownNames.includes(code)) return new OutgoingCallError('dns', error);
  return new OutgoingCallError(certificateCodes.test(code) ? 'tls' : 'connection', error);
}
