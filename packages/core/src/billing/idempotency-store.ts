import type { AccountId, ProcessId, RequestId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';

export interface IdempotencyClaimName {
  readonly accountId: AccountId;
  /** The client's text; printable ASCII. */
  readonly key: string;
  readonly requestId: RequestId;
}

export interface IdempotencyClaim extends IdempotencyClaimName {
  /** If this process dies before the request ends, the claim is void. */
  readonly ownerId: ProcessId;
  /** A hash of the request: equal for repetitions only. */
  readonly fingerprint: string;
  readonly at: Instant;
  /** Later than the request can last; afterwards the claim is void. */
  readonly expiresAt: Instant;
}

/** A whole response, stored verbatim for replay. */
export interface StoredReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type ClaimOutcome =
  /**
   * `predecessor`: the first request under the key that may have been served, because its process counted as dead. Both form one
   * purchase.
   */
  | { readonly outcome: 'claimed'; readonly predecessor: RequestId | null }
  /** The request with this key is still running. */
  | { readonly outcome: 'running'; readonly requestId: RequestId }
  /** The key was used for a different request. */
  | { readonly outcome: 'other-request'; readonly requestId: RequestId }
  /** `replyBytes`: the memory that reading the response takes; `null` if it was streamed, or was lost with its process. */
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
  /** A predecessor's void claim is kept until then. */
  readonly keptUntil: Instant;
}

/** Keeps repeated requests from being served twice. Keys are scoped to accounts. */
export interface IdempotencyStore {
  /** Of concurrent claims, exactly one is `claimed`. Idempotent for the same request. */
  claim(claim: IdempotencyClaim): Promise<ClaimOutcome>;
  /** `null` if the response is no longer stored. */
  reply(name: IdempotencyClaimName): Promise<StoredReply | null>;
  /** Ends a claim, even a void one, and stores its response. Does nothing if another request has taken over the key. */
  finish(command: FinishCommand): Promise<void>;
  /** Undoes the claim; a predecessor's void claim is restored. Does nothing if the request has finished. */
  release(command: ReleaseCommand): Promise<void>;
  /**
   * Deletes expired keys and voids the claims of dead processes and of overdue requests, a bounded number per call; returns how
   * many. A void claim is kept until `keptUntil`: the same request may then take over the key with it as predecessor, and any
   * other request may take the key too. A dead process's request that was charged in full stays finished, without a response,
   * until `keptUntil`.
   */
  sweep(now: Instant, keptUntil: Instant): Promise<number>;
}
