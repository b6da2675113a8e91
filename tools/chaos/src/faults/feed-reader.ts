import { codeIn } from '../feed/reader-failures.js';

/** The feeds that a machine reads with a cursor. */
const FEEDS = ['events', 'usage'] as const;
type Feed = (typeof FEEDS)[number];

/** Maximum number of empty pages to skip. A read assigns positions to up to 500 settlements, so the settlements of a round need fewer reads. */
const UNDECIDED_PAGES = 100;

interface Page {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Reads both feeds and keeps their cursors, as a shop would. */
export class FeedReader {
  readonly #cursors: Record<Feed, string> = { events: '', usage: '' };

  constructor(private readonly machine: string) {}

  /** Creates an account, which adds an event to the feed. */
  async signUp(url: string, customer: string): Promise<void> {
    const body = JSON.stringify({ email: `${customer}@tools.test`, name: customer, external_id: customer });
    const reply = await fetch(`${url}/admin/v1/accounts`, { method: 'POST', headers: { ...this.authorization, 'content-type': 'application/json' }, body });
    await reply.text();
    if (reply.status !== 201) throw new Error(`${url} answered ${reply.status} to the creation of an account`);
  }

  /** Reads both feeds of a gateway to their end. */
  async readAll(url: string): Promise<void> {
    for (const feed of FEEDS) {
      for (let hasMore = true; hasMore;) {
        const page = await (await this.ask(url, feed)).json() as Page;
        this.#cursors[feed] = page.next_cursor ?? '';
        hasMore = page.has_more;
      }
    }
  }

  /** Violations: the gateway continues a feed after an entry that its database has lost. */
  async continued(url: string): Promise<readonly string[]> {
    const violations: string[] = [];
    for (const feed of FEEDS) {
      const reply = await this.decided(url, feed);
      const text = await reply.text();
      if (reply.status !== 410 || codeIn(text) !== 'cursor_lost') violations.push(`${url} answers ${reply.status} to the cursor of ${feed} that was lost with the primary: ${text.slice(0, 200)}`);
    }
    return violations;
  }

  private get authorization(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.machine}` };
  }

  /** Skips empty pages with `has_more`. They decide nothing: the gateway is still giving positions to settlements since the failover. */
  private async decided(url: string, feed: Feed): Promise<Response> {
    for (let left = UNDECIDED_PAGES; ; left -= 1) {
      const reply = await this.ask(url, feed);
      if (reply.status !== 200 || left === 0) return reply;
      const { data, has_more: hasMore } = await reply.clone().json() as Page;
      if (data.length > 0 || !hasMore) return reply;
    }
  }

  private ask(url: string, feed: Feed): Promise<Response> {
    const after = feed === 'events' && this.#cursors.events === '' ? '' : `&after=${encodeURIComponent(this.#cursors[feed])}`;
    return fetch(`${url}/admin/v1/${feed}?limit=100${after}`, { headers: this.authorization });
  }
}
