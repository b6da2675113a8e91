import { type AccountId, type CancelSignal, type Clock, GatewayError } from '@tollgate/core';
import { peerNetworkOf } from './addresses.js';

/** How long a request waits for room. */
const ROOM_WAIT_MILLISECONDS = 1000;
/** Share of an account in the room of the process, and the least it is. */
const SHARES = 8;
const LEAST_ACCOUNT_BYTES = 4 * 1_048_576;
/** Requests that may wait for room, of all accounts and of one. */
export const MOST_WAITING = 1_024;
export const MOST_WAITING_OF_ACCOUNT = 128;
const RETRY_AFTER_SECONDS = 1;

/** Whose share of the room a body takes: an account's, or that of a client without one, by its address. */
export type BodyHolder = { readonly accountId: AccountId } | { readonly address: string };

function nameOf(holder: BodyHolder): string {
  return 'accountId' in holder ? holder.accountId : `address ${peerNetworkOf(holder.address)}`;
}

/** What one account holds and waits for. */
interface AccountShare {
  bytes: number;
  waiting: number;
}

interface WaitingRequest {
  readonly share: AccountShare;
  readonly bytes: number;
  readonly grant: () => void;
}

/** A request for room. */
interface RoomDemand {
  readonly holder: BodyHolder;
  readonly bytes: number;
  /** Aborted when the client leaves. */
  readonly signal: CancelSignal;
}

type NamedDemand = Omit<RoomDemand, 'holder'> & { readonly holder: string };

/** The room that one body takes until it is given back. */
export class BodyRoom {
  #budget: BodyBudget | null;

  constructor(budget: BodyBudget, private readonly holder: string, private readonly bytes: number) {
    this.#budget = budget;
  }

  /** Repeating it changes nothing. */
  giveBack(): void {
    const budget = this.#budget;
    this.#budget = null;
    budget?.giveBack(this.holder, this.bytes);
  }
}

function accountIsFull(): GatewayError {
  const message = 'Your account is sending too many large requests at the same moment. No limit of your plan was touched; please try again.';
  return new GatewayError('rate_limit_exceeded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function processIsFull(): GatewayError {
  const message = 'The service is receiving too many large requests at the same moment. Please try again.';
  return new GatewayError('server_busy', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/**
 * Bounds the bytes of bodies between their headers and their decoding, for the process and for each account. Requests without
 * room wait in the order in which they came; one that waits for its own account holds up no other account.
 */
export class BodyBudget {
  readonly accountBytes: number;
  readonly #shares = new Map<string, AccountShare>();
  readonly #waiting = new Set<WaitingRequest>();
  #used = 0;

  constructor(readonly processBytes: number, private readonly clock: Clock) {
    this.accountBytes = Math.min(processBytes, Math.max(LEAST_ACCOUNT_BYTES, Math.floor(processBytes / SHARES)));
  }

  /** Bytes of bodies in flight. */
  get used(): number {
    return this.#used;
  }

  /** Requests that wait for room. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Takes room for bytes of a known number, before they are read from anywhere: a body, or what the gateway loads for a request.
   * More than a whole share is granted while nothing else is in it.
   * Throws `rate_limit_exceeded` when the account has had no room for a second, `server_busy` when the process has had none.
   */
  take({ holder, bytes, signal }: RoomDemand): BodyRoom | Promise<BodyRoom> {
    const name = nameOf(holder);
    const share = this.#shareOf(name);
    if (this.#waiting.size === 0 && this.#fits(share, bytes)) return this.#grant(name, share, bytes);
    if (share.waiting < MOST_WAITING_OF_ACCOUNT && this.#waiting.size < MOST_WAITING) return this.#wait({ holder: name, bytes, signal }, share);
    this.#forgetIfIdle(name, share);
    throw this.#refusalOf(share, bytes);
  }

  /** For `BodyRoom`. */
  giveBack(holder: string, bytes: number): void {
    const share = this.#shareOf(holder);
    this.#used -= bytes;
    share.bytes -= bytes;
    this.#forgetIfIdle(holder, share);
    this.#grantWaiting();
  }

  #wait({ holder, bytes, signal }: NamedDemand, share: AccountShare): Promise<BodyRoom> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        cancel();
        signal.removeEventListener('abort', refuse);
        this.#waiting.delete(waiting);
        share.waiting -= 1;
      };
      const refuse = (): void => {
        stop();
        reject(this.#refusalOf(share, bytes));
        this.#forgetIfIdle(holder, share);
        this.#grantWaiting();
      };
      const grant = (): void => {
        stop();
        resolve(this.#grant(holder, share, bytes));
      };
      const waiting: WaitingRequest = { share, bytes, grant };
      const cancel = this.clock.schedule(ROOM_WAIT_MILLISECONDS, refuse);
      signal.addEventListener('abort', refuse);
      share.waiting += 1;
      this.#waiting.add(waiting);
      this.#grantWaiting();
    });
  }

  /** Skips requests whose own account is full; no request overtakes one that waits for the process. */
  #grantWaiting(): void {
    for (const { share, bytes, grant } of this.#waiting) {
      if (!this.#fitsAccount(share, bytes)) continue;
      if (!this.#fitsProcess(bytes)) return;
      grant();
    }
  }

  #grant(holder: string, share: AccountShare, bytes: number): BodyRoom {
    share.bytes += bytes;
    this.#used += bytes;
    return new BodyRoom(this, holder, bytes);
  }

  #fits(share: AccountShare, bytes: number): boolean {
    return this.#fitsAccount(share, bytes) && this.#fitsProcess(bytes);
  }

  #fitsAccount(share: AccountShare, bytes: number): boolean {
    return share.bytes === 0 || share.bytes + bytes <= this.accountBytes;
  }

  #fitsProcess(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.processBytes;
  }

  #refusalOf(share: AccountShare, bytes: number): GatewayError {
    return this.#fitsAccount(share, bytes) ? processIsFull() : accountIsFull();
  }

  #shareOf(holder: string): AccountShare {
    const known = this.#shares.get(holder);
    if (known !== undefined) return known;
    const fresh = { bytes: 0, waiting: 0 };
    this.#shares.set(holder, fresh);
    return fresh;
  }

  #forgetIfIdle(holder: string, share: AccountShare): void {
    if (share.bytes === 0 && share.waiting === 0) this.#shares.delete(holder);
  }
}
