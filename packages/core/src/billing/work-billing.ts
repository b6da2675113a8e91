import type { TokenRate } from '../money/token-rate.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Clock } from '../primitives/clock.js';
import type { IdGenerator } from '../primitives/id-generator.js';
import type { AccountId, ModelSlug, ProcessId, RequestId } from '../primitives/ids.js';
import { invariant } from '../primitives/invariant.js';
import { type Instant, later } from '../primitives/time.js';
import { releaseDoubtful } from './charge.js';
import { HeldWork } from './held-work.js';
import type { IdempotencyClaimName, IdempotencyStore } from './idempotency-store.js';
import type { Ledger } from './ledger.js';
import type { RequestFacts } from './usage-record.js';
import { costOfWork, type WorkPrice, type WorkUnits } from './work-units.js';

export interface WorkBillingPorts {
  readonly ledger: Ledger;
  /** Must be in the same store as the ledger. */
  readonly idempotency: IdempotencyStore;
  readonly ids: IdGenerator;
  readonly clock: Clock;
}

export interface WorkBillingSettings {
  readonly processId: ProcessId;
  readonly usdPerServiceToken: TokenRate;
  /** Must exceed the duration of any work, because the sweeper releases a hold of this age. */
  readonly holdLifetimeMilliseconds: number;
  /** Time after the charge until an id may be used again; must exceed the time in which the caller may repeat the call. */
  readonly idKeptMilliseconds: number;
}

export interface HoldWorkCommand {
  readonly accountId: AccountId;
  /** Given by the caller, such as a job number; unique within the account. 1 to 200 printable ASCII characters. */
  readonly id: string;
  /** Recorded in the usage record in place of a model. */
  readonly name: string;
  readonly price: WorkPrice;
  readonly atMost: WorkUnits;
  /** The customer's name for its user; `null` for none. */
  readonly attribution: string | null;
}

export type HoldWorkOutcome =
  /** The caller does the work, then ends it with `charge` or `release`. */
  | { readonly outcome: 'held'; readonly work: HeldWork }
  | { readonly outcome: 'insufficient'; readonly available: ServiceTokens }
  /** Another call holds work under the id and has not ended it. */
  | { readonly outcome: 'running'; readonly requestId: RequestId }
  /** The work was charged; its usage record has the figures. */
  | { readonly outcome: 'charged'; readonly requestId: RequestId };

/** The id was used with another name, price, maximum or attribution. */
export class WorkConflict extends Error {
  override readonly name = 'WorkConflict';

  constructor(id: string, readonly requestId: RequestId) {
    super(`the id ${JSON.stringify(id)} was used for other work: ${requestId}`);
  }
}

const ID_PATTERN = /^[\x20-\x7e]{1,200}$/;

/** Separates ids of work from clients' idempotency keys in the same store. */
const KEY_PREFIX = 'work:';

/** For services that embed the core: bills work other than generations. Reserves its maximum cost, then charges the actual cost. */
export class WorkBilling {
  constructor(private readonly ports: WorkBillingPorts, private readonly settings: WorkBillingSettings) {}

  /**
   * Creates at most one hold per id, even under concurrent calls. A hold that is never ended is released after its lifetime. Throws `WorkConflict`,
   * and `RangeError` for an invalid id or invalid units.
   */
  async hold(command: HoldWorkCommand): Promise<HoldWorkOutcome> {
    const { idempotency, ids, clock } = this.ports;
    const { processId: ownerId, holdLifetimeMilliseconds, usdPerServiceToken } = this.settings;
    if (!ID_PATTERN.test(command.id)) throw new RangeError('the id of work must have 1 to 200 printable ASCII characters');
    const amount = costOfWork(command.atMost, command.price, usdPerServiceToken);
    const at = clock.now();
    const expiresAt = later(at, holdLifetimeMilliseconds);
    const name = { accountId: command.accountId, key: KEY_PREFIX + command.id, requestId: ids.requestId() };
    const claimed = await idempotency.claim({ ...name, ownerId, fingerprint: fingerprintOf(command), at, expiresAt });
    switch (claimed.outcome) {
      case 'other-request': throw new WorkConflict(command.id, claimed.requestId);
      case 'running': return claimed;
      case 'finished': return { outcome: 'charged', requestId: claimed.requestId };
      case 'claimed': return this.reserve(command, { name, amount, expiresAt, purchaseOf: claimed.predecessor });
    }
  }

  private async reserve(command: HoldWorkCommand, { name, amount, expiresAt, purchaseOf }: ClaimedWork): Promise<HoldWorkOutcome> {
    const { ledger, idempotency, ids, clock } = this.ports;
    const { processId: ownerId, idKeptMilliseconds } = this.settings;
    const facts = this.factsOf(command, name.requestId);
    const reservationId = ids.reservationId();
    try {
      const reserved = await ledger.reserve({ reservationId, ownerId, amount, floor: amount, facts, purchaseOf, expiresAt });
      invariant(reserved.outcome !== 'key-limit', 'work has no key, and so no key limit');
      if (reserved.outcome === 'insufficient') {
        await this.releaseClaim(name);
        return reserved;
      }
    } catch (failure) {
      await releaseDoubtful({ ledger, reservationId, now: clock.now() });
      await this.releaseClaim(name);
      throw failure;
    }
    const work = new HeldWork({
      ledger, idempotency, clock, claim: name, idKeptMilliseconds, reservationId, name: command.name as ModelSlug, price: command.price, hold: { facts, amount, budget: null },
    });
    return { outcome: 'held', work };
  }

  /** Never rejects: an id that cannot be released stays taken for the hold's lifetime. */
  private async releaseClaim(name: IdempotencyClaimName): Promise<void> {
    const at = this.ports.clock.now();
    await Promise.allSettled([this.ports.idempotency.release({ ...name, at, keptUntil: later(at, this.settings.idKeptMilliseconds) })]);
  }

  private factsOf({ accountId, name, attribution }: HoldWorkCommand, requestId: RequestId): RequestFacts {
    return {
      requestId,
      accountId,
      keyId: null,
      format: null,
      streamed: false,
      requestedModel: name,
      attribution,
      usdPerServiceToken: this.settings.usdPerServiceToken,
      startedAt: this.ports.clock.now(),
    };
  }
}

interface ClaimedWork {
  readonly name: IdempotencyClaimName;
  readonly amount: ServiceTokens;
  readonly expiresAt: Instant;
  readonly purchaseOf: RequestId | null;
}

function fingerprintOf({ name, price, atMost, attribution }: HoldWorkCommand): string {
  return JSON.stringify([name, price.inputUnit, price.outputUnit, atMost.inputUnits, atMost.outputUnits, attribution]);
}
