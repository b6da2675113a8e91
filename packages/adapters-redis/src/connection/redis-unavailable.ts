/** Redis did not carry out a command: it is unreachable, too slow or refuses. What it had done until then is not known. */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';

  constructor(cause: unknown) {
    super('Redis did not answer', { cause });
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
