import type { Model, UpstreamTarget } from '../models/catalogue.js';
import type { ReportedPrompt } from '../money/trusted-usage.js';
import type { CancelSignal } from '../primitives/cancel-signal.js';
import type { AccountId, RequestId } from '../primitives/ids.js';
import type { TokenCount } from '../primitives/token-count.js';
import type { ProviderEventBatch } from './generation-event.js';
import type { GenerationRequest } from './generation-request.js';

export interface ProviderCall {
  readonly requestId: RequestId;
  /** Not sent to the upstream. Keeps failures that one account causes from making the model unavailable to other accounts. */
  readonly accountId: AccountId;
  readonly model: Model;
  readonly target: UpstreamTarget;
  readonly request: GenerationRequest;
  /** At most the model's maximum. */
  readonly maxOutputTokens: TokenCount;
  /** `stream` for output as it arrives. */
  readonly delivery: 'whole' | 'stream';
  readonly signal: CancelSignal;
}

/**
 * `unavailable`: another candidate may serve. `rejected`: invalid request. `too-long`: beyond the model's context. `out-of-time`:
 * earlier output becomes a shortened response; without output, another candidate may serve.
 */
export type ProviderFailureKind = 'unavailable' | 'rejected' | 'too-long' | 'out-of-time';

export interface ProviderFailureDetails {
  readonly cause?: unknown;
  /** How long the provider refuses calls; absent if unknown. */
  readonly retryAfterSeconds?: number;
}

/** `message` is for the log; only `cause` has upstream text. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly retryAfterSeconds: number | null;

  constructor(readonly kind: ProviderFailureKind, message: string, { cause, retryAfterSeconds }: ProviderFailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

/**
 * The response of an upstream that accepted the request; it can be iterated once. `return()` aborts the upstream, even while `next()` is pending. The
 * core calls `return()` once on every stream, even after `provider-end`, and does not wait for it.
 */
export interface ProviderStream extends AsyncIterator<ProviderEventBatch, undefined> {
  /** Not yet validated; `null` until known, often until the end. */
  readonly statedPrompt: ReportedPrompt | null;
  /** False (the default) if all output arrives at the end. */
  readonly isEventStream?: boolean;
  /** As `ServedModel.omitted`. */
  readonly omitted?: readonly string[];
  /** Settles promptly after an abort. Ending before `provider-end` is a failure. */
  next(): Promise<IteratorResult<ProviderEventBatch, undefined>>;
  return(): Promise<IteratorResult<ProviderEventBatch, undefined>>;
}

export interface ModelProvider {
  /** Resolves once the upstream accepts; throws `ProviderFailure`. */
  open(call: ProviderCall): Promise<ProviderStream>;
}
