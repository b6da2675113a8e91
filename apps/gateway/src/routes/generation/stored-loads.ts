import type { ServerResponse } from 'node:http';
import { type AccountId, type CancelSignal, GatewayError, type UnbilledClaim } from '@tollgate/core';
import type { BodyBudget } from '../../http/body-budget.js';
import type { BodyRoom } from '../../http/body-upload.js';

/** Maximum requests of one account that wait to load stored texts. */
export const MAX_WAITING_LOADS = 64;
/** Maximum bytes of stored texts that an account's clients have not read yet; a single larger text is permitted. */
const UNREAD_BYTES_OF_ACCOUNT = 4 * 1_048_576;
const RETRY_AFTER_SECONDS = 1;

/** The sender of a request, and the claim that counts its unbilled work until the request is admitted. */
export interface Sender {
  readonly accountId: AccountId;
  readonly unbilled: UnbilledClaim | null;
  /** Aborted when the client leaves. */
  readonly signal: CancelSignal;
  /** Room of the request's own body; `null` without one. */
  readonly body: BodyRoom | null;
}

/** The loads of one account, which wait for each other. */
interface Lane {
  waiting: number;
  /** Sent bytes that clients have not read yet. */
  unreadBytes: number;
  free: Promise<void>;
}

/**
 * Bounds the memory of stored texts. Each account loads for one request at a time. Before bytes are read, they count as unbilled work and take room in the
 * body budget.
 */
export class StoredLoads {
  readonly #lanes = new Map<AccountId, Lane>();

  constructor(private readonly budget: BodyBudget) {}

  /** Number of accounts that load stored texts, wait to, or have clients that have not read all of a sent one. */
  get accounts(): number {
    return this.#lanes.size;
  }

  /**
   * Runs a task when it is the turn of the account. When the task ends, the room that it took is returned, except what it added to the room of the
   * body. Rejects with `rate_limit_exceeded` if too many tasks wait.
   */
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
   * Loads and sends a text of known size. It stays in memory until the client has read it, so accounts with much unread text are refused
   * with `rate_limit_exceeded`.
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

/** A stored text while it is sent. */
interface Sending {
  /** Reads the size in bytes, before the text itself is read. */
  readonly sizeOf: () => Promise<number>;
  readonly send: () => Promise<void>;
}

/** Units and room that one request takes for stored texts. */
export class StoredLoad {
  readonly #rooms: BodyRoom[] = [];

  constructor(private readonly budget: BodyBudget, private readonly sender: Sender) {}

  /** Takes units and room before texts are read. Throws `rate_limit_exceeded` or `server_busy` if units or room are missing. */
  async take(bytes: number): Promise<void> {
    const { accountId, unbilled, signal, body } = this.sender;
    unbilled?.take(bytes);
    unbilled?.check();
    if (bytes === 0) return;
    if (body !== null) await this.budget.addTo(body, bytes);
    else this.#rooms.push(await this.budget.take({ holder: { accountId }, bytes, signal }));
  }

  /** Returns the room, except what was added to the room of the request's body; a second call changes nothing. */
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
