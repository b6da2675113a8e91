import type { AccountId, MachineId, RequestId } from '../primitives/ids.js';
import { type Instant, MILLISECONDS_PER_DAY } from '../primitives/time.js';

/** Claim of an idempotency key for a change that a machine may send again. */
export interface MachineClaim {
  readonly machineId: MachineId;
  /** The header `Idempotency-Key`. */
  readonly key: string;
  /** Hash of method, path and body. */
  readonly fingerprint: string;
  readonly requestId: RequestId;
}

export interface MachineAnswer {
  readonly status: number;
  /** JSON without secrets; empty for no body. */
  readonly body: string;
}

export interface StoredClaim {
  readonly requestId: RequestId;
  readonly fingerprint: string;
  /** Subject of the change's last audit entry; `null` for a change without effect. */
  readonly subject: string | null;
  readonly claimedAt: Instant;
  /** `null` until the answer is stored, and after the account that it concerns is erased. */
  readonly answer: MachineAnswer | null;
}

export const MACHINE_CLAIM_KEPT_MILLISECONDS = MILLISECONDS_PER_DAY;
/** Further claims of a machine replace its oldest claims. */
export const MAX_CLAIMS_OF_MACHINE = 50_000;

/** Thrown in the transaction of a change if another request has claimed the key. The change then has no effect. */
export class KeyClaimed extends Error {}

/** The transaction of a change claims its key; see `Actor.claim`. */
export interface MachineClaims {
  /** `null` for a key that is unclaimed or expired. */
  find(claim: Pick<MachineClaim, 'machineId' | 'key'>, now: Instant): Promise<StoredClaim | null>;
  /**
   * Stores the answer; claims the key first if the change had no effect and therefore made no claim. False, without effect, if another request has
   * the key. The answer is erased with the account of the change's last audit entry; if the change made no claim, with `accountId`. It is not stored
   * if that account is deleted already.
   */
  storeAnswer(claim: MachineClaim, answer: MachineAnswer & { readonly accountId: AccountId | null }, now: Instant): Promise<boolean>;
}
