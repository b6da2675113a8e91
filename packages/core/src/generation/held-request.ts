import type { KeyBudget } from '../billing/key-limit.js';
import type { Ledger } from '../billing/ledger.js';
import type { KnownHold, ReservationProgress, ReserveOutcome, Settlement } from '../billing/reservation.js';
import { coveredOutput, OUTPUT_STEP_TOKENS, type SetAside } from '../billing/reserve-demand.js';
import type { Ending, EndReason, RequestFacts, ServedModel } from '../billing/usage-record.js';
import { SettlementRefused, toGatewayError } from '../errors/store-failures.js';
import type { AdmissionEnd, AdmissionTicket } from '../limits/admission.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import { dearestCost, payableOutput } from '../money/dearest-cost.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { NO_USAGE, totalTokensOf, type Usage } from '../money/usage.js';
import type { ReservationId } from '../primitives/ids.js';
import type { TokenCount } from '../primitives/token-count.js';
import type { GenerationObserver } from './generation-observer.js';
import { releaseAdmission } from './release-admission.js';
import type { RunningGenerations } from './running-generations.js';
import type { UsageMeter } from './usage-meter.js';

export interface HeldRequestPorts {
  readonly ledger: Ledger;
  readonly limiter: RateLimiter;
  readonly observer: GenerationObserver;
  readonly running: RunningGenerations;
}

export interface HeldRequestOptions {
  readonly reservationId: ReservationId;
  readonly ticket: AdmissionTicket;
  readonly facts: RequestFacts;
  /** `null` for a key without a limit. */
  readonly budget: KeyBudget | null;
  readonly setAside: SetAside;
}

/** `covered`, or the reason why the request ends. */
export type Extension = 'covered' | Extract<EndReason, 'balance_exhausted' | 'key_limit_reached'>;

interface Serving {
  readonly service: ServedModel;
  readonly meter: UsageMeter;
}

function admissionEndOf(ending: Ending): AdmissionEnd {
  return ending.service === null ? { kind: 'unserved' } : { kind: 'served', tokens: totalTokensOf(ending.usage) };
}

/** Owns a request's reservation and slot, and ends both exactly once. */
export class HeldRequest {
  readonly reservationId: ReservationId;
  readonly facts: RequestFacts;
  readonly #ticket: AdmissionTicket;
  readonly #budget: KeyBudget | null;
  readonly #promptTokens: TokenCount;
  /** Includes extensions. */
  #setAside: ServiceTokens;
  #coveredOutputTokens: number;
  #serving: Serving | null = null;
  #settlement: Promise<Settlement> | null = null;
  #isUncharged = false;
  #isCheckpointed = false;

  constructor(private readonly ports: HeldRequestPorts, options: HeldRequestOptions) {
    this.reservationId = options.reservationId;
    this.facts = options.facts;
    this.#ticket = options.ticket;
    this.#budget = options.budget;
    this.#promptTokens = options.setAside.promptTokens;
    this.#setAside = options.setAside.amount;
    this.#coveredOutputTokens = coveredOutput(options.setAside);
    ports.running.add(this);
  }

  get service(): ServedModel | null {
    return this.#serving?.service ?? null;
  }

  /** Includes extensions. */
  get setAside(): ServiceTokens {
    return this.#setAside;
  }

  /** Output tokens covered at the serving model's price; before a model serves, at the highest price of any candidate. */
  get coveredOutputTokens(): number {
    return this.#coveredOutputTokens;
  }

  get hasEnded(): boolean {
    return this.#settlement !== null;
  }

  /** True if the settlement of a served request was refused permanently: the request is free and may be repeated under its idempotency key. */
  get isUncharged(): boolean {
    return this.#isUncharged;
  }

  /** An upstream accepted the request: if the client disconnects from now on, it pays at least for the prompt. */
  accept(service: ServedModel, meter: UsageMeter): void {
    this.#serving = { service, meter };
    this.#coveredOutputTokens = this.payableOutput(service);
  }

  /** The upstream that accepted the request failed; another may be tried. */
  abandon(): void {
    this.#serving = null;
  }

  /** Usage to charge if the request ended now: for a whole response only the prompt, because no output is delivered before the end. */
  usageSoFar(): Usage {
    if (this.#serving === null) return NO_USAGE;
    return this.facts.streamed ? this.#serving.meter.usage() : this.#serving.meter.promptUsage();
  }

  /** Usage to charge if the request ended now and the client did not receive the last batch. */
  usageWithoutLastBatch(): Usage {
    if (this.#serving === null) return NO_USAGE;
    return this.facts.streamed ? this.#serving.meter.usageAtMark() : this.#serving.meter.promptUsage();
  }

  /** `null` unless an upstream has accepted the request and has not been abandoned. */
  progress(): ReservationProgress | null {
    if (this.#serving === null) return null;
    this.#isCheckpointed = true;
    return { service: this.#serving.service, usage: this.usageSoFar() };
  }

  /** Extends the reservation by a multiple of the extension step. Throws `GatewayError`, never `ProviderFailure`, if the ledger fails. */
  async extendTo(outputTokens: number): Promise<Extension> {
    const service = this.service;
    if (service === null) return 'balance_exhausted';
    const missing = outputTokens - this.#coveredOutputTokens;
    const step = Math.ceil(missing / OUTPUT_STEP_TOKENS) * OUTPUT_STEP_TOKENS;
    const amount = dearestCost(0, step, service.price);
    const outcome = await this.extend(amount);
    if (outcome !== 'reserved') return outcome === 'key-limit' ? 'key_limit_reached' : 'balance_exhausted';
    this.#setAside = this.#setAside.plus(amount);
    this.#coveredOutputTokens = this.payableOutput(service);
    return 'covered';
  }

  /**
   * Settles the reservation and frees the slot. Idempotent: returns the first settlement, which may be pending. Rejects if the ledger does not accept
   * the settlement; after `SettlementRefused`, the request is free.
   */
  end(ending: Ending): Promise<Settlement> {
    this.#settlement ??= this.settle(ending);
    return this.#settlement;
  }

  /** Like `end`, but resolves to `null` if the ledger does not accept the settlement. */
  async tryEnd(ending: Ending): Promise<Settlement | null> {
    const [ended] = await Promise.allSettled([this.end(ending)]);
    return ended.status === 'fulfilled' ? ended.value : null;
  }

  private hold(): KnownHold {
    return { facts: this.facts, amount: this.#setAside, budget: this.#budget, isCheckpointed: this.#isCheckpointed };
  }

  private payableOutput({ price }: ServedModel): number {
    return payableOutput(this.#setAside, this.#promptTokens, price);
  }

  private async extend(amount: ServiceTokens): Promise<ReserveOutcome['outcome']> {
    try {
      return (await this.ports.ledger.extend(this.reservationId, amount)).outcome;
    } catch (cause) {
      throw toGatewayError(cause);
    }
  }

  private async settle(ending: Ending): Promise<Settlement> {
    const { ledger, observer, running } = this.ports;
    try {
      const settlement = await ledger.settle({ reservationId: this.reservationId, ending, hold: this.hold() });
      observer.generationEnded({ facts: this.facts, ending, settlement, estimatedPromptTokens: this.#serving?.meter.estimatedPromptTokens ?? null });
      return settlement;
    } catch (cause) {
      this.#isUncharged = cause instanceof SettlementRefused;
      observer.settlementFailed({ reservationId: this.reservationId, facts: this.facts, cause });
      throw cause;
    } finally {
      running.delete(this);
      await releaseAdmission({ requestId: this.facts.requestId, ticket: this.#ticket }, admissionEndOf(ending), this.ports);
    }
  }
}
