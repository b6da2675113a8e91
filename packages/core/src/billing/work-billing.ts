import { invariant } from '../invariant.js';
import type { AccountId, ModelSlug, ProcessId } from '../ids.js';
import { chargeFor } from '../money/charge.js';
import type { Price } from '../money/price.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { TokenRate } from '../money/token-rate.js';
import type { Clock } from '../ports/clock.js';
import type { IdGenerator } from '../ports/id-generator.js';
import type { Ledger } from '../ports/ledger.js';
import { later } from '../time/instant.js';
import { HeldWork, usageOfWork, type WorkSize } from './held-work.js';
import { releaseDoubtful } from './unserved-ending.js';
import type { RequestFacts } from './usage-record.js';

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
    return { outcome: 'held', work: new HeldWork({ ledger, clock, reservationId, work: command.work, price: command.price }) };
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
