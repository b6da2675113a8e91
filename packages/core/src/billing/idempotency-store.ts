import type { AccountId, ProcessId, RequestId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';

export interface IdempotencyClaimName {
  readonly accountId: AccountId;
  /** From the client; printable ASCII. */
  readonly key: string;
  readonly requestId: RequestId;
}

export interface IdempotencyClaim extends IdempotencyClaimName {
  /** The claim is void if this process dies before the request ends. */
  readonly ownerId: ProcessId;
  /** Hash of the request; equal for repetitions only. */
  readonly fingerprint: string;
  readonly at: Instant;
  /** The claim is void from then on, unless it is prolonged. */
  readonly expiresAt: Instant;
}

/** Claims of requests that the process still runs. */
export interface ClaimProlongation {
  readonly ownerId: ProcessId;
  readonly requests: readonly RequestId[];
  readonly at: Instant;
  readonly expiresAt: Instant;
}

/** A response that is stored and replayed verbatim. */
export interface StoredReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type ClaimOutcome =
  /**
   * `predecessor`: the first request with this key and fingerprint, if its end is unknown because the key's last claim is void; otherwise `null`.
   * Both requests belong to one purchase.
   */
  | { readonly outcome: 'claimed'; readonly predecessor: RequestId | null }
  | { readonly outcome: 'running'; readonly requestId: RequestId }
  /** The key was used for a different request. */
  | { readonly outcome: 'other-request'; readonly requestId: RequestId }
  /** `replyBytes`: memory needed to read the response; `null` if no response is stored, for example because it was streamed. */
  | { readonly outcome: 'finished'; readonly requestId: RequestId; readonly replyBytes: number | null };

export interface FinishCommand extends IdempotencyClaimName {
  /** `null` if the response cannot be replayed. */
  readonly reply: StoredReply | null;
  readonly at: Instant;
  /** The key stays taken until then. */
  readonly expiresAt: Instant;
}

export interface ReleaseCommand extends IdempotencyClaimName {
  readonly at: Instant;
  /** Expiry of the predecessor's claim, if the release restores that claim. */
  readonly keptUntil: Instant;
}

/** Keys are scoped to accounts. */
export interface IdempotencyStore {
  /** Of concurrent claims of a free key, exactly one is `claimed`. A repeated claim of the same request is `claimed` again. */
  claim(claim: IdempotencyClaim): Promise<ClaimOutcome>;
  /** Moves the expiry of the owner's claims, never back. Has no effect on requests without a claim, and on claims that are finished or void. */
  prolong(prolongation: ClaimProlongation): Promise<void>;
  /** `null` if no response is stored. */
  reply(name: IdempotencyClaimName): Promise<StoredReply | null>;
  /**
   * Ends the claim, even a void one; for a deleted account, without the response. Does nothing if the claim is finished already, or another request
   * has taken over the key.
   */
  finish(command: FinishCommand): Promise<void>;
  /**
   * Frees the key, or restores the void claim of a predecessor. Does nothing if the request has finished, or another request has taken over the key.
   */
  release(command: ReleaseCommand): Promise<void>;
  /**
   * Deletes expired keys, and voids claims that are overdue or whose process is dead; returns how many keys it deleted or changed. Bounded per call,
   * in number and in bytes of responses. Any request may claim the key of a void claim; until `keptUntil`, a repetition of the request whose claim is
   * void gets that request as its `predecessor`. If a request had ended regularly or was charged before its process died, its key becomes finished
   * instead, without a response, until `keptUntil`. See `wasPaidToItsEnd`.
   */
  sweep(now: Instant, keptUntil: Instant): Promise<number>;
}

/** A sweep stops once the responses that it deletes reach this size. */
export const REPLY_SWEEP_BYTES = 1024 * 1024;
