import { type AccountId, countedNetworksOf, invariant } from '@tollgate/core';
import type { BodyUpload } from './body-upload.js';
import { MAX_BODY_BYTES, RoomBound, type RoomBytes, SMALL_BODY_BYTES } from './body-room.js';

/** An account, or the address of a client without one. */
export type BodyHolder = { readonly accountId: AccountId } | { readonly address: string };

/** Name of a holder: the account id, or the smallest network of the address. */
export function holderName(holder: BodyHolder): string {
  return 'accountId' in holder ? holder.accountId : networkName(countedNetworksOf(holder.address)[0]?.name ?? holder.address);
}

function networkName(name: string): string {
  return `network ${name}`;
}

/** Standings in the order in which uploads are cut off; `unknown` until the balance is read. */
export const STANDINGS = ['stranger', 'unfunded', 'unknown', 'funded'] as const;
export type BodyStanding = (typeof STANDINGS)[number];

/** Room of an account or a network. */
interface Share {
  readonly name: string;
  readonly bound: RoomBound;
  holders: number;
}

const LANES: RoomBytes = { small: SMALL_BODY_BYTES, large: MAX_BODY_BYTES, arriving: 0 };

/**
 * Room of an account, or of the smallest network of a client without one. `shares` begins with the holder's own share; further shares are those of
 * larger networks.
 */
export class HolderState {
  waiting = 0;
  /** Unfinished bodies that need more room, oldest first. */
  readonly unfinished = new Set<BodyUpload>();

  standing: BodyStanding;
  readonly name: string;
  /** `null` for a network. */
  readonly accountId: AccountId | null;
  readonly shares: readonly Share[];

  constructor({ name, accountId, shares, standing }: Pick<HolderState, 'name' | 'accountId' | 'shares' | 'standing'>) {
    this.name = name;
    this.accountId = accountId;
    this.shares = shares;
    this.standing = standing;
  }

  get isFunded(): boolean {
    return this.standing === 'funded';
  }

  get used(): RoomBytes {
    const [own] = this.shares;
    invariant(own !== undefined, 'the first share is its own');
    return own.bound.used;
  }
}

/** Accounts and networks that hold room, or wait for it. */
export class BodyHolders {
  readonly #holders = new Map<string, HolderState>();
  /** Shares of networks, which several holders may have in common; the share of an account is not among them. */
  readonly #shares = new Map<string, Share>();

  /** `shareBytes` is the share per pool of an account, an IPv4 address or a /64; `standingOf` is called for new accounts. */
  constructor(private readonly shareBytes: number, private readonly standingOf: (id: AccountId) => BodyStanding) {}

  find(holder: BodyHolder): HolderState {
    return 'accountId' in holder ? this.#account(holder.accountId) : this.#stranger(holder.address);
  }

  /** `null` if the account neither holds room nor waits for it. */
  ofAccount(id: AccountId): HolderState | null {
    return this.#holders.get(id) ?? null;
  }

  forgetIfIdle(state: HolderState): void {
    const { small, large } = state.used;
    if (small > 0 || large > 0 || state.waiting > 0 || state.unfinished.size > 0) return;
    if (!this.#holders.delete(state.name)) return;
    for (const share of state.shares) {
      share.holders -= 1;
      if (share.holders === 0) this.#shares.delete(share.name);
    }
  }

  #account(id: AccountId): HolderState {
    const known = this.#holders.get(id);
    if (known !== undefined) return known;
    const state = new HolderState({ name: id, accountId: id, shares: [this.#newShare(id, 1)], standing: this.standingOf(id) });
    this.#holders.set(id, state);
    return state;
  }

  #stranger(address: string): HolderState {
    const networks = countedNetworksOf(address);
    const name = holderName({ address });
    const known = this.#holders.get(name);
    if (known !== undefined) return known;
    const state = new HolderState({ name, accountId: null, shares: networks.map((network) => this.#share(networkName(network.name), network.times)), standing: 'stranger' });
    this.#holders.set(name, state);
    return state;
  }

  #share(name: string, times: number): Share {
    const known = this.#shares.get(name);
    if (known !== undefined) {
      known.holders += 1;
      return known;
    }
    const share = this.#newShare(name, times);
    this.#shares.set(name, share);
    return share;
  }

  #newShare(name: string, times: number): Share {
    const bytes = this.shareBytes * times;
    return { name, bound: new RoomBound({ small: bytes, large: bytes, arriving: bytes }, LANES), holders: 1 };
  }
}
