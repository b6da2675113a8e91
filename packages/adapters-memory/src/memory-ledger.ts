import {
  type AccountId, availableOf, type Balance, type Booked, type BookedAct, bookedLateSettlement, bookedSettlement, BookingObservers, chargeOfEnding, type Checkpoint, clipCharge, type CreditCommand, creditExpiryOfAct,
  type CreditOutcome, creditOutcomeOf, decideForfeiture, decideLateSettlement, decideMoneyAct, decideReserve, endingOfOrphan, endStateOf, type ForfeitureDecision,
  type ForgottenReservations, type Instant, invariant, isReversal, isSettledLate, type KeyBudget, type LeaseRenewal, type Ledger, type LedgerAudit,
  type LedgerVerification, leftOf, type Means, type MoneyAct, type MoneyActOutcome, payableOf, type ProcessId, type Prolongation, type RefundableRequest, type RequestId,
  type Reservation, type ReservationId, type ReserveCommand, type ReserveOutcome, ServiceTokens, type SettleCommand, settlementKindOf, type SettleOutcome,
  type SweptReservations, topUpOf, withLateSettlement,
} from '@tollgate/core';
import { auditAct } from './audit-act.js';
import type { MemoryAccounts } from './memory-accounts.js';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import { type EndedReservation, verifyLedger } from './verify-ledger.js';
import { LedgerBook } from './ledger-book.js';
import type { MemoryKeySpending } from './memory-key-spending.js';
import { type ActTerms, MoneyActs } from './money-acts.js';
import type { MemoryKeys } from './memory-keys.js';
import { MemoryLeases } from './memory-leases.js';
import { RequestTransfers } from './request-transfers.js';
import { tryEach } from './try-each.js';
import type { UsageJournal } from './usage-journal.js';

export interface MemoryLedgerPorts {
  readonly accounts: MemoryAccounts;
  readonly keys: MemoryKeys;
  readonly spending: MemoryKeySpending;
  readonly usage: UsageJournal;
  readonly audit: MemoryAuditTrail;
}

/**
 * The ledger's rules over maps, for embedders and tests. Every operation is one synchronous step, and therefore atomic. Bookings and ended
 * reservations are never deleted.
 */
export class MemoryLedger implements Ledger, LedgerAudit {
  readonly #book = new LedgerBook();
  readonly #held = new Map<ReservationId, Reservation>();
  readonly #ended = new Map<ReservationId, EndedReservation>();
  readonly #leases = new MemoryLeases();
  /** For each request that shares a purchase, the first request of that purchase, which may be itself. */
  readonly #purchases = new Map<RequestId, RequestId>();
  /** Bookings other than charges of requests. */
  readonly moneyActs = new MoneyActs();
  readonly transfers = new RequestTransfers();
  readonly bookings = new BookingObservers();

  constructor(private readonly ports: MemoryLedgerPorts) {}

  balanceOf(accountId: AccountId): Promise<Balance | null> {
    return Promise.resolve(this.ports.accounts.get(accountId) === null ? null : this.#book.balanceOf(accountId));
  }

  async credit(command: CreditCommand): Promise<CreditOutcome> {
    return creditOutcomeOf(await this.book(topUpOf(command)));
  }

  async book(act: MoneyAct): Promise<MoneyActOutcome> {
    return this.bookAtOnce(act);
  }

  /** Like `book`, without a promise, for adapters that act in one synchronous step. */
  bookAtOnce(given: MoneyAct): MoneyActOutcome {
    const account = this.ports.accounts.get(given.accountId);
    const decision = decideMoneyAct(given, {
      account: account === null ? null : { balance: this.#book.balanceOf(account.id), isDeleted: account.status === 'deleted' },
      earlier: this.moneyActs.earlier(given),
      request: given.kind === 'refund' ? this.#refundable(given) : null,
    });
    if (decision.act === null) return decision.outcome;
    const { act, booked, uncovered } = decision;
    this.#enter(booked, { reason: act.reason, expiresAt: creditExpiryOfAct(act) });
    auditAct(this.ports.audit, act);
    // A reversed amount no longer counts against the key's limit.
    const reversed = isReversal(act) ? [...this.#ended.values()].find(({ record }) => record.requestId === act.requestId) : undefined;
    this.ports.spending.spend(reversed?.reservation.budget ?? null, ServiceTokens.ZERO.minus(act.amount), ServiceTokens.ZERO);
    this.bookings.booked(booked);
    return { outcome: 'booked', balance: booked.balance, booked, uncovered };
  }

  /** Books the rest of an account's balance as forfeited when the account is deleted. The caller notifies observers, after its whole step is done. */
  forfeit(accountId: AccountId, at: Instant): ForfeitureDecision {
    const decision = decideForfeiture({ accountId, balance: this.#book.balanceOf(accountId), at });
    if (decision.outcome === 'forfeited' && decision.booked !== null) this.#enter(decision.booked, { reason: null, expiresAt: null });
    return decision;
  }

  async reserve(command: ReserveCommand): Promise<ReserveOutcome> {
    const { reservationId: id, ownerId, facts, at = facts.startedAt, purchaseOf = null, budget = null, expiresAt } = command;
    const earlier = this.#held.get(id) ?? this.#ended.get(id)?.reservation;
    if (earlier !== undefined) return { outcome: 'reserved', amount: earlier.amount };
    if (this.ports.accounts.get(facts.accountId) === null) return { outcome: 'insufficient', available: ServiceTokens.ZERO };
    const outcome = decideReserve(this.#meansOf(facts.accountId, budget), command);
    if (outcome.outcome !== 'reserved') return outcome;
    const { amount } = outcome;
    this.#book.hold(facts.accountId, amount);
    this.ports.spending.hold(budget, amount);
    if (purchaseOf !== null) this.#join(purchaseOf, facts.requestId);
    this.#held.set(id, { id, accountId: facts.accountId, ownerId, amount, state: 'held', facts, budget, progress: null, createdAt: at, expiresAt });
    return outcome;
  }

  async extend(id: ReservationId, amount: ServiceTokens): Promise<ReserveOutcome> {
    const reservation = this.#held.get(id);
    invariant(reservation !== undefined, 'only a held reservation is extended');
    const outcome = decideReserve(this.#meansOf(reservation.accountId, reservation.budget), { amount, floor: amount });
    if (outcome.outcome !== 'reserved') return outcome;
    this.#book.hold(reservation.accountId, amount);
    this.ports.spending.hold(reservation.budget, amount);
    this.#held.set(id, { ...reservation, amount: reservation.amount.plus(amount) });
    return outcome;
  }

  async settle({ reservationId, ending, at = ending.endedAt, atMost = null }: SettleCommand): Promise<SettleOutcome> {
    const held = this.#held.get(reservationId);
    if (held !== undefined) return this.#end(held, { ending, at, atMost });
    const ended = this.#ended.get(reservationId);
    invariant(ended !== undefined, 'only a reservation that was made is settled');
    if (ended.endedLate || !isSettledLate(ended.record, ending)) return { ...ended.settlement, booked: null };
    return this.#settleLate(ended, { ending, at, atMost });
  }

  async checkpoint({ ownerId, progress, at, leaseExpiresAt }: Checkpoint): Promise<LeaseRenewal> {
    const wasAbsent = this.#leases.renew(ownerId, { renewedAt: at, expiresAt: leaseExpiresAt });
    for (const held of this.#heldBy(ownerId, progress.keys())) this.#held.set(held.id, { ...held, progress: progress.get(held.id) ?? null });
    return { wasAbsent, clockAheadMilliseconds: null };
  }

  async prolong({ ownerId, reservations, expiresAt }: Prolongation): Promise<void> {
    for (const held of this.#heldBy(ownerId, reservations)) if (held.expiresAt < expiresAt) this.#held.set(held.id, { ...held, expiresAt });
  }

  async sweep(now: Instant, onSwept: (swept: SweptReservations) => void = () => undefined): Promise<readonly Booked[]> {
    const orphans = [...this.#held.values()].filter(({ ownerId, expiresAt }) => expiresAt <= now || !this.isAlive(ownerId, now));
    try {
      return this.#endOrphans(orphans, now);
    } finally {
      for (const swept of this.#leases.sweep(orphans.filter(({ id }) => !this.#held.has(id)), now)) onSwept(swept);
    }
  }

  async sweepForgotten({ ownerId: owner, reservedBefore, isKnown, at }: ForgottenReservations): Promise<readonly Booked[]> {
    const forgotten = [...this.#held.values()].filter(({ id, ownerId, createdAt }) => ownerId === owner && createdAt < reservedBefore && !isKnown(id));
    return this.#endOrphans(forgotten, at);
  }

  isAlive(ownerId: ProcessId, now: Instant): boolean {
    return this.#leases.isAlive(ownerId, now);
  }

  async retire(ownerId: ProcessId): Promise<void> {
    this.#leases.retire(ownerId);
  }

  async verify(): Promise<LedgerVerification> {
    return verifyLedger({ book: this.#book, held: [...this.#held.values()], ended: [...this.#ended.values()], usage: this.ports.usage, spending: this.ports.spending, acts: this.moneyActs });
  }

  #heldBy(ownerId: ProcessId, ids: Iterable<ReservationId>): readonly Reservation[] {
    return [...ids].flatMap((id) => this.#held.get(id) ?? []).filter((held) => held.ownerId === ownerId);
  }

  #meansOf(accountId: AccountId, budget: KeyBudget | null): Means {
    const left = budget === null ? null : leftOf(budget, this.ports.spending.of(budget));
    return { available: availableOf(this.#book.balanceOf(accountId)), left };
  }

  #refundable({ accountId, requestId }: Extract<MoneyAct, { readonly kind: 'refund' }>): RefundableRequest | null {
    const record = this.ports.usage.find(accountId, requestId);
    return record === null ? null : { keyId: record.keyId, charge: record.charge.amount, refunded: this.moneyActs.refundedOf(requestId) };
  }

  #enter(booked: BookedAct, terms: ActTerms): void {
    const { accountId, amount, reference, requestId, at } = booked;
    this.#book.enter({ accountId, amount, reference, at });
    if (requestId !== null) this.transfers.add(requestId, [{ kind: 'refund', amount, reference, at }]);
    this.moneyActs.add(booked, terms);
  }

  #endOrphans(orphans: readonly Reservation[], at: Instant): readonly Booked[] {
    return tryEach(orphans, (orphan) => this.#end(orphan, { ending: endingOfOrphan(orphan, at), at }).booked);
  }

  /** Adds both requests to the purchase. The first one may have settled already; its record is then amended. */
  #join(purchase: RequestId, requestId: RequestId): void {
    for (const each of [purchase, requestId]) this.#purchases.set(each, this.#purchases.get(each) ?? purchase);
    const first = [...this.#ended.values()].find(({ record }) => record.requestId === purchase);
    if (first === undefined || first.record.purchase !== null) return;
    const record = { ...first.record, purchase: { firstRequestId: purchase, covered: ServiceTokens.ZERO } };
    this.#ended.set(first.reservation.id, { ...first, record });
    this.ports.usage.amend({ ...record, reserved: first.reservation.amount, admittedAt: first.reservation.createdAt });
  }

  /** Sum of the charges of a purchase's requests so far, less reversals. */
  #paidBy(purchase: RequestId): ServiceTokens {
    return [...this.#ended.values()].filter(({ record }) => this.#purchases.get(record.requestId) === purchase)
      .reduce((sum, { record }) => sum.plus(record.charge.amount).minus(this.moneyActs.reversedOf(record.requestId)), ServiceTokens.ZERO);
  }

  #end(held: Reservation, { ending, at: settledAt = ending.endedAt, atMost = null }: Omit<SettleCommand, 'reservationId'>): SettleOutcome & { readonly booked: Booked } {
    const { id, accountId, amount, facts, budget } = held;
    const payable = payableOf(this.#meansOf(accountId, budget), amount);
    const firstRequestId = this.#purchases.get(facts.requestId) ?? null;
    const paid = firstRequestId === null ? ServiceTokens.ZERO : this.#paidBy(firstRequestId);
    const { covered, ...figures } = clipCharge(chargeOfEnding(ending, facts), { payable, paid, atMost }, facts);
    const charged = figures.charge.amount;
    this.#book.release(accountId, amount, charged.isZero() ? null : { kind: 'charge', amount: charged, reference: id, at: ending.endedAt });
    this.ports.spending.spend(budget, charged, amount);
    const settlement = { ...figures, balance: this.#book.balanceOf(accountId) };
    this.#held.delete(id);
    const purchase = firstRequestId === null ? null : { firstRequestId, covered };
    const record = { ...facts, ...ending, ...figures, purchase, settledAt };
    this.#ended.set(id, { reservation: { ...held, state: endStateOf(ending) }, record, settlement, endedLate: false });
    const entry = { reference: null, at: ending.endedAt };
    this.transfers.add(facts.requestId, [{ kind: 'charge', amount: charged, ...entry }, { kind: 'write-off', amount: figures.writeOff, ...entry }]);
    this.ports.usage.record({ ...record, reserved: amount, admittedAt: held.createdAt });
    if (facts.keyId !== null) this.ports.keys.noteUse(facts.keyId, facts.startedAt);
    const booked = bookedSettlement(facts, ending, { kind: settlementKindOf(ending), charged, writeOff: figures.writeOff, balance: settlement.balance, reservationId: id });
    this.bookings.booked(booked);
    return { ...settlement, booked };
  }

  /** Settles a swept reservation whose process turned out to be alive: books the part that its checkpoint did not include. */
  #settleLate({ reservation, record }: EndedReservation, command: Omit<SettleCommand, 'reservationId'>): SettleOutcome {
    const { id, accountId, facts, budget } = reservation;
    const paid = record.purchase === null ? record.charge.amount : this.#paidBy(record.purchase.firstRequestId);
    const late = decideLateSettlement(record, command, { means: this.#meansOf(accountId, budget), paid });
    const { charged, writeOff } = late;
    const entry = { reference: null, at: late.ending.endedAt };
    this.#book.release(accountId, ServiceTokens.ZERO, charged.isZero() ? null : { kind: 'late-charge', amount: charged, reference: id, at: entry.at });
    this.ports.spending.spend(budget, charged, ServiceTokens.ZERO);
    this.transfers.add(facts.requestId, [{ kind: 'late-charge', amount: charged, ...entry }, { kind: 'late-write-off', amount: writeOff, ...entry }]);
    const whole = withLateSettlement(record, late);
    const settlement = { charge: whole.charge, writeOff: whole.writeOff, balance: this.#book.balanceOf(accountId) };
    this.#ended.set(id, { reservation, record: whole, settlement, endedLate: true });
    this.ports.usage.amend({ ...whole, reserved: reservation.amount, admittedAt: reservation.createdAt });
    const booked = bookedLateSettlement(record, late, { balance: settlement.balance, reservationId: id });
    if (booked !== null) this.bookings.booked(booked);
    return { ...settlement, booked };
  }
}
