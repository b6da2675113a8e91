import type { EventId, EventLog } from '@tollgate/core';
import { readPage } from './events-subject.js';

/** Reads the feed repeatedly while it grows, and keeps its cursor. */
export class FeedReader {
  readonly seen: EventId[] = [];
  #cursor: string | null = null;

  constructor(private readonly events: EventLog, private readonly pageSize: number) {}

  /** Reads everything that is available now. */
  async catchUp(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const page = await readPage(this.events, { after: this.#cursor, limit: this.pageSize });
      this.seen.push(...page.events.map(({ id }) => id));
      this.#cursor = page.nextCursor;
      hasMore = page.hasMore;
    }
  }
}

/** Compares the events that a reader saw with the stored ones. */
export function compareFeed(stored: readonly string[], seen: readonly string[]): { readonly missed: number; readonly doubled: number } {
  const distinct = new Set(seen);
  return { missed: stored.filter((id) => !distinct.has(id as EventId)).length, doubled: seen.length - distinct.size };
}
