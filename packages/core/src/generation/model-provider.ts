import type { Model, UpstreamTarget } from '../models/catalogue.js';
import type { ReportedPrompt } from '../money/trusted-usage.js';
import type { CancelSignal } from '../primitives/cancel-signal.js';
import type { AccountId, RequestId, TokenCount } from '../primitives/primitives.js';
import type { ProviderEventBatch } from './generation-event.js';
import type { GenerationRequest } from './generation-request.js';

export interface ProviderCall {
  readonly requestId: RequestId;
  /** Never sent: what one account's calls fail of must not be held against another's. */
  readonly accountId: AccountId;
  readonly model: Model;
  readonly target: UpstreamTarget;
  readonly request: GenerationRequest;
  /** The most the upstream may generate; never above the model's maximum. */
  readonly maxOutputTokens: TokenCount;
  /** `stream` when output must be seen as it comes. */
  readonly delivery: 'whole' | 'stream';
  readonly signal: CancelSignal;
}

/**
 * `unavailable`: another candidate may serve. `rejected`: the request itself is at fault.
 * `too-long`: it is at fault for not fitting the model's context.
 * `out-of-time`: the generation took longer than any may. Output that came before it is a reply that was cut short; without any, another candidate may serve.
 */
export type ProviderFailureKind = 'unavailable' | 'rejected' | 'too-long' | 'out-of-time';

export interface ProviderFailureDetails {
  readonly cause?: unknown;
  /** How long the provider takes no call, where it knows. */
  readonly retryAfterSeconds?: number;
}

/** Why a provider did not serve, or did not finish. The message is for the log; upstream text stays in `cause`. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly retryAfterSeconds: number | null;

  constructor(readonly kind: ProviderFailureKind, message: string, { cause, retryAfterSeconds }: ProviderFailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

/**
 * An upstream that has accepted a request. Iterate it once. `return()` aborts the upstream, at any time, also while `next()` is pending.
 * The core calls it once on every stream, after `provider-end` too, and waits for it never.
 */
export interface ProviderStream extends AsyncIterator<ProviderEventBatch, undefined> {
  /** The prompt as the upstream has counted it, not yet trusted; `null` until it says, which many do with their end only. */
  readonly statedPrompt: ReportedPrompt | null;
  /** Whether the upstream answers with a stream of events; otherwise all output comes at its end. Not unless given. */
  readonly isEventStream?: boolean;
  /** Settings of the request that the upstream was not sent, by the names that usage records have for them. Absent: none. */
  readonly omitted?: readonly string[];
  /** Yields what arrived; after an abort by signal it ends or throws promptly. Ending before `provider-end` is a failure. */
  next(): Promise<IteratorResult<ProviderEventBatch, undefined>>;
  return(): Promise<IteratorResult<ProviderEventBatch, undefined>>;
}

/** Models that generate. */
export interface ModelProvider {
  /** Resolves once the upstream has accepted the request; throws `ProviderFailure`. */
  open(call: ProviderCall): Promise<ProviderStream>;
}
