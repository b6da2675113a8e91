/** How many digits the number of a conversation has: enough for the microseconds since 1970. */
export const NUMBER_DIGITS = 16;

/** What stands in a text where the number of a conversation is to be written. */
export const NUMBER_PLACE = '0'.repeat(NUMBER_DIGITS);

/** What is sent; see `docs/benchmarks.md`. */
export interface Body {
  readonly name: string;
  /** JSON texts of ASCII alone, each the whole conversation so far: the messages of the one before and the next ones. One where nothing follows. */
  readonly turns: readonly string[];
  /** Where in every turn the number of the conversation stands, in its first message; `null` when all conversations are the same. */
  readonly numberAt: number | null;
}

/** A body of one turn that is the same in every request. */
export function constantBody(name: string, text: string): Body {
  return { name, turns: [text], numberAt: null };
}

/** A body whose turns all hold `NUMBER_PLACE` in their first message, where each conversation gets its own number. */
export function numberedBody(name: string, turns: readonly string[]): Body {
  return { name, turns, numberAt: turns[0]?.indexOf(NUMBER_PLACE) ?? null };
}
