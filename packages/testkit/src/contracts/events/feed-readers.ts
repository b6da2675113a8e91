import type { EventId, EventLog } from '@tollgate/core';
import { readPage } from './events-subject.js';

/** Reads the feed repeatedly while it grows, each time from the cursor of its last page. */
export class FeedReader {
  readonly seen: EventId[] = [];
  #cursor: string | null = null;

  constructor(private readonly events: EventLog, private readonly pageSize: number) {}

  /** Reads all events that the feed has now. */
  async catchUp(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const page = await readPage(this.events, { after: this.#cursor, limit: this.pageSize });
      this.seen.push(...page.events.map(({ id }) => id));
      this.#cursor = page.nextCursor;
      hasMore = page.hasMore;
    }
  }
}

/** The number of stored events that a reader did not see, and how often it saw an event again. */
export function compareFeed(stored: readonly string[], seen: readonly string[]): { readonly missed: number; readonly doubled: number } {
  const distinct = new Set(seen);
  return { missed: stored.filter((id) => !distinct.has(id as EventId)).length, doubled: seen.length - distinct.size };
}
