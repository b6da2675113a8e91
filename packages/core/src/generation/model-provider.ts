import type { Model, UpstreamTarget } from '../models/catalogue.js';
import type { ReportedPrompt } from '../money/trusted-usage.js';
import type { CancelSignal } from '../primitives/cancel-signal.js';
import type { AccountId, RequestId, TokenCount } from '../primitives/primitives.js';
import type { ProviderEventBatch } from './generation-event.js';
import type { GenerationRequest } from './generation-request.js';

export interface ProviderCall {
  readonly requestId: RequestId;
  /** Not sent upstream. Keeps failures caused by one account from affecting others. */
  readonly accountId: AccountId;
  readonly model: Model;
  readonly target: UpstreamTarget;
  readonly request: GenerationRequest;
  /** Never above the model's maximum. */
  readonly maxOutputTokens: TokenCount;
  /** `stream` if output must be available as it arrives. */
  readonly delivery: 'whole' | 'stream';
  readonly signal: CancelSignal;
}

/**
 * `unavailable`: another candidate may serve. `rejected`: the request is invalid. `too-long`: it does not fit the model's
 * context. `out-of-time`: the generation exceeded the time limit; with output it is a shortened response, without output another
 * candidate may serve.
 */
export type ProviderFailureKind = 'unavailable' | 'rejected' | 'too-long' | 'out-of-time';

export interface ProviderFailureDetails {
  readonly cause?: unknown;
  /** How long the provider refuses calls, if known. */
  readonly retryAfterSeconds?: number;
}

/** The message is for the log; upstream text is in `cause` only. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly retryAfterSeconds: number | null;

  constructor(readonly kind: ProviderFailureKind, message: string, { cause, retryAfterSeconds }: ProviderFailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

/**
 * A request that an upstream has accepted. Iterate it once. `return()` aborts the upstream, also while `next()` is pending; the
 * core calls it once on every stream, even after `provider-end`, and does not wait for it.
 */
export interface ProviderStream extends AsyncIterator<ProviderEventBatch, undefined> {
  /** The upstream's count, not yet validated; `null` until it is known, often until the end. */
  readonly statedPrompt: ReportedPrompt | null;
  /** True if the upstream streams; otherwise all output arrives at the end. Default: false. */
  readonly isEventStream?: boolean;
  /** Parameters that the upstream was not sent, by their names in usage records. Default: none. */
  readonly omitted?: readonly string[];
  /** Ends or rejects promptly after an abort. Ending before `provider-end` is a failure. */
  next(): Promise<IteratorResult<ProviderEventBatch, undefined>>;
  return(): Promise<IteratorResult<ProviderEventBatch, undefined>>;
}

export interface ModelProvider {
  /** Resolves once the upstream has accepted the request; throws `ProviderFailure`. */
  open(call: ProviderCall): Promise<ProviderStream>;
}
