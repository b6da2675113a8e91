import { GatewayError, type PersonId } from '@tollgate/core';

/** An export of a few thousand records is over by then. */
const RETRY_AFTER_SECONDS = 5;

/** The exports that this process is sending, one for each person at most. */
export class RunningExports {
  readonly #people = new Set<PersonId>();

  /** Does the work, unless an export of the person runs already. */
  async run(personId: PersonId, work: () => Promise<void>): Promise<void> {
    if (this.#people.has(personId)) {
      throw new GatewayError('too_many_attempts', 'An export of yours is running. Begin another one when it is over.', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#people.add(personId);
    try {
      await work();
    } finally {
      this.#people.delete(personId);
    }
  }
}
