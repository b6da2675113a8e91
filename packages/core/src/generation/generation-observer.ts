import type { Settlement } from '../billing/reservation.js';
import type { Ending, RequestFacts } from '../billing/usage-record.js';
import type { Model, UpstreamTarget } from '../models/catalogue.js';
import type { ReportedUsage } from '../money/trusted-usage.js';
import type { Usage } from '../money/usage.js';
import type { RequestId, ReservationId, TokenCount } from '../primitives/primitives.js';

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
