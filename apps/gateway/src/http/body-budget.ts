import { type CancelSignal, type Clock, GatewayError, type Instant } from '@tollgate/core';
import type { AccountFunds } from './account-funds.js';
import type { BodyHolder, HolderState } from './body-holders.js';
import { frees, NO_ROOM, type Room, type RoomBytes, roomOfKnownBytes } from './body-room.js';
import { BodyRooms } from './body-rooms.js';
import { BodyRoom, BodyUpload, type RoomGiver, type WaitingRequest } from './body-upload.js';
import { UploadCuts } from './upload-cuts.js';
import { WaitingRequests } from './waiting-requests.js';

const ROOM_WAIT_MILLISECONDS = 1000;
/** An account's share is the process's room divided by this, but at least `MIN_ACCOUNT_BYTES`. */
export const SHARES = 8;
const MIN_ACCOUNT_BYTES = 4 * 1_048_576;
/** Age up to which uploads are never cut off. */
const MIN_AGE_OF_CUT_MILLISECONDS = 5000;
/** Time for which the order in which uploads are cut off is reused. */
const CUTS_MILLISECONDS = 250;
/** Time for which the gateway counts as full after a refusal, or after an upload was cut off. */
const FULL_MILLISECONDS = 10_000;
const RETRY_AFTER_SECONDS = 1;

export interface BodyReport {
  /** `account`: the share of the account or network was full; `gateway`: the room of the whole gateway was full. */
  refusedBody(bound: 'account' | 'gateway'): void;
  cutUpload(): void;
}

interface BodyBudgetPorts {
  readonly clock: Clock;
  readonly funds: Pick<AccountFunds, 'known' | 'ask'>;
  readonly report: BodyReport;
}

interface RoomDemand {
  readonly holder: BodyHolder;
  /** Aborted on disconnect. */
  readonly signal: CancelSignal;
}

interface KnownDemand extends RoomDemand {
  readonly bytes: number;
}

interface UploadDemand extends RoomDemand {
  /** `null` without `content-length`. */
  readonly declaredBytes: number | null;
}

function holderIsFull({ accountId }: HolderState): GatewayError {
  const message = accountId === null
    ? 'Too many requests are arriving from your network at the same time. Please try again.'
    : 'Your account is sending too many large requests at the same time. This does not count against the limits of your plan; please try again.';
  return new GatewayError('rate_limit_exceeded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function gatewayIsFull(): GatewayError {
  const message = 'The service is receiving too many large requests at the same time. Please try again.';
  return new GatewayError('server_busy', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/**
 * Bounds the bytes of bodies from headers to decoding, and of stored data loaded for requests. There are bounds in total, for all clients without a
 * balance together, and per account or network. Bodies of at most 64 KiB use a second pool of the same size. Requests wait in order, but not behind a
 * request that waits for another share.
 */
export class BodyBudget implements RoomGiver {
  readonly accountBytes: number;
  readonly #rooms: BodyRooms;
  readonly #waiting: WaitingRequests;
  #cuts: { readonly list: UploadCuts<BodyUpload>; readonly madeAt: Instant } | null = null;
  #lastFullAt: Instant | null = null;
  #lastAskedAt: Instant | null = null;

  constructor(readonly processBytes: number, private readonly ports: BodyBudgetPorts) {
    this.accountBytes = Math.min(processBytes, Math.max(MIN_ACCOUNT_BYTES, Math.floor(processBytes / SHARES)));
    this.#rooms = new BodyRooms(processBytes, this.accountBytes, (id) => ports.funds.known(id));
    this.#waiting = new WaitingRequests(this.#rooms);
  }

  /** Bytes of room that are held. */
  get used(): RoomBytes {
    return this.#rooms.used;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** True for ten seconds after the gateway's room was full: a request was refused because of it, or an upload cut off. */
  get isFull(): boolean {
    return this.#lastFullAt !== null && this.ports.clock.now() - this.#lastFullAt < FULL_MILLISECONDS;
  }

  /**
   * Takes room for a known number of bytes before they are loaded. A demand above the whole share is granted if nothing else is in the share. Rejects
   * if there is still no room after a second, and throws at once if too many requests wait: with `rate_limit_exceeded` if the share of the account or
   * network is full, or with `server_busy` if the gateway's room is. Also rejects with `server_busy` on disconnect.
   */
  take({ holder, bytes, signal }: KnownDemand): BodyRoom | Promise<BodyRoom> {
    const room = new BodyRoom(this, this.#rooms.holderOf(holder), signal);
    const waiting = this.#ask(room, roomOfKnownBytes(bytes));
    return waiting === null ? room : waiting.then(() => room);
  }

  /**
   * Adds room for loaded data to the room of a received body; both are returned together. A sum above the whole share is granted if nothing else is
   * in the share. Throws or rejects as `take` does.
   */
  addTo(room: BodyRoom, bytes: number): Promise<void> | null {
    return this.#ask(room, roomOfKnownBytes(room.held.bytes + bytes));
  }

  /** Begins an upload; waits if there is no room for a single byte. Throws or rejects as `take` does. */
  begin({ holder, declaredBytes, signal }: UploadDemand): BodyUpload | Promise<BodyUpload> {
    const upload = new BodyUpload(this, { holder: this.#rooms.holderOf(holder), signal, declaredBytes, startedAt: this.ports.clock.now() });
    const waiting = this.grow(upload);
    return waiting === null ? upload : waiting.then(() => upload);
  }

  /** Takes the room that the upload now needs. Called by `BodyUpload`. */
  grow(upload: BodyUpload): Promise<void> | null {
    if (upload.isPart) this.#rooms.register(upload);
    return this.#ask(upload, upload.needed);
  }

  /** Called by `BodyUpload`. */
  finish(upload: BodyUpload): void {
    if (this.#rooms.unregister(upload)) this.#waiting.grant();
  }

  /** Called by `BodyRoom`. */
  giveBack(room: BodyRoom): void {
    this.#close(room);
    this.#waiting.grant();
  }

  #close(room: BodyRoom): void {
    if (room instanceof BodyUpload) {
      room.end();
      this.#rooms.unregister(room);
    }
    room.waiting?.refuse(gatewayIsFull());
    this.#rooms.move(room, NO_ROOM);
    this.#rooms.forgetIfIdle(room.holder);
  }

  /** `null` if the room is granted at once. */
  #ask(room: BodyRoom, wanted: Room): Promise<void> | null {
    const { holder, held } = room;
    if (wanted.bytes === held.bytes && wanted.pool === held.pool && wanted.isArriving === held.isArriving) return null;
    if (!this.#waiting.hasBefore(room, wanted) && this.#rooms.blockerOf(room, wanted) === null) {
      this.#rooms.move(room, wanted);
      if (frees(held, wanted)) this.#waiting.grant();
      return null;
    }
    if (this.#waiting.mayWait(holder)) return this.#wait(room, wanted);
    const error = this.#refusal({ room, wanted });
    this.#rooms.forgetIfIdle(holder);
    throw error;
  }

  #wait(room: BodyRoom, wanted: Room): Promise<void> {
    const { holder, signal } = room;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        cancel();
        signal.removeEventListener('abort', leave);
        this.#waiting.delete(waiting);
      };
      const refuse = (error: GatewayError): void => {
        stop();
        reject(error);
        this.#rooms.forgetIfIdle(holder);
      };
      const grant = (): void => {
        stop();
        this.#rooms.move(room, wanted);
        resolve();
      };
      const leave = (): void => {
        refuse(gatewayIsFull());
        this.#waiting.grant();
      };
      const waiting: WaitingRequest = { room, wanted, grant, refuse };
      const cancel = this.ports.clock.schedule(ROOM_WAIT_MILLISECONDS, () => this.#giveUp(waiting));
      signal.addEventListener('abort', leave);
      this.#waiting.add(waiting);
      this.#askForFunds(holder);
      this.#waiting.grant();
    });
  }

  /** When a request has waited for too long, cuts off uploads to make room for it, or refuses it. */
  #giveUp(waiting: WaitingRequest): void {
    this.#makeRoomFor(waiting);
    if (this.#rooms.blockerOf(waiting.room, waiting.wanted) === null) waiting.grant();
    else waiting.refuse(this.#refusal(waiting));
    this.#waiting.grant();
  }

  #makeRoomFor({ room, wanted }: WaitingRequest): void {
    for (let blocker = this.#rooms.blockerOf(room, wanted); blocker !== null && blocker !== 'holder'; blocker = this.#rooms.blockerOf(room, wanted)) {
      const upload = this.#currentCuts().next(blocker, room.holder.standing);
      if (upload === null) return;
      if (upload !== room) this.#cut(upload);
    }
  }

  #cut(upload: BodyUpload): void {
    this.#lastFullAt = this.ports.clock.now();
    this.ports.report.cutUpload();
    upload.cut();
    this.#close(upload);
  }

  #currentCuts(): UploadCuts<BodyUpload> {
    const now = this.ports.clock.now();
    if (this.#cuts === null || now - this.#cuts.madeAt >= CUTS_MILLISECONDS) {
      const old = [...this.#rooms.uploads].filter(({ startedAt }) => now - startedAt > MIN_AGE_OF_CUT_MILLISECONDS);
      this.#cuts = { list: new UploadCuts(old, now), madeAt: now };
    }
    return this.#cuts.list;
  }

  #refusal({ room, wanted }: Pick<WaitingRequest, 'room' | 'wanted'>): GatewayError {
    const isForHolder = this.#rooms.blockerOf(room, wanted) === 'holder';
    if (!isForHolder) this.#lastFullAt = this.ports.clock.now();
    this.ports.report.refusedBody(isForHolder ? 'account' : 'gateway');
    return isForHolder ? holderIsFull(room.holder) : gatewayIsFull();
  }

  /** When room is scarce, reads balances that decide about waiting and cutting. */
  #askForFunds(holder: HolderState): void {
    this.#askForFundsOf(holder);
    const now = this.ports.clock.now();
    if (this.#lastAskedAt !== null && now - this.#lastAskedAt < CUTS_MILLISECONDS) return;
    this.#lastAskedAt = now;
    for (const upload of this.#rooms.uploads) {
      if (now - upload.startedAt > MIN_AGE_OF_CUT_MILLISECONDS - ROOM_WAIT_MILLISECONDS) this.#askForFundsOf(upload.holder);
    }
  }

  #askForFundsOf({ accountId }: HolderState): void {
    if (accountId === null || this.ports.funds.known(accountId) !== null) return;
    this.ports.funds.ask(accountId, (isFunded) => {
      if (this.#rooms.restand(accountId, isFunded)) this.#waiting.grant();
      for (const waiting of this.#waiting.misplacedOf(accountId)) waiting.refuse(this.#refusal(waiting));
    });
  }

}
