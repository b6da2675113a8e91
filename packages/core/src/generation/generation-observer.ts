import type { Settlement } from '../billing/reservation.js';
import type { Ending, RequestFacts } from '../billing/usage-record.js';
import type { Model, UpstreamTarget } from '../models/catalogue.js';
import type { ReportedUsage } from '../money/trusted-usage.js';
import type { Usage } from '../money/usage.js';
import type { RequestId, ReservationId } from '../primitives/ids.js';
import type { TokenCount } from '../primitives/token-count.js';

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
  /** Estimate before the request was sent; `null` if no upstream accepted the request, or all that accepted it failed before any output. */
  readonly estimatedPromptTokens: TokenCount | null;
}

export interface ImplausibleUsage {
  readonly requestId: RequestId;
  readonly model: Model;
  readonly target: UpstreamTarget;
  readonly reported: ReportedUsage;
  /** The gateway's count, which is charged instead. */
  readonly counted: Usage;
}

/** For logs and metrics. Must not block or throw. */
export interface GenerationObserver {
  candidateFailed(failure: CandidateFailure): void;
  generationEnded(outcome: GenerationOutcome): void;
  usageImplausible(report: ImplausibleUsage): void;
  /** The reservation is held until the outbox delivers the settlement or the sweeper ends the reservation. */
  settlementFailed(failure: { readonly reservationId: ReservationId; readonly facts: RequestFacts; readonly cause: unknown }): void;
  /** The slot stays taken until its lease expires. */
  releaseFailed(failure: { readonly requestId: RequestId; readonly cause: unknown }): void;
}

export const SILENT_OBSERVER: GenerationObserver = {
  candidateFailed: () => undefined,
  generationEnded: () => undefined,
  usageImplausible: () => undefined,
  settlementFailed: () => undefined,
  releaseFailed: () => undefined,
};
