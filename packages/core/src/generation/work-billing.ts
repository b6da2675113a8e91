import { releaseDoubtful, unservedEnding } from '../billing/charge.js';
import type { Ledger } from '../billing/ledger.js';
import type { Settlement, SettlementHold } from '../billing/reservation.js';
import type { Ending, RequestFacts, ServedModel } from '../billing/usage-record.js';
import { chargeFor, type Price, type TokenRate } from '../money/price.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { NO_USAGE } from '../money/usage.js';
import type { Clock } from '../primitives/clock.js';
import type { IdGenerator } from '../primitives/id-generator.js';
import { type AccountId, invariant, type ModelSlug, type ProcessId, type ReservationId, tokenCount } from '../primitives/primitives.js';
import { later } from '../primitives/time.js';

/** Whole, non-negative numbers of the units that the price is for. */
export interface WorkSize {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** All input is uncached and all output visible; the source is `counted`. */
export function usageOfWork({ inputTokens, outputTokens }: WorkSize): Ending['usage'] {
  return { ...NO_USAGE, uncachedPromptTokens: tokenCount(inputTokens), visibleOutputTokens: tokenCount(outputTokens) };
}

export interface HeldWorkOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly reservationId: ReservationId;
  readonly work: ModelSlug;
  readonly price: Price;
  readonly hold: SettlementHold;
}

/**
 * Work whose cost is reserved. End it with `charge` or `release`: the first ending counts, later calls return its settlement. If
 * the ledger fails and there is no outbox, the call rejects and may be repeated. With an outbox it returns a pending settlement,
 * whose charge is an upper bound; if the outbox cannot store it, the call rejects and the work is free.
 */
export class HeldWork {
  #ending: Ending | null = null;

  constructor(private readonly options: HeldWorkOptions) {}

  /** Charges the actual size. The part that neither the hold nor the balance can pay is written off. */
  async charge(size: WorkSize): Promise<Settlement> {
    const { clock, work, price } = this.options;
    const service: ServedModel = { servedBy: work, upstreamId: null, fallbackUsed: false, price };
    return this.end({ reason: 'completed', service, usage: usageOfWork(size), firstOutputAt: null, endedAt: clock.now() });
  }

  /** Releases the reservation: the work was not done. */
  release(): Promise<Settlement> {
    return this.end(unservedEnding('provider_unavailable', this.options.clock.now()));
  }

  /** Safe to repeat: the ledger returns the settlement of an ended reservation. */
  private end(ending: Ending): Promise<Settlement> {
    this.#ending ??= ending;
    const { ledger, reservationId, hold } = this.options;
    return ledger.settle({ reservationId, ending: this.#ending, hold });
  }
}

export interface WorkBillingPorts {
  readonly ledger: Ledger;
  readonly ids: IdGenerator;
  readonly clock: Clock;
}

export interface WorkBillingSettings {
  readonly processId: ProcessId;
  readonly usdPerServiceToken: TokenRate;
  /** Longer than any work; afterwards the sweeper releases the hold. */
  readonly holdLifetimeMilliseconds: number;
}

export interface HoldWorkCommand {
  readonly accountId: AccountId;
  /** The name of the work in the usage record, in place of a model. */
  readonly work: ModelSlug;
  readonly price: Price;
  /** The maximum size of the work. */
  readonly atMost: WorkSize;
  /** The customer's own name for its user; `null` for none. */
  readonly attribution: string | null;
}

export type HoldWorkOutcome =
  | { readonly outcome: 'held'; readonly work: HeldWork }
  | { readonly outcome: 'insufficient'; readonly available: ServiceTokens };

/** Bills work other than generations: reserves its maximum cost, then charges the actual cost. For services that embed the core. */
export class WorkBilling {
  constructor(private readonly ports: WorkBillingPorts, private readonly settings: WorkBillingSettings) {}

  /** Reserves the maximum cost. A hold that is never ended is released after its lifetime. */
  async hold(command: HoldWorkCommand): Promise<HoldWorkOutcome> {
    const { ledger, ids, clock } = this.ports;
    const facts = this.factsOf(command);
    const { amount } = chargeFor(usageOfWork(command.atMost), command.price, facts.usdPerServiceToken);
    const reservationId = ids.reservationId();
    const { processId: ownerId, holdLifetimeMilliseconds } = this.settings;
    try {
      const reserved = await ledger.reserve({
        reservationId, ownerId, amount, floor: amount, facts, expiresAt: later(facts.startedAt, holdLifetimeMilliseconds),
      });
      invariant(reserved.outcome !== 'key-limit', 'work is held under no key');
      if (reserved.outcome === 'insufficient') return reserved;
    } catch (failure) {
      await releaseDoubtful({ ledger, reservationId, now: clock.now() });
      throw failure;
    }
    return { outcome: 'held', work: new HeldWork({ ledger, clock, reservationId, work: command.work, price: command.price, hold: { facts, amount } }) };
  }

  private factsOf({ accountId, work, attribution }: HoldWorkCommand): RequestFacts {
    const { ids, clock } = this.ports;
    return {
      requestId: ids.requestId(),
      accountId,
      keyId: null,
      format: null,
      streamed: false,
      requestedModel: work,
      attribution,
      usdPerServiceToken: this.settings.usdPerServiceToken,
      startedAt: clock.now(),
    };
  }
}
