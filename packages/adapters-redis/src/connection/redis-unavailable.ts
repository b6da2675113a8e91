import type { AdmissionTicket } from '@tollgate/core';

/** Redis did not carry out a command: it is unreachable, too slow or refuses. What it had done until then is not known. */
export class RedisUnavailable extends Error {
  override readonly name: string = 'RedisUnavailable';

  constructor(cause: unknown) {
    super('Redis did not answer', { cause });
  }
}

/** As its base says, of an admission: it may have taken effect all the same, now or later. */
export class UnansweredAdmission extends RedisUnavailable {
  override readonly name = 'UnansweredAdmission';

  /** Released when Redis is back, `ticket` frees the slot that the admission may have taken, and changes nothing where there is none. */
  constructor(cause: unknown, readonly ticket: AdmissionTicket) {
    super(cause);
  }
}

/** The answer of a command; any failure of it becomes a `RedisUnavailable`. */
export async function answered<Answer>(command: Promise<Answer>): Promise<Answer> {
  try {
    return await command;
  } catch (cause) {
    throw new RedisUnavailable(cause);
  }
}
