import type { AccountId } from '@tollgate/core';
import { type BodyHolder, BodyHolders, type BodyStanding, type HolderState } from './body-holders.js';
import { MAX_BODY_BYTES, type CountedRoom, type Room, RoomBound, type RoomBytes, SMALL_BODY_BYTES } from './body-room.js';
import { type BodyRoom, BodyUpload } from './body-upload.js';

/** Share of all room for strangers and accounts without a balance together. */
export const UNFUNDED_SHARE = 0.75;
/** Share of the large pool for bodies of which less than half is received. */
const ARRIVING_SHARE = 0.5;

/** `funded` clients may use all of the room; `unfunded` clients share a part of it. */
export type Kind = 'funded' | 'unfunded';

export function kindOf({ isFunded }: HolderState): Kind {
  return isFunded ? 'funded' : 'unfunded';
}

const LANES: RoomBytes = { small: SMALL_BODY_BYTES, large: 0, arriving: MAX_BODY_BYTES / 2 };

/** True for the oldest upload, for uploads that have received no byte yet, and for loaded data: only these may use the room that `LANES` reserves. */
function isFirst(room: BodyRoom, uploads: ReadonlySet<object>): boolean {
  if (!(room instanceof BodyUpload) || room.arrivedBytes === 0) return true;
  const [oldest] = uploads;
  return oldest === undefined || oldest === room;
}

/** Unfinished uploads by kind and pool, oldest first. */
type UnfinishedUploads = Readonly<Record<Kind, Readonly<Record<Room['pool'], Set<BodyUpload>>>>>;

export class BodyRooms {
  readonly #holders: BodyHolders;
  readonly #all: RoomBound;
  readonly #unfunded: RoomBound;
  /** Partly received uploads, oldest first. */
  readonly #uploads = new Set<BodyUpload>();
  readonly #unfinished: UnfinishedUploads = { funded: { small: new Set(), large: new Set() }, unfunded: { small: new Set(), large: new Set() } };

  /** `isFunded` returns `null` if the balance is unknown. */
  constructor(processBytes: number, accountBytes: number, isFunded: (id: AccountId) => boolean | null) {
    this.#holders = new BodyHolders(accountBytes, (id) => standingOf(isFunded(id)));
    this.#all = new RoomBound({ small: processBytes, large: processBytes, arriving: processBytes * ARRIVING_SHARE }, LANES);
    const unfundedBytes = processBytes * UNFUNDED_SHARE;
    this.#unfunded = new RoomBound({ small: unfundedBytes, large: unfundedBytes, arriving: unfundedBytes * ARRIVING_SHARE }, LANES);
  }

  get used(): RoomBytes {
    return this.#all.used;
  }

  get uploads(): Iterable<BodyUpload> {
    return this.#uploads;
  }

  /** The oldest unfinished upload of each kind and pool. */
  get oldestUnfinished(): readonly (BodyUpload | undefined)[] {
    const { funded, unfunded } = this.#unfinished;
    return [funded.small, funded.large, unfunded.small, unfunded.large].map(([oldest]) => oldest);
  }

  holderOf(holder: BodyHolder): HolderState {
    return this.#holders.find(holder);
  }

  forgetIfIdle(holder: HolderState): void {
    this.#holders.forgetIfIdle(holder);
  }

  /** Called when a part of the body has arrived; repeated calls do nothing. */
  register(upload: BodyUpload): void {
    if (this.#uploads.has(upload)) return;
    const { holder, needed } = upload;
    this.#uploads.add(upload);
    this.#unfinished[kindOf(holder)][needed.pool].add(upload);
    holder.unfinished.add(upload);
  }

  /** Called when the upload is complete or ended. Returns whether it was registered. */
  unregister(upload: BodyUpload): boolean {
    const wasPart = this.#uploads.delete(upload);
    if (wasPart) this.#stopsAsking(upload);
    return wasPart;
  }

  move(room: BodyRoom, to: Room): void {
    const { holder, held } = room;
    for (const { bound } of holder.shares) bound.move(held, to);
    this.#all.move(held, to);
    if (!holder.isFunded) this.#unfunded.move(held, to);
    room.held = to;
    if (room instanceof BodyUpload && this.#uploads.has(room) && room.hasAllRoom) this.#stopsAsking(room);
  }

  /** What has no room left: the share of the holder, or a pool of the gateway; `null` if the room can be taken. */
  blockerOf(room: BodyRoom, wanted: Room): 'holder' | CountedRoom | null {
    const { holder, held } = room;
    const isFirstOfHolder = isFirst(room, holder.unfinished);
    for (const { bound } of holder.shares) if (bound.fullFor(held, wanted, isFirstOfHolder) !== null) return 'holder';
    const isFirstOfKind = isFirst(room, this.#unfinished[kindOf(holder)][wanted.pool]);
    if (holder.isFunded) return this.#all.fullFor(held, wanted, isFirstOfKind);
    return this.#unfunded.fullFor(held, wanted, isFirstOfKind) ?? this.#all.fullFor(held, wanted, false);
  }

  /** Returns true if the balance, now known, changes the room that the account may take. */
  restand(id: AccountId, isFunded: boolean): boolean {
    const holder = this.#holders.ofAccount(id);
    if (holder === null) return false;
    const before = kindOf(holder);
    holder.standing = standingOf(isFunded);
    const now = kindOf(holder);
    if (now === before) return false;
    this.#unfunded.addAll(holder.used, isFunded ? -1 : 1);
    for (const upload of holder.unfinished) {
      const { pool } = upload.needed;
      if (this.#unfinished[before][pool].delete(upload)) this.#unfinished[now][pool].add(upload);
    }
    return true;
  }

  #stopsAsking(upload: BodyUpload): void {
    const { small, large } = this.#unfinished[kindOf(upload.holder)];
    small.delete(upload);
    large.delete(upload);
    upload.holder.unfinished.delete(upload);
  }

}

function standingOf(isFunded: boolean | null): BodyStanding {
  if (isFunded === null) return 'unknown';
  return isFunded ? 'funded' : 'unfunded';
}
