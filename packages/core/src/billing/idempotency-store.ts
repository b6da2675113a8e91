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
  /** After the request's maximum duration; then the claim is void. */
  readonly expiresAt: Instant;
}

/** Stored verbatim. */
export interface StoredReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type ClaimOutcome =
  /** `predecessor`: the first request under the key that may have been served, if its process is considered dead. The two form one purchase. */
  | { readonly outcome: 'claimed'; readonly predecessor: RequestId | null }
  | { readonly outcome: 'running'; readonly requestId: RequestId }
  /** The key was used for a different request. */
  | { readonly outcome: 'other-request'; readonly requestId: RequestId }
  /** `replyBytes`: memory needed to read the response; `null` if it was streamed or lost with its process. */
  | { readonly outcome: 'finished'; readonly requestId: RequestId; readonly replyBytes: number | null };

export interface FinishCommand extends IdempotencyClaimName {
  /** `null` if it cannot be replayed. */
  readonly reply: StoredReply | null;
  readonly at: Instant;
  /** The key stays taken until then. */
  readonly expiresAt: Instant;
}

export interface ReleaseCommand extends IdempotencyClaimName {
  readonly at: Instant;
  /** How long a restored claim of a predecessor is kept. */
  readonly keptUntil: Instant;
}

/** Keys are scoped to accounts. */
export interface IdempotencyStore {
  /** Exactly one of concurrent claims is `claimed`. Idempotent for the same request. */
  claim(claim: IdempotencyClaim): Promise<ClaimOutcome>;
  /** `null` if it is no longer stored. */
  reply(name: IdempotencyClaimName): Promise<StoredReply | null>;
  /** Ends even a void claim. Does nothing if another request has taken over the key. */
  finish(command: FinishCommand): Promise<void>;
  /** Restores a predecessor's void claim. Does nothing if the request has finished. */
  release(command: ReleaseCommand): Promise<void>;
  /**
   * Deletes expired keys and voids the claims of dead processes and overdue requests; returns their number. Bounded per call, in number and in bytes
   * of responses. Any request may claim the key of a void claim; until `keptUntil`, a repetition of the request gets it as `predecessor`. A request
   * of a dead process that was charged in full stays finished, without a response, until `keptUntil`.
   */
  sweep(now: Instant, keptUntil: Instant): Promise<number>;
}

/** A sweep stops once the responses that it deletes reach this size. */
export const REPLY_SWEEP_BYTES = 1024 * 1024;
