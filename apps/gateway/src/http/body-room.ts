/** Bodies up to this size have a pool of their own. */
export const SMALL_BODY_BYTES = 65_536;
/** 2 MiB: the largest accepted body. */
export const MAX_BODY_BYTES = 2_097_152;

/** Room that is held or requested. */
export interface Room {
  readonly pool: 'small' | 'large';
  readonly bytes: number;
  /** True for a large body of which less than half is received; it also counts towards the share of such bodies. */
  readonly isArriving: boolean;
}

export const NO_ROOM: Room = { pool: 'small', bytes: 0, isArriving: false };

/**
 * Room for the received bytes of a body, and for the whole length of a body of more than 64 KiB once half of it has arrived. Without a declared
 * length, a body beyond 64 KiB counts as the largest.
 */
export function roomOfBody(declaredBytes: number | null, arrivedBytes: number): Room {
  // Every body counts as at least one byte, so that it waits when no room is left.
  const bytes = Math.max(1, arrivedBytes);
  if (declaredBytes === null) {
    return bytes <= SMALL_BODY_BYTES ? { pool: 'small', bytes, isArriving: false } : roomOfKnownBytes(MAX_BODY_BYTES);
  }
  if (declaredBytes <= SMALL_BODY_BYTES) return { pool: 'small', bytes, isArriving: false };
  return 2 * arrivedBytes < declaredBytes ? { pool: 'large', bytes, isArriving: true } : roomOfKnownBytes(declaredBytes);
}

/** True if the pool or the share of arriving bodies changes, so that room in the previous one becomes free. */
export function frees(held: Room, wanted: Room): boolean {
  return held.pool !== wanted.pool || held.isArriving !== wanted.isArriving;
}

/** Room for a known number of bytes, none of which counts as arriving. */
export function roomOfKnownBytes(bytes: number): Room {
  return { pool: 'large', bytes, isArriving: false };
}

export interface RoomBytes {
  readonly small: number;
  readonly large: number;
  /** The part of `large` for bodies of which less than half is received. */
  readonly arriving: number;
}

export type CountedRoom = keyof RoomBytes;

export class RoomBound {
  readonly #used = { small: 0, large: 0, arriving: 0 };

  /** `lanes` is the part of each limit that only calls of `fullFor` with `isOldest` may use, so that one body always finishes. */
  constructor(readonly limits: RoomBytes, private readonly lanes: RoomBytes) {}

  get used(): RoomBytes {
    return this.#used;
  }

  /** Returns the limit that is full, or `null`. A single body may exceed a whole limit. */
  fullFor(held: Room, wanted: Room, isOldest: boolean): CountedRoom | null {
    const { pool, bytes, isArriving } = wanted;
    if (this.isFull(pool, held.pool === pool ? held.bytes : 0, bytes, isOldest)) return pool;
    return isArriving && this.isFull('arriving', held.isArriving ? held.bytes : 0, bytes, isOldest) ? 'arriving' : null;
  }

  move(from: Room, to: Room): void {
    const used = this.#used;
    used[from.pool] -= from.bytes;
    used[to.pool] += to.bytes;
    if (from.isArriving) used.arriving -= from.bytes;
    if (to.isArriving) used.arriving += to.bytes;
  }

  /** Adds the room that another bound counts, or removes it. */
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
}
