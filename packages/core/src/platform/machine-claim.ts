import type { AccountId, MachineId, RequestId } from '../primitives/ids.js';
import { type Instant, MILLISECONDS_PER_DAY } from '../primitives/time.js';

/** Claim of a key for a change that a machine may send again. */
export interface MachineClaim {
  readonly machineId: MachineId;
  /** The header `Idempotency-Key`. */
  readonly key: string;
  /** Of method, path and body. */
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
  /** Subject of the last audit entry; `null` for a change without effect. */
  readonly subject: string | null;
  readonly claimedAt: Instant;
  /** `null` until it is stored, and after the account that it concerns is erased. */
  readonly answer: MachineAnswer | null;
}

export const MACHINE_CLAIM_KEPT_MILLISECONDS = MILLISECONDS_PER_DAY;
/** Further claims of a machine replace its oldest ones. */
export const MAX_CLAIMS_OF_MACHINE = 50_000;

/** Thrown in the transaction of a change, which has no effect: another request has claimed the key. */
export class KeyClaimed extends Error {}

/** The transaction of a change claims its key; see `Actor.claim`. */
export interface MachineClaims {
  /** `null` for a key that is unclaimed or expired. */
  find(claim: Pick<MachineClaim, 'machineId' | 'key'>, now: Instant): Promise<StoredClaim | null>;
  /**
   * Claims the key if the change had no effect; false, without effect, if another request has it. The answer is erased with the account of
   * `accountId`.
   */
  storeAnswer(claim: MachineClaim, answer: MachineAnswer & { readonly accountId: AccountId | null }, now: Instant): Promise<boolean>;
}
