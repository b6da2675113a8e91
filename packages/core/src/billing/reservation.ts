import { type AccountId, type ProcessId, type RequestId, type ReservationId, type TokenCount, tokenCount } from '../primitives.js';
import { largerOf, type ServiceTokens } from '../money/service-tokens.js';
import type { Usage } from '../generation/usage.js';
import type { KeyBudget } from '../keys/api-key.js';
import type { Instant } from '../time.js';
import type { Ending, RequestFacts, ServedModel } from './usage-record.js';
import { type Charge, dearestCost, payableOutput } from '../money/price.js';
import type { Balance } from './ledger-entry.js';
import type { Model } from '../models/catalogue.js';

/**
 * `settled`: ended with a charge, or with nothing to charge for.
 * `released`: ended without being served. `expired`: ended by the sweeper after its owner died.
 */
export type ReservationState = 'held' | 'settled' | 'released' | 'expired';

/** Service tokens set aside for one running request. */
export interface Reservation {
  readonly id: ReservationId;
  readonly accountId: AccountId;
  readonly ownerId: ProcessId;
  readonly amount: ServiceTokens;
  readonly state: ReservationState;
  readonly facts: RequestFacts;
  /** What of its key's limit it counts against; `null`: the key has none. */
  readonly budget: KeyBudget | null;
  readonly progress: ReservationProgress | null;
  readonly createdAt: Instant;
  /** From this time the sweeper may end it, regardless of its owner. */
  readonly expiresAt: Instant;
}

/** What a running request would be charged for if its process died now. */
export interface ReservationProgress {
  readonly service: ServedModel;
  readonly usage: Usage;
}

/** How much to set aside: the amount, or else what is available if that is at least the floor. */
export interface ReserveDemand {
  readonly amount: ServiceTokens;
  /** At most the amount; the amount itself where a part of it is of no use. */
  readonly floor: ServiceTokens;
}

export interface ReserveCommand extends ReserveDemand {
  readonly reservationId: ReservationId;
  readonly ownerId: ProcessId;
  readonly facts: RequestFacts;
  /** When; as the request started unless given. */
  readonly at?: Instant;
  /** The first request of the purchase that this one continues; of the same account. */
  readonly purchaseOf?: RequestId | null;
  /** The key's limit, where it has one: no more is set aside than is left of it. */
  readonly budget?: KeyBudget | null;
  readonly expiresAt: Instant;
}

export type ReserveOutcome =
  /** What was set aside, which may be less than the amount that was demanded. */
  | { readonly outcome: 'reserved'; readonly amount: ServiceTokens }
  | { readonly outcome: 'insufficient'; readonly available: ServiceTokens }
  /** The key's limit leaves too little, whatever the balance. */
  | { readonly outcome: 'key-limit'; readonly left: ServiceTokens };

/** What a request was really charged: the figures of the ledger entry, the usage record and the reply. */
export interface Settlement {
  readonly charge: Charge;
  readonly writeOff: ServiceTokens;
  /** Right after this settlement. `null` while it is pending: the ledger has not taken it yet, and it is queued durably. */
  readonly balance: Balance | null;
}

/** What is held for a request that ends: a receipt can promise so much before the ledger has settled it. */
export interface SettlementHold {
  readonly facts: Pick<RequestFacts, 'requestId' | 'accountId' | 'usdPerServiceToken'>;
  /** Extensions included. */
  readonly amount: ServiceTokens;
  /** A checkpoint of it may be stored, so that a sweep may have charged it. */
  readonly isCheckpointed?: boolean;
}

export interface SettleCommand {
  readonly reservationId: ReservationId;
  readonly ending: Ending;
  /** When; as the request ended unless given. */
  readonly at?: Instant;
  /** What a receipt has promised: the request is charged no more, all its charges together. No bound unless given. */
  readonly atMost?: ServiceTokens | null;
  /** With it, a queue may answer for a ledger that is away; no ledger looks at it. */
  readonly hold?: SettlementHold;
}

/** Output tokens a reservation assumes when the client asks for more, or does not say; also one step of an extension. */
export const OUTPUT_STEP_TOKENS = 4096;
/** Output tokens that are worth starting for, where the balance does not pay for all that is expected. */
export const FLOOR_OUTPUT_TOKENS = 256;

/** The output that the first reservation covers: the requested maximum, up to one step. */
export function expectedOutput(maxOutputTokens: TokenCount): TokenCount {
  return tokenCount(Math.min(maxOutputTokens, OUTPUT_STEP_TOKENS));
}

export interface ReservationSize {
  readonly promptTokens: TokenCount;
  readonly outputTokens: TokenCount;
  /** Every model that may come to serve; the dearest decides. */
  readonly candidates: readonly Model[];
  readonly minimum: ServiceTokens;
}

/** What to set aside before a request goes upstream, and the least that will do. */
export function reserveDemand(size: ReservationSize): ReserveDemand {
  const amount = costOf(size);
  if (size.outputTokens <= FLOOR_OUTPUT_TOKENS) return { amount, floor: amount };
  return { amount, floor: costOf({ ...size, outputTokens: tokenCount(FLOOR_OUTPUT_TOKENS) }) };
}

function costOf({ promptTokens, outputTokens, candidates, minimum }: ReservationSize): ServiceTokens {
  return candidates.map(({ price }) => dearestCost(promptTokens, outputTokens, price)).reduce(largerOf, minimum);
}

export interface SetAside {
  readonly amount: ServiceTokens;
  readonly promptTokens: TokenCount;
  readonly candidates: readonly Model[];
}

/** The output that an amount pays for beside the prompt, whichever candidate serves. */
export function coveredOutput({ amount, promptTokens, candidates }: SetAside): number {
  return Math.min(...candidates.map(({ price }) => payableOutput(amount, promptTokens, price)));
}
