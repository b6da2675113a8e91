import type { ServerResponse } from 'node:http';
import { type AccountId, type CancelSignal, GatewayError, type UnbilledClaim } from '@tollgate/core';
import type { BodyBudget } from '../../http/body-budget.js';
import type { BodyRoom } from '../../http/body-upload.js';

/** Requests of one account that may wait for their turn to load stored texts. */
export const MAX_WAITING_LOADS = 64;
/** Bytes of stored texts that an account's clients may have left unread in its replies, unless it is one text alone. */
export const UNREAD_BYTES_OF_ACCOUNT = 4 * 1_048_576;
const RETRY_AFTER_SECONDS = 1;

/** Who sends a request, and what its work is counted against before it is admitted. */
export interface Sender {
  readonly accountId: AccountId;
  readonly unbilled: UnbilledClaim | null;
  /** Aborted when the client leaves. */
  readonly signal: CancelSignal;
  /** Of the body that is being decoded; `null` where there is none. */
  readonly body: BodyRoom | null;
}

/** What loads of one account wait for. */
interface Lane {
  waiting: number;
  /** Bytes of texts that are sent, and that their clients have yet to take. */
  unreadBytes: number;
  free: Promise<void>;
}

/**
 * Bounds the stored texts that the gateway holds for requests: each account loads for one request at a time, and takes units and room for
 * the bytes before they are read.
 */
export class StoredLoads {
  readonly #lanes = new Map<AccountId, Lane>();

  constructor(private readonly budget: BodyBudget) {}

  /** Accounts that load or wait, or whose clients have yet to take what was loaded. */
  get accounts(): number {
    return this.#lanes.size;
  }

  /** Runs a task in its account's turn; what it takes is given back when it ends. Rejects with `rate_limit_exceeded` when too many wait. */
  async run<T>(sender: Sender, task: (load: StoredLoad) => Promise<T>): Promise<T> {
    const { accountId, unbilled, signal } = sender;
    const lane = this.#laneOf(accountId);
    if (lane.waiting > MAX_WAITING_LOADS) throw tooManyLoads();
    lane.waiting += 1;
    const load = new StoredLoad(this.budget, sender);
    const done = lane.free.then(() => {
      if (signal.aborted) throw tooManyLoads();
      // Other requests of the account may have used up its units while this one waited.
      unbilled?.check();
      return task(load);
    });
    lane.free = done.then(() => undefined, () => undefined);
    try {
      return await done;
    } finally {
      load.giveBack();
      lane.waiting -= 1;
      this.#forgetIfIdle(accountId, lane);
    }
  }

  /**
   * Loads a text of known size and sends it. A text stays in memory until its client has taken it, so that an account whose clients have
   * left much unread is refused with `rate_limit_exceeded`.
   */
  async send(sender: Sender, res: ServerResponse, { sizeOf, send }: Sending): Promise<void> {
    await this.run(sender, async (load) => {
      const { accountId } = sender;
      const bytes = await sizeOf();
      const lane = this.#laneOf(accountId);
      if (lane.unreadBytes > 0 && lane.unreadBytes + bytes > UNREAD_BYTES_OF_ACCOUNT) throw tooMuchUnread();
      await load.take(bytes);
      await send();
      if (res.writableLength === 0 || res.closed) return;
      lane.unreadBytes += bytes;
      res.once('close', () => {
        lane.unreadBytes -= bytes;
        this.#forgetIfIdle(accountId, lane);
      });
    });
  }

  #forgetIfIdle(accountId: AccountId, { waiting, unreadBytes }: Lane): void {
    if (waiting === 0 && unreadBytes === 0) this.#lanes.delete(accountId);
  }

  #laneOf(accountId: AccountId): Lane {
    const known = this.#lanes.get(accountId);
    if (known !== undefined) return known;
    const fresh = { waiting: 0, unreadBytes: 0, free: Promise.resolve() };
    this.#lanes.set(accountId, fresh);
    return fresh;
  }
}

/** A stored text that is sent as a reply. */
interface Sending {
  /** In bytes, before the text is read. */
  readonly sizeOf: () => Promise<number>;
  readonly send: () => Promise<void>;
}

/** What one request loads. */
export class StoredLoad {
  readonly #rooms: BodyRoom[] = [];

  constructor(private readonly budget: BodyBudget, private readonly sender: Sender) {}

  /** Takes units and room for texts that are then read. Throws `rate_limit_exceeded` or `server_busy` when there is none. */
  async take(bytes: number): Promise<void> {
    const { accountId, unbilled, signal, body } = this.sender;
    unbilled?.take(bytes);
    unbilled?.check();
    if (bytes === 0) return;
    if (body !== null) await this.budget.addTo(body, bytes);
    else this.#rooms.push(await this.budget.take({ holder: { accountId }, bytes, signal }));
  }

  /** Repeating it changes nothing. */
  giveBack(): void {
    for (const room of this.#rooms) room.giveBack();
  }
}

function tooMuchUnread(): GatewayError {
  const message = 'Stored replies of your account are waiting for clients that read slowly. This does not count against the limits of your plan; please try again when they have been read.';
  return new GatewayError('rate_limit_exceeded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function tooManyLoads(): GatewayError {
  const message = 'Your account is sending too many requests that load stored responses or replies at the same time. This does not count against the limits of your plan; please try again.';
  return new GatewayError('rate_limit_exceeded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
