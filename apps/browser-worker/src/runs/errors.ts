/** A service that the run asked did not answer in time. The run ends as partial; a reservation it may have made is settled later. */
export class ChannelSilentError extends Error {
  constructor(question: string, cause: unknown) {
    super(`${question} was not answered`, { cause });
    this.name = 'ChannelSilentError';
  }
}
