export { outgoingHttpConfig } from './outgoing-http.config.js';
export { type FailureOfCall, OutgoingCallError } from './outgoing-call-error.js';
export {
  OutgoingHttp,
  type OutgoingAnswer,
  type OutgoingDownload,
  type OutgoingFile,
  type OutgoingHttpOptions,
  type OutgoingRequest,
} from './outgoing-http.js';
