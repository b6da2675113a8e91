/** Bodies of at most this size have a pool of room of their own. */
export const SMALL_BODY_BYTES = 65_536;
/** 2 MiB: the largest body that is read. */
export const MAX_BODY_BYTES = 2_097_152;

/** Room that a body holds, or asks for. */
export interface Room {
  /** The pool of small bodies, or that of all others. */
  readonly pool: 'small' | 'large';
  readonly bytes: number;
  /** Of a large body, less than half of which has arrived: it counts against the share of such bodies too. */
  readonly isArriving: boolean;
}

export const NO_ROOM: Room = { pool: 'small', bytes: 0, isArriving: false };

/**
 * The room of a body by what has arrived of it: so much, until half of its length is there, and its whole length from then on.
 * A body without a declared length counts as the largest once it passes 64 KiB.
 */
export function roomOfBody(declaredBytes: number | null, arrivedBytes: number): Room {
  // A body takes a byte from its headers on, so that it waits where nothing is left.
  const bytes = Math.max(1, arrivedBytes);
  if (declaredBytes === null) {
    return bytes <= SMALL_BODY_BYTES ? { pool: 'small', bytes, isArriving: false } : roomOfKnownBytes(MAX_BODY_BYTES);
  }
  if (declaredBytes <= SMALL_BODY_BYTES) return { pool: 'small', bytes, isArriving: false };
  return 2 * arrivedBytes < declaredBytes ? { pool: 'large', bytes, isArriving: true } : roomOfKnownBytes(declaredBytes);
}

/** Whether a room is exchanged for one of another kind, so that the former is free for others. */
export function frees(held: Room, wanted: Room): boolean {
  return held.pool !== wanted.pool || held.isArriving !== wanted.isArriving;
}

/** The room of what is in memory as a whole. */
export function roomOfKnownBytes(bytes: number): Room {
  return { pool: 'large', bytes, isArriving: false };
}

/** What is counted of rooms. */
export interface RoomBytes {
  readonly small: number;
  readonly large: number;
  /** The part of `large` that bodies hold of which less than half has arrived. */
  readonly arriving: number;
}

export type CountedRoom = keyof RoomBytes;

/** A bound on the room that some bodies hold together. */
export class RoomBound {
  readonly #used = { small: 0, large: 0, arriving: 0 };

  /** The lanes are the part of each limit that only the oldest body may use: the largest need of one, so that one always ends. */
  constructor(readonly limits: RoomBytes, private readonly lanes: RoomBytes) {}

  get used(): RoomBytes {
    return this.#used;
  }

  /** What is full for a body that holds `held` and asks for `wanted`; `null`: nothing. More than a whole limit is granted to one that is alone. */
  fullFor(held: Room, wanted: Room, isOldest: boolean): CountedRoom | null {
    const { pool, bytes, isArriving } = wanted;
    if (this.isFull(pool, held.pool === pool ? held.bytes : 0, bytes, isOldest)) return pool;
    return isArriving && this.isFull('arriving', held.isArriving ? held.bytes : 0, bytes, isOldest) ? 'arriving' : null;
  }

  move(from: Room, to: Room): void {
    this.add(from, -1);
    this.add(to, 1);
  }

  /** All that others count, which counts here from now on, or not any more. */
  addAll({ small, large, arriving }: RoomBytes, sign: 1 | -1): void {
    this.#used.small += sign * small;
    this.#used.large += sign * large;
    this.#used.arriving += sign * arriving;
  }

  // oxlint-disable-next-line max-params -- Called several times for every request.
  private isFull(counted: CountedRoom, own: number, wanted: number, isOldest: boolean): boolean {
    if (wanted <= own) return false;
    const others = this.#used[counted] - own;
    return others > 0 && others + wanted > this.limits[counted] - (isOldest ? 0 : this.lanes[counted]);
  }

  private add(room: Room, sign: 1 | -1): void {
    this.#used[room.pool] += sign * room.bytes;
    if (room.isArriving) this.#used.arriving += sign * room.bytes;
  }
}
