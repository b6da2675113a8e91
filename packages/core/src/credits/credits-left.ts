import { ServiceTokens } from '../money/service-tokens.js';
import { invariant } from '../primitives/invariant.js';
import type { RequestId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';

/** A credit of the ledger and what is left of it. */
export interface CreditLeft {
  /** Number of the credit's ledger entry. */
  readonly entry: bigint;
  readonly reference: string | null;
  /** `null` for a credit that does not expire. */
  readonly expiresAt: Instant | null;
  readonly amount: ServiceTokens;
  readonly left: ServiceTokens;
}

interface AnyMovement {
  /** Number of the ledger entry; increases in the order of booking. */
  readonly entry: bigint;
  /** Greater than zero. */
  readonly amount: ServiceTokens;
  readonly at: Instant;
}

/** One ledger entry of an account, as far as credits are concerned. */
export type CreditMovement = AnyMovement & (
  | { readonly kind: 'credit'; readonly reference: string | null; readonly expiresAt: Instant | null }
  | { readonly kind: 'charge'; readonly requestId: RequestId | null }
  /** Returns a request's charge, or a part of it. */
  | { readonly kind: 'refund'; readonly requestId: RequestId }
  /** The refund or dispute of a payment. Takes from the credit with this reference first, then from the other credits as a charge does. */
  | { readonly kind: 'take-back'; readonly reference: string }
  /** Takes only from the credit whose ledger entry has this number. */
  | { readonly kind: 'expiry'; readonly credit: bigint }
);

/** A part of a charge, and the credit that paid it. */
interface Paid {
  readonly credit: Credit;
  units: bigint;
}

interface Credit {
  readonly entry: bigint;
  readonly reference: string | null;
  readonly expiresAt: Instant | null;
  readonly amount: bigint;
  left: bigint;
}

/**
 * What is left of each credit of one account, derived from its ledger entries in their order. A charge consumes credits in this order: credits that
 * expire after the charge is booked, the soonest to expire first; credits that never expire; expired credits whose rest is still part of the balance.
 * A refund goes back to the credits that paid the charge, the last one first. What an expired credit had paid becomes a credit that does not expire.
 * After every entry, the sum of what is left is the posted balance.
 */
export class CreditsLeft {
  /** Credits with something left, ordered by expiry and then by entry. Credits that never expire come last. */
  readonly #open: Credit[] = [];
  readonly #byReference = new Map<string, Credit>();
  /** The credits that paid each charge, by request; kept only for requests that are refunded. */
  readonly #paid = new Map<RequestId, Paid[]>();

  /**
   * `refunded`: all requests with a refund among the entries that will be applied. `start`: what was left before the first of these entries. No entry
   * may refund a charge from before `start`.
   */
  constructor(private readonly refunded: ReadonlySet<RequestId>, start: readonly CreditLeft[] = []) {
    for (const { amount, left, ...credit } of start) this.#open.push({ ...credit, amount: amount.toUnits(), left: left.toUnits() });
    for (const credit of this.#open) if (credit.reference !== null) this.#byReference.set(credit.reference, credit);
  }

  /** Throws if the entries take more than was credited. */
  apply(movement: CreditMovement): void {
    const units = movement.amount.toUnits();
    switch (movement.kind) {
      case 'credit':
        this.#add(movement, units);
        break;
      case 'charge':
        this.#charge(movement, units);
        break;
      case 'refund':
        this.#refund(movement, units);
        break;
      case 'take-back':
        this.#takeBack(movement, units);
        break;
      case 'expiry':
        this.#expire(movement, units);
        break;
    }
  }

  /** Credits with something left, the soonest to expire first. */
  left(): readonly CreditLeft[] {
    return this.#open.map(({ entry, reference, expiresAt, amount, left }) => ({
      entry, reference, expiresAt, amount: ServiceTokens.fromUnits(amount), left: ServiceTokens.fromUnits(left),
    }));
  }

  /** Credits that have expired by `at`, and whose rest is still part of the balance. */
  expired(at: Instant): readonly CreditLeft[] {
    return this.left().filter(({ expiresAt }) => expiresAt !== null && expiresAt <= at);
  }

  #add({ entry, reference, expiresAt }: { readonly entry: bigint; readonly reference: string | null; readonly expiresAt: Instant | null }, units: bigint): void {
    const credit = { entry, reference, expiresAt, amount: units, left: units };
    if (reference !== null) this.#byReference.set(reference, credit);
    this.#open.splice(this.#placeOf(credit), 0, credit);
  }

  #charge({ at, requestId }: { readonly at: Instant; readonly requestId: RequestId | null }, units: bigint): void {
    const paid = this.#consume(units, at);
    if (requestId !== null && this.refunded.has(requestId)) this.#paid.set(requestId, [...this.#paid.get(requestId) ?? [], ...paid]);
  }

  /** Takes what is needed from the open credits in their order, expired ones last. */
  #consume(units: bigint, at: Instant): Paid[] {
    const paid: Paid[] = [];
    const alive = this.#open.findIndex(({ expiresAt }) => expiresAt === null || expiresAt > at);
    let place = alive === -1 ? 0 : alive;
    for (let due = units; due > 0n;) {
      const credit = this.#open[place] ?? this.#open[place = 0];
      invariant(credit !== undefined, 'an account never spends more than its credits');
      const part = credit.left < due ? credit.left : due;
      due -= part;
      paid.push({ credit, units: part });
      this.#take(credit, part);
    }
    return paid;
  }

  /** If nothing is left of the credit, removes it from `#open`; the next credit then has its index. */
  #take(credit: Credit, units: bigint): void {
    credit.left -= units;
    if (credit.left === 0n) this.#open.splice(this.#open.indexOf(credit), 1);
  }

  #refund({ entry, at, requestId }: { readonly entry: bigint; readonly at: Instant; readonly requestId: RequestId }, units: bigint): void {
    let due = units;
    let lasting = 0n;
    for (const part of (this.#paid.get(requestId) ?? []).toReversed()) {
      const back = part.units < due ? part.units : due;
      part.units -= back;
      due -= back;
      if (part.credit.expiresAt !== null && part.credit.expiresAt <= at) lasting += back;
      else this.#giveBack(part.credit, back);
    }
    if (lasting + due > 0n) this.#add({ entry, reference: null, expiresAt: null }, lasting + due);
  }

  #takeBack({ at, reference }: { readonly at: Instant; readonly reference: string }, units: bigint): void {
    const own = this.#byReference.get(reference);
    const first = own === undefined || own.left < units ? own?.left ?? 0n : units;
    if (own !== undefined && first > 0n) this.#take(own, first);
    this.#consume(units - first, at);
  }

  #expire({ credit: entry }: { readonly credit: bigint }, units: bigint): void {
    const credit = this.#open.find((open) => open.entry === entry);
    invariant(credit !== undefined && credit.left >= units, 'an expiry takes at most what is left of its credit');
    this.#take(credit, units);
  }

  #giveBack(credit: Credit, units: bigint): void {
    if (units === 0n) return;
    const wasClosed = credit.left === 0n;
    credit.left += units;
    if (wasClosed) this.#open.splice(this.#placeOf(credit), 0, credit);
  }

  #placeOf(credit: Credit): number {
    const place = this.#open.findIndex((other) => precedes(credit, other));
    return place === -1 ? this.#open.length : place;
  }
}

function precedes(one: Credit, other: Credit): boolean {
  if (one.expiresAt === other.expiresAt) return one.entry < other.entry;
  if (one.expiresAt === null) return false;
  return other.expiresAt === null || one.expiresAt < other.expiresAt;
}
