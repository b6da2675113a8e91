import type { AccountId, ProcessId, RequestId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';

/** Names the claim that one request has on a key. */
export interface IdempotencyClaimName {
  readonly accountId: AccountId;
  /** As the client wrote it; printable ASCII. */
  readonly key: string;
  readonly requestId: RequestId;
}

/** What a request says when it begins under a key that its client may send again. */
export interface IdempotencyClaim extends IdempotencyClaimName {
  /** The process that serves the request. When it dies before the end, the claim is void. */
  readonly ownerId: ProcessId;
  /** The same for the same request, different for any other. */
  readonly fingerprint: string;
  readonly at: Instant;
  /** Later than the request can last. From then on the claim is void. */
  readonly expiresAt: Instant;
}

/** A whole reply as it was sent, to be sent again. */
export interface StoredReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type ClaimOutcome =
  /** `predecessor`: the first request under the key whose end is not known, since its process was taken for dead; both are one purchase. */
  | { readonly outcome: 'claimed'; readonly predecessor: RequestId | null }
  /** The request that has the key is not over. */
  | { readonly outcome: 'running'; readonly requestId: RequestId }
  /** The key was used for a request with another fingerprint. */
  | { readonly outcome: 'other-request'; readonly requestId: RequestId }
  /** `replyBytes`: what reading the reply brings into memory; `null` when it was streamed, or lost with the process that had made it. */
  | { readonly outcome: 'finished'; readonly requestId: RequestId; readonly replyBytes: number | null };

export interface FinishCommand extends IdempotencyClaimName {
  /** `null` for a reply that cannot be sent again. */
  readonly reply: StoredReply | null;
  readonly at: Instant;
  /** Until then the key stays taken. */
  readonly expiresAt: Instant;
}

export interface ReleaseCommand extends IdempotencyClaimName {
  readonly at: Instant;
  /** Until then a predecessor keeps its void claim. */
  readonly keptUntil: Instant;
}

/** Which requests have been sent under which keys, so that a request that is sent again is not served again. Keys belong to accounts. */
export interface IdempotencyStore {
  /** Of simultaneous claims on a key exactly one is `claimed`. Repeating a claim of the same request changes nothing. */
  claim(claim: IdempotencyClaim): Promise<ClaimOutcome>;
  /** The reply of the finished request that is named; `null` once it is no longer kept. */
  reply(name: IdempotencyClaimName): Promise<StoredReply | null>;
  /** Ends a claim and keeps its reply, also that of a void one. Does nothing once another request has taken the key. */
  finish(command: FinishCommand): Promise<void>;
  /** Gives the key back, as if it had not been claimed: a predecessor keeps its void claim. Does nothing once the request has finished. */
  release(command: ReleaseCommand): Promise<void>;
  /**
   * Forgets what has expired and voids the claims of dead processes, and of requests past their time, a bounded number at a time; says how many it ended.
   * A void claim is kept until `keptUntil`; the same request may take its key, with it as the predecessor, and any other request may take it too.
   * A dead process's request that had been charged in full stays finished, without a reply, until `keptUntil`.
   */
  sweep(now: Instant, keptUntil: Instant): Promise<number>;
}
