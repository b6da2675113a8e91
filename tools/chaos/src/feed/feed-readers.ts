import { setTimeout as pause } from 'node:timers/promises';
import type { EventLog } from '@tollgate/core';
import type { Client } from 'pg';
import { mayComeFromDeath, NoGateway, UnexpectedReply } from './reader-failures.js';

/** A reader of the feed that continues where it has stopped. */
export interface FeedReader {
  readonly name: string;
  /** Ids of the events in the order in which they were read. */
  readonly seen: readonly string[];
  /** Reads to the end of the feed. Rejects if a page cannot be read; the next call continues from there. */
  catchUp(): Promise<void>;
  /** True if the reader may fail like this when gateways are killed. */
  readonly mayFail: (thrown: unknown) => boolean;
}

interface Page {
  readonly ids: readonly string[];
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

/** Continues from the cursor of its last page. */
class CursorReader implements FeedReader {
  readonly seen: string[] = [];
  #cursor: string | null = null;

  constructor(readonly name: string, private readonly page: (after: string | null) => Promise<Page>, readonly mayFail: (thrown: unknown) => boolean = () => false) {}

  async catchUp(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const page = await this.page(this.#cursor);
      this.seen.push(...page.ids);
      this.#cursor = page.nextCursor;
      hasMore = page.hasMore;
    }
  }
}

/** A reader that reads through the port `EventLog`, as the command line does. */
export function logReader(name: string, events: EventLog, limit: number): FeedReader {
  return new CursorReader(name, async (after) => {
    const reading = await events.read({ after, limit, types: null, accountId: null });
    if (reading.outcome !== 'page') throw new Error(`the feed answered ${reading.outcome}`);
    return { ids: reading.events.map(({ id }) => id), nextCursor: reading.nextCursor, hasMore: reading.hasMore };
  });
}

interface WirePage {
  readonly data: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

const TIMEOUT_MILLISECONDS = 10_000;
const HTTP_LIMIT = 1_000;
/** Pause between two pages, so that the requests stay below a machine's rate limit. */
const HTTP_PAUSE_MILLISECONDS = 120;

/** A reader that requests its pages from the serving gateways in turn. `urls` is called for every page. */
export function httpReader(urls: () => readonly string[], secret: string): FeedReader {
  let turn = 0;
  return new CursorReader('GET /admin/v1/events', async (after) => {
    const serving = urls();
    turn += 1;
    const url = serving[turn % Math.max(1, serving.length)];
    if (url === undefined) throw new NoGateway('no gateway serves');
    await pause(HTTP_PAUSE_MILLISECONDS);
    const query = new URLSearchParams({ limit: String(HTTP_LIMIT), ...after === null ? {} : { after } });
    const reply = await fetch(`${url}/admin/v1/events?${query.toString()}`, { headers: { authorization: `Bearer ${secret}` }, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    if (reply.status !== 200) throw new UnexpectedReply(reply.status, await reply.text());
    const { data, next_cursor: nextCursor, has_more: hasMore } = await reply.json() as WirePage;
    return { ids: data.map(({ id }) => id), nextCursor, hasMore };
  }, mayComeFromDeath);
}

/** Continues after the highest number that it has seen, as many programs do. It misses events that commit after events with higher numbers. */
export class NaiveReader implements FeedReader {
  readonly name = 'by number (naive)';
  readonly seen: string[] = [];
  #last = '0';

  constructor(private readonly client: Client) {}

  mayFail(): boolean {
    return false;
  }

  async catchUp(): Promise<void> {
    const { rows } = await this.client.query<{ id: string; number: string }>('select id, seq::text as number from events where seq > $1::bigint order by seq', [this.#last]);
    this.seen.push(...rows.map(({ id }) => id));
    this.#last = rows.at(-1)?.number ?? this.#last;
  }
}

const LOOK_MILLISECONDS = 50;

/** Lets the reader catch up continuously, even after failures, until `stopped` returns true. Reports the failures that the reader may not have. */
export async function readUntil(reader: FeedReader, stopped: () => boolean, onViolation: (text: string) => void): Promise<void> {
  while (!stopped()) {
    await reader.catchUp().catch((thrown: unknown) => {
      if (!reader.mayFail(thrown)) onViolation(`${reader.name}: ${String(thrown)}`);
    });
    await pause(LOOK_MILLISECONDS);
  }
}
