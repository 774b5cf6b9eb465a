/**
 * A question of the run was not answered in time, or the broker did not confirm a message of it. The run ends as partial; a reservation that may
 * have been made is settled by a later run.
 */
export class ChannelSilentError extends Error {
  constructor(question: string, cause: unknown) {
    super(`${question} was not answered`, { cause });
    this.name = 'ChannelSilentError';
  }
}
