/** How many digits the number of a conversation has: enough for the microseconds since 1970. */
export const NUMBER_DIGITS = 16;

/** What stands in a text where the number of a conversation is to be written. */
export const NUMBER_PLACE = '0'.repeat(NUMBER_DIGITS);

/** What is sent; see `docs/benchmarks.md`. */
export interface Body {
  readonly name: string;
  /** The requests of a conversation, JSON texts of ASCII alone, each with all messages of the one before and the next ones. One where nothing follows. */
  readonly requests: readonly string[];
  /** Where in each of them the number of the conversation stands, in its first message; `null` when all conversations are the same. */
  readonly numberAt: number | null;
}

/** A body of one request that is always the same. */
export function constantBody(name: string, text: string): Body {
  return { name, requests: [text], numberAt: null };
}

/** A body whose requests all hold `NUMBER_PLACE` at the same place of their first message, where each conversation gets its own number. Throws where they do not. */
export function numberedBody(name: string, requests: readonly string[]): Body {
  const [numberAt, ...others] = new Set(requests.map((text) => text.indexOf(NUMBER_PLACE)));
  if (numberAt === undefined || numberAt < 0 || others.length > 0) throw new Error(`${name} has no place for the number of a conversation`);
  return { name, requests, numberAt };
}
