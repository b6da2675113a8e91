import type { Instant } from '@tollgate/core';
import { type BodyStanding, type HolderState, STANDINGS } from './body-holders.js';
import type { CountedRoom, Room } from './body-room.js';

interface CuttableUpload {
  readonly holder: HolderState;
  readonly held: Room;
  readonly startedAt: Instant;
  readonly arrivedBytes: number;
  /** True while the body arrives and is not cut off. */
  readonly isOpen: boolean;
}

interface Candidate<Upload> {
  readonly upload: Upload;
  readonly rank: number;
  /** Bytes that the account or network of the upload holds. */
  readonly holding: number;
  readonly bytesPerMillisecond: number;
}

const FUNDED_RANK = STANDINGS.indexOf('funded');

/** Orders uploads by standing, then those of funded accounts by the bytes that the account holds, most first, and finally by speed, slowest first. */
function compare<Upload extends CuttableUpload>(one: Candidate<Upload>, other: Candidate<Upload>): number {
  if (one.rank !== other.rank) return one.rank - other.rank;
  if (one.rank === FUNDED_RANK && one.holding !== other.holding) return other.holding - one.holding;
  return one.bytesPerMillisecond - other.bytesPerMillisecond;
}

/** True for uploads of clients with a worse or equal standing; all clients without a balance count as equal. */
function mayCut(standing: BodyStanding, rank: number): boolean {
  return rank <= Math.max(STANDINGS.indexOf('unfunded'), STANDINGS.indexOf(standing));
}

/** Maximum number of cuts per sorted list, because each costs microseconds of an event loop turn. */
export const MAX_CUTS = 100;

/** Cuttable uploads in order, sorted once and used for a while, so that the cost per cut is constant. */
export class UploadCuts<Upload extends CuttableUpload> {
  #left = MAX_CUTS;
  readonly #lists: Readonly<Record<CountedRoom, Candidate<Upload>[]>>;

  constructor(uploads: Iterable<Upload>, now: Instant) {
    const lists: Record<CountedRoom, Candidate<Upload>[]> = { small: [], large: [], arriving: [] };
    for (const upload of uploads) {
      const { holder, held, startedAt, arrivedBytes } = upload;
      const candidate = {
        upload, rank: STANDINGS.indexOf(holder.standing), holding: holder.used.small + holder.used.large,
        bytesPerMillisecond: arrivedBytes / Math.max(1, now - startedAt),
      };
      lists[held.pool].push(candidate);
      if (held.isArriving) lists.arriving.push(candidate);
    }
    // Elements are taken from the end.
    for (const list of Object.values(lists)) list.sort((one, other) => compare(other, one));
    this.#lists = lists;
  }

  /** The next upload whose end frees room in `counted` for a request with that standing; `null` if there is none. */
  next(counted: CountedRoom, standing: BodyStanding): Upload | null {
    const list = this.#lists[counted];
    for (let last = list.at(-1); last !== undefined && this.#left > 0; last = list.at(-1)) {
      const { upload, rank } = last;
      const isOfUse = upload.isOpen && (counted === 'arriving' ? upload.held.isArriving : upload.held.pool === counted);
      if (isOfUse && !mayCut(standing, rank)) return null;
      list.pop();
      if (!isOfUse) continue;
      this.#left -= 1;
      return upload;
    }
    return null;
  }
}
