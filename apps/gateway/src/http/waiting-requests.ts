import type { AccountId } from '@tollgate/core';
import type { HolderState } from './body-holders.js';
import { type CountedRoom, frees, type Room } from './body-room.js';
import { kindOf, type BodyRooms } from './body-rooms.js';
import { type BodyRoom, BodyUpload, type WaitingRequest } from './body-upload.js';

/** Maximum number of waiting requests. */
export const MAX_WAITING = 1_024;
/** Number of waiting requests, including funded ones, at which clients without a balance may not wait any more. */
export const MAX_WAITING_UNFUNDED = 768;
/** Maximum number of waiting requests of an account or network. */
export const MAX_WAITING_OF_HOLDER = 128;

type Closed = Record<CountedRoom, boolean>;

function allOpen(): Closed {
  return { small: false, large: false, arriving: false };
}

/** Requests that wait for room, in order. */
export class WaitingRequests {
  readonly #waiting = new Set<WaitingRequest>();
  #hasFreed = false;

  constructor(private readonly rooms: BodyRooms) {}

  get size(): number {
    return this.#waiting.size;
  }

  add(waiting: WaitingRequest): void {
    this.#waiting.add(waiting);
    waiting.room.waiting = waiting;
    waiting.room.holder.waiting += 1;
  }

  delete(waiting: WaitingRequest): void {
    this.#waiting.delete(waiting);
    waiting.room.waiting = null;
    waiting.room.holder.waiting -= 1;
  }

  /** An account whose balance is not read yet may wait with one request as if it were funded. */
  mayWait({ waiting, isFunded, standing }: HolderState): boolean {
    if (waiting >= MAX_WAITING_OF_HOLDER || this.#waiting.size >= MAX_WAITING) return false;
    return isFunded || this.#waiting.size < MAX_WAITING_UNFUNDED || (standing === 'unknown' && waiting === 0);
  }

  /** Waiting requests of an account whose balance turned out to be too low; empty while `MAX_WAITING_UNFUNDED` is not exceeded. */
  misplacedOf(id: AccountId): readonly WaitingRequest[] {
    if (this.#waiting.size <= MAX_WAITING_UNFUNDED) return [];
    return [...this.#waiting].filter(({ room: { holder } }) => holder.accountId === id && !holder.isFunded);
  }

  /** True if taking the room would overtake other requests. An upload that has received no byte yet overtakes none. */
  hasBefore(room: BodyRoom, wanted: Room): boolean {
    if (room instanceof BodyUpload && room.arrivedBytes === 0) return false;
    for (const { room: { holder }, wanted: { pool, isArriving } } of this.#waiting) {
      if (pool === wanted.pool && (wanted.isArriving || !isArriving) && (holder.isFunded || !room.holder.isFunded)) return true;
    }
    return false;
  }

  /** Grants room to the oldest unfinished uploads, then to others in order; none overtakes another that waits for the same room. */
  grant(): void {
    while (this.#waiting.size > 0 && this.#grantOnce());
  }

  /** Returns whether room was freed that other requests may take. */
  #grantOnce(): boolean {
    this.#hasFreed = false;
    for (const upload of this.rooms.oldestUnfinished) this.#tryToGrant(upload?.waiting ?? null);
    const closed = { funded: allOpen(), unfunded: allOpen() };
    for (const waiting of this.#waiting) {
      const { room, wanted } = waiting;
      const [kind, counted] = [kindOf(room.holder), wanted.isArriving ? 'arriving' : wanted.pool] as const;
      if (closed[kind][counted] || this.#tryToGrant(waiting) !== 'gateway') continue;
      closed.unfunded[counted] = true;
      closed.funded[counted] ||= kind === 'funded';
    }
    return this.#hasFreed;
  }

  /** Returns what refuses the room; `null` if the room is granted, or if `waiting` is `null`. */
  #tryToGrant(waiting: WaitingRequest | null): 'holder' | 'gateway' | null {
    if (waiting === null) return null;
    const blocker = this.rooms.blockerOf(waiting.room, waiting.wanted);
    if (blocker !== null) return blocker === 'holder' ? 'holder' : 'gateway';
    if (frees(waiting.room.held, waiting.wanted)) this.#hasFreed = true;
    waiting.grant();
    return null;
  }
}
