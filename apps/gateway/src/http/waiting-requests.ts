import type { AccountId } from '@tollgate/core';
import type { HolderState } from './body-holders.js';
import { type CountedRoom, frees, type Room } from './body-room.js';
import { kindOf, type BodyRooms } from './body-rooms.js';
import { type BodyRoom, BodyUpload, type WaitingRequest } from './body-upload.js';

/** Requests that may wait for room: all, those of clients without a balance, and those of one account or network. */
export const MAX_WAITING = 1_024;
export const MAX_WAITING_UNFUNDED = 768;
export const MAX_WAITING_OF_HOLDER = 128;

type Closed = Record<CountedRoom, boolean>;

function allOpen(): Closed {
  return { small: false, large: false, arriving: false };
}

/** Requests that wait for room, in the order in which they came. */
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

  /** An account whose balance is not read yet has one of the places for accounts with one, until it is. */
  mayWait({ waiting, isFunded, standing }: HolderState): boolean {
    if (waiting >= MAX_WAITING_OF_HOLDER || this.#waiting.size >= MAX_WAITING) return false;
    return isFunded || this.#waiting.size < MAX_WAITING_UNFUNDED || (standing === 'unknown' && waiting === 0);
  }

  /** Requests of an account that turned out to have no balance, and that took places of accounts with one. */
  misplacedOf(id: AccountId): readonly WaitingRequest[] {
    if (this.#waiting.size <= MAX_WAITING_UNFUNDED) return [];
    return [...this.#waiting].filter(({ room: { holder } }) => holder.accountId === id && !holder.isFunded);
  }

  /** Whether others wait that this one would overtake. The first byte of a body overtakes none. */
  hasBefore(room: BodyRoom, wanted: Room): boolean {
    if (room instanceof BodyUpload && room.arrivedBytes === 0) return false;
    for (const { room: { holder }, wanted: { pool, isArriving } } of this.#waiting) {
      if (pool === wanted.pool && (wanted.isArriving || !isArriving) && (holder.isFunded || !room.holder.isFunded)) return true;
    }
    return false;
  }

  /** Grants the oldest unfinished uploads what they wait for, and others in their order. None overtakes one that waits for the same room. */
  grant(): void {
    while (this.#waiting.size > 0 && this.#grantOnce());
  }

  /** Tells whether what is granted has made other room free. */
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

  /** `null` where it is granted or nothing waits. */
  #tryToGrant(waiting: WaitingRequest | null): 'holder' | 'gateway' | null {
    if (waiting === null) return null;
    const blocker = this.rooms.blockerOf(waiting.room, waiting.wanted);
    if (blocker !== null) return blocker === 'holder' ? 'holder' : 'gateway';
    if (frees(waiting.room.held, waiting.wanted)) this.#hasFreed = true;
    waiting.grant();
    return null;
  }
}
