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

/** What a piece of work takes in and gives out, in the units its price is for; whole numbers from 0. */
export interface WorkSize {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A size as a usage record states it: all input uncached, all output visible, counted by the service that did the work. */
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
 * Work whose cost is set aside. End it once, by `charge` or `release`; the first ending counts, and every later call answers with it.
 * If the ledger fails and nothing queues for it, the call rejects and may be repeated. Behind an outbox it answers with a pending settlement, whose
 * charge is the most that is booked; if the outbox cannot store it, the call rejects and the work is free.
 */
export class HeldWork {
  #ending: Ending | null = null;

  constructor(private readonly options: HeldWorkOptions) {}

  /** Charges for what the work really took. What neither the hold nor the balance can pay is written off. */
  async charge(size: WorkSize): Promise<Settlement> {
    const { clock, work, price } = this.options;
    const service: ServedModel = { servedBy: work, upstreamId: null, fallbackUsed: false, price };
    return this.end({ reason: 'completed', service, usage: usageOfWork(size), firstOutputAt: null, endedAt: clock.now() });
  }

  /** Gives back all that was set aside: the work was not done. */
  release(): Promise<Settlement> {
    return this.end(unservedEnding('provider_unavailable', this.options.clock.now()));
  }

  /** The ledger knows a reservation that has ended and answers with its settlement, so repeating the first ending is safe. */
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
  /** Longer than any work may last; after it the sweeper gives back what is still held. */
  readonly holdLifetimeMilliseconds: number;
}

export interface HoldWorkCommand {
  readonly accountId: AccountId;
  /** Names the kind of work in the usage record, as a model is named there. */
  readonly work: ModelSlug;
  readonly price: Price;
  /** The most that the work is going to take. */
  readonly atMost: WorkSize;
  /** The customer's own name for whom the work is done; `null` when there is none. */
  readonly attribution: string | null;
}

export type HoldWorkOutcome =
  | { readonly outcome: 'held'; readonly work: HeldWork }
  | { readonly outcome: 'insufficient'; readonly available: ServiceTokens };

/** Bills work that is no generation: sets its cost aside before it is done, and charges for what it took. For services that embed the core. */
export class WorkBilling {
  constructor(private readonly ports: WorkBillingPorts, private readonly settings: WorkBillingSettings) {}

  /** Sets aside what the work costs at most. The caller ends the hold; otherwise it is released at the end of its lifetime. */
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
