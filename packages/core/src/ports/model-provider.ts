import type { GenerationRequest, OutputSchema } from '../generation/generation-request.js';
import type { ProviderEventBatch } from '../generation/generation-event.js';
import type { ReportedPrompt, ReportedUsage, Usage } from '../generation/usage.js';
import type { AccountId, RequestId, ReservationId, TokenCount } from '../primitives.js';
import type { Catalogue, Model, UpstreamTarget } from '../models/catalogue.js';
import type { Settlement } from '../billing/reservation.js';
import type { Ending, RequestFacts } from '../billing/usage-record.js';

/** The part of an `AbortSignal` the core needs; a real one is one of these. */
export interface CancelSignal {
  /** The core reads it before it hands out output, which is charged from then on. */
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

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

/** Counts the tokens of a text that arrives in pieces. */
export interface TokenCounter {
  add(text: string): void;
  /**
   * Takes back the text that was added last, and adds as much of its beginning as keeps the count at `tokens` or below.
   * Returns the length of that beginning in UTF-16 code units; a character is never cut in two.
   */
  clipLast(text: string, tokens: number): number;
  readonly tokens: TokenCount;
}

/** Estimates token counts in time linear in the text. */
export interface TokenEstimator {
  /** System, turns and tools; at least 1. */
  estimatePrompt(request: GenerationRequest): TokenCount;
  /** What a server makes of the schema that a reply is to follow. */
  estimateSchema(schema: OutputSchema): TokenCount;
  startCounter(): TokenCounter;
}

/** The catalogue in force. A request reads it once and keeps to what it read. */
export interface CatalogueSource {
  current(): Catalogue;
}

export interface CandidateFailure {
  readonly requestId: RequestId;
  readonly model: Model;
  readonly target: UpstreamTarget;
  readonly failure: unknown;
}

export interface GenerationOutcome {
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly settlement: Settlement;
  /** What the prompt was taken for before it was served; `null` where no upstream accepted it. */
  readonly estimatedPromptTokens: TokenCount | null;
}

/** A report of usage that cannot be true. */
export interface DisbelievedUsage {
  readonly requestId: RequestId;
  readonly model: Model;
  readonly target: UpstreamTarget;
  readonly reported: ReportedUsage;
  /** What is charged instead. */
  readonly counted: Usage;
}

/** Told what logs and metrics want to know. Must return at once and never throw. */
export interface GenerationObserver {
  candidateFailed(failure: CandidateFailure): void;
  generationEnded(outcome: GenerationOutcome): void;
  usageDisbelieved(report: DisbelievedUsage): void;
  /** The ledger did not take a settlement; the reservation stays held until the settlement is delivered or the sweeper ends it. */
  settlementFailed(failure: { readonly reservationId: ReservationId; readonly facts: RequestFacts; readonly cause: unknown }): void;
  /** The limiter did not take an admission back; its slot is busy until its lease runs out. */
  releaseFailed(failure: { readonly requestId: RequestId; readonly cause: unknown }): void;
}

export const SILENT_OBSERVER: GenerationObserver = {
  candidateFailed: () => undefined,
  generationEnded: () => undefined,
  usageDisbelieved: () => undefined,
  settlementFailed: () => undefined,
  releaseFailed: () => undefined,
};
