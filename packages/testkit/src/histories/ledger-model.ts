import { HISTORY_OWNERS, type LedgerStep } from './ledger-step.js';

interface ModelReservation {
  readonly account: number;
  readonly process: number;
  readonly expiresAt: number;
  /** The limit of the key on this day, or `null` if there is none. */
  readonly limit: number | null;
  readonly day: number;
  /** The first reservation of the same purchase, which may be this one. */
  readonly purchase: number;
  amount: number;
  progress: number | null;
  state: 'held' | 'ended' | 'expired';
  charged: number;
  /** The refunded amount, including reversals. */
  refunded: number;
  reversed: number;
  writtenOff: number;
  /** The part of the cost that other requests of the purchase paid. */
  covered: number;
  hasEndedLate: boolean;
}

/** Thresholds in whole service tokens. A balance below the last one is reported as exhausted. */
export const HISTORY_THRESHOLDS: readonly number[] = [40, 15, 5, 1];

interface ModelAccount {
  posted: number;
  /** How often the balance went from at or above each threshold to below it. */
  readonly crossings: number[];
  /** The act that was booked under each reference. */
  readonly references: Map<number, string>;
}

interface ModelState {
  /** Seconds since the history began. */
  now: number;
  readonly accounts: readonly ModelAccount[];
  readonly reservations: Map<number, ModelReservation>;
  /** When the lease of each process ends. */
  readonly leases: Map<number, number>;
  /** How often the process of each owner has died. */
  readonly deaths: number[];
}

/** An outcome in words, which are compared with the words for the ledger's outcome. */
export type ModelAnswer = string;

/** An act to book. `act` describes it, so that two acts with the same reference can be compared. */
interface ModelAct {
  readonly reference: number;
  readonly act: string;
  readonly amount: number;
}

/** Books an act once per reference unless it is refused. Returns the answer. */
function bookOnce(account: ModelAccount, { reference, act, amount }: ModelAct, refusalOf: () => ModelAnswer | null): ModelAnswer {
  const earlier = account.references.get(reference);
  if (earlier !== undefined) return earlier === act ? 'repeated' : 'reference-used-otherwise';
  const refusal = refusalOf();
  if (refusal !== null) return refusal;
  account.references.set(reference, act);
  move(account, amount);
  return 'booked';
}

function move(account: ModelAccount, amount: number): void {
  const before = account.posted;
  account.posted += amount;
  for (const [place, threshold] of HISTORY_THRESHOLDS.entries()) {
    if (before >= threshold && account.posted < threshold) account.crossings[place] = (account.crossings[place] ?? 0) + 1;
  }
}

/** The cost of a request, and the maximum of its charge. */
interface BoundedCost {
  readonly cost: number;
  readonly atMost: number;
}

type StepOf<Kind extends LedgerStep['kind']> = Extract<LedgerStep, { readonly kind: Kind }>;

export const FAILED: ModelAnswer = 'throws';
const NOON_SECONDS = 43_200;
const DONE: ModelAnswer = 'done';

function charged(reservation: ModelReservation): ModelAnswer {
  return `charged ${reservation.charged}, wrote off ${reservation.writtenOff}`;
}

/** The guarantees of a ledger, as plain maps and numbers. Written independently of any ledger, to be obviously right rather than fast. */
export class LedgerModel {
  private constructor(private readonly state: ModelState) {}

  static begin(accounts: number): LedgerModel {
    return new LedgerModel({
      now: 0,
      accounts: Array.from({ length: accounts }, () => ({ posted: 0, crossings: HISTORY_THRESHOLDS.map(() => 0), references: new Map<number, string>() })),
      reservations: new Map(),
      leases: new Map(),
      deaths: Array.from({ length: HISTORY_OWNERS }, () => 0),
    });
  }

  copy(): LedgerModel {
    return new LedgerModel(structuredClone(this.state));
  }

  get now(): number {
    return this.state.now;
  }

  /** The current process of an owner. After each death, it is a new one. */
  processOf(owner: number): number {
    return owner + HISTORY_OWNERS * (this.state.deaths[owner] ?? 0);
  }

  has(reservation: number): boolean {
    return this.state.reservations.has(reservation);
  }

  /** The reserved amount, or 0 if there is no such reservation. */
  amountOf(reservation: number): number {
    return this.state.reservations.get(reservation)?.amount ?? 0;
  }

  /**
   * The purchase that a request continues by taking over this reservation, as the number of the purchase's first reservation. `null` if the account
   * has no such reservation.
   */
  purchaseOf(reservation: number, account: number): number | null {
    const found = this.state.reservations.get(reservation);
    return found === undefined || found.account !== account ? null : found.purchase;
  }

  /** True if at most one reservation of the purchase is held. */
  runsAlone(reservation: number): boolean {
    const purchase = this.state.reservations.get(reservation)?.purchase;
    return [...this.state.reservations.values()].filter((each) => each.purchase === purchase && each.state === 'held').length <= 1;
  }

  /** The balance of each account as `posted/reserved/available`. */
  balances(): readonly string[] {
    return this.state.accounts.map(({ posted }, account) => `${posted}/${this.reservedOf(account)}/${this.availableOf(account)}`);
  }

  /** For each account, how often its balance crossed each threshold. */
  crossings(): readonly string[] {
    return this.state.accounts.map(({ crossings }) => `crossed ${crossings.join('/')}`);
  }

  answer(step: LedgerStep): ModelAnswer {
    switch (step.kind) {
      case 'credit': return this.credit(step);
      case 'refund': return this.refund(step);
      case 'reverse': return this.reverse(step);
      case 'correct': return this.correct(step);
      case 'reserve': return this.reserve(step);
      case 'extend': return this.extend(step);
      case 'checkpoint': return this.checkpoint(step);
      case 'settle': return this.settle(step);
      case 'retire': return this.retire(this.processOf(step.owner));
      case 'sweep': return this.sweep(step.afterSeconds);
      case 'crash': return this.die(step.owner);
      case 'boot': return this.boot(step);
      case 'clock': return this.setClock(step.seconds);
      case 'plan': return step.plan;
    }
  }

  private reservedOf(account: number): number {
    return [...this.state.reservations.values()].filter((reservation) => reservation.account === account && reservation.state === 'held')
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  private availableOf(account: number): number {
    return this.account(account).posted - this.reservedOf(account);
  }

  /** The number of the day. The history begins at noon of day 0. */
  private today(): number {
    return Math.floor((this.state.now + NOON_SECONDS) / (2 * NOON_SECONDS));
  }

  /** What is left of the limit on that day. Infinite if there is no limit. */
  private leftOf({ account, limit, day }: Pick<ModelReservation, 'account' | 'limit' | 'day'>): number {
    if (limit === null) return Infinity;
    const used = [...this.state.reservations.values()].filter((other) => other.account === account && other.limit !== null && other.day === day)
      .reduce((sum, { state, amount, charged: paid, reversed }) => sum + (state === 'held' ? amount : paid - reversed), 0);
    return Math.max(0, limit - used);
  }

  private credit({ account, amount, reference }: StepOf<'credit'>): ModelAnswer {
    const answer = bookOnce(this.account(account), { reference, act: `top-up ${amount}`, amount }, () => null);
    if (answer === 'booked') return 'credited';
    return answer === 'repeated' ? answer : 'reference-used-for-another-amount';
  }

  /** Refunds an ended request. Refuses an amount above the part of its charge that was not refunded earlier. */
  private refund({ account, reservation: number, amount, reference }: StepOf<'refund'>): ModelAnswer {
    const reservation = this.state.reservations.get(number);
    return bookOnce(this.account(account), { reference, act: `refund ${amount} of ${number}`, amount }, () => {
      if (reservation === undefined || reservation.account !== account || reservation.state === 'held') return 'no-such-request';
      const refundable = reservation.charged - reservation.refunded;
      if (refundable < amount) return `exceeds-charge, ${refundable} refundable`;
      reservation.refunded += amount;
      return null;
    });
  }

  /** Refunds the amount, but at most the part of the charge that was not refunded earlier; once per request. */
  private reverse({ account, reservation: number, amount }: StepOf<'reverse'>): ModelAnswer {
    const reservation = this.state.reservations.get(number);
    if (reservation === undefined || reservation.account !== account || reservation.state === 'held') return 'no-such-request';
    if (reservation.reversed > 0) return 'repeated';
    const reversed = Math.min(amount, reservation.charged - reservation.refunded);
    if (reversed === 0) return 'exceeds-charge, 0 refundable';
    reservation.refunded += reversed;
    reservation.reversed = reversed;
    move(this.account(account), reversed);
    return 'booked';
  }

  /** Corrects a balance, and never takes reserved amounts. */
  private correct({ account, amount, reference }: StepOf<'correct'>): ModelAnswer {
    const available = this.availableOf(account);
    const refusal = available < -amount ? `exceeds-balance, ${available} available` : null;
    return bookOnce(this.account(account), { reference, act: `correction ${amount}`, amount }, () => refusal);
  }

  private reserve({ account, reservation, owner, amount: wanted, floor, lifetimeSeconds, limit = null, takesOver = null }: StepOf<'reserve'>): ModelAnswer {
    const { reservations, now } = this.state;
    const earlier = reservations.get(reservation);
    if (earlier !== undefined) return `reserved ${earlier.amount}`;
    const day = this.today();
    const [available, left] = [this.availableOf(account), this.leftOf({ account, limit, day })];
    if (left < floor) return `key limit, ${left} left`;
    if (available < floor) return `insufficient, ${available} available`;
    const amount = Math.min(wanted, available, left);
    reservations.set(reservation, {
      account, process: this.processOf(owner), amount, expiresAt: now + lifetimeSeconds, limit, day, purchase: takesOver ?? reservation, progress: null, state: 'held', charged: 0, refunded: 0, reversed: 0, writtenOff: 0,
      covered: 0, hasEndedLate: false,
    });
    return `reserved ${amount}`;
  }

  private extend({ reservation: number, amount }: StepOf<'extend'>): ModelAnswer {
    const reservation = this.state.reservations.get(number);
    if (reservation?.state !== 'held') return FAILED;
    const [available, left] = [this.availableOf(reservation.account), this.leftOf(reservation)];
    if (left < amount) return `key limit, ${left} left`;
    if (available < amount) return `insufficient, ${available} available`;
    reservation.amount += amount;
    return `reserved ${amount}`;
  }

  /** Takes over the progress that the ledger accepts: for reservations that this process holds, up to their amounts. */
  private checkpoint({ owner, progress, leaseSeconds }: StepOf<'checkpoint'>): ModelAnswer {
    const process = this.processOf(owner);
    this.state.leases.set(process, this.now + leaseSeconds);
    for (const [number, tokens] of progress) {
      const reservation = this.state.reservations.get(number);
      if (reservation?.state === 'held' && reservation.process === process) reservation.progress = Math.min(tokens, reservation.amount);
    }
    return DONE;
  }

  private settle({ reservation: number, tokens, served, atMost = null }: StepOf<'settle'>): ModelAnswer {
    const reservation = this.state.reservations.get(number);
    if (reservation === undefined) return FAILED;
    const bounded = { cost: served ? tokens : 0, atMost: atMost ?? Infinity };
    if (reservation.state === 'held') this.end(reservation, bounded, 'ended');
    else if (reservation.state === 'expired' && !reservation.hasEndedLate) this.endLate(reservation, bounded);
    return charged(reservation);
  }

  private retire(process: number): ModelAnswer {
    this.state.leases.delete(process);
    return DONE;
  }

  private die(owner: number): ModelAnswer {
    this.state.deaths[owner] = (this.state.deaths[owner] ?? 0) + 1;
    return DONE;
  }

  private boot({ owner, leaseSeconds }: StepOf<'boot'>): ModelAnswer {
    this.state.leases.set(this.processOf(owner), this.now + leaseSeconds);
    return this.sweep(0);
  }

  private setClock(seconds: number): ModelAnswer {
    this.state.now += seconds;
    return DONE;
  }

  /** Ends the reservations of dead processes. A lease that a sweep has found expired remains expired if the clock is set back. */
  private sweep(afterSeconds: number): ModelAnswer {
    const { leases, reservations } = this.state;
    this.state.now += afterSeconds;
    for (const [process, expiresAt] of leases) if (expiresAt <= this.now) leases.delete(process);
    const orphans = [...reservations.values()].filter(({ state, process, expiresAt }) => (
      state === 'held' && (expiresAt <= this.now || !leases.has(process))));
    for (const orphan of orphans) this.end(orphan, { cost: orphan.progress ?? 0, atMost: Infinity }, 'expired');
    return `swept ${orphans.length}`;
  }

  private account(number: number): ModelAccount {
    const account = this.state.accounts[number];
    if (account === undefined) throw new Error(`the history has no account ${number}`);
    return account;
  }

  /** The charges of all requests of a purchase, less what was reversed. */
  private paidBy(purchase: number): number {
    return [...this.state.reservations.values()].filter((each) => each.purchase === purchase).reduce((sum, each) => sum + each.charged - each.reversed, 0);
  }

  private end(reservation: ModelReservation, { cost, atMost }: BoundedCost, state: 'ended' | 'expired'): void {
    const payable = Math.min(this.availableOf(reservation.account), this.leftOf(reservation)) + reservation.amount;
    const due = Math.max(0, cost - this.paidBy(reservation.purchase));
    reservation.state = state;
    reservation.covered = cost - due;
    reservation.charged = Math.min(due, payable, atMost);
    reservation.writtenOff = due - reservation.charged;
    move(this.account(reservation.account), -reservation.charged);
  }

  private endLate(reservation: ModelReservation, { cost, atMost }: BoundedCost): void {
    const beyond = Math.max(0, cost - reservation.charged - reservation.writtenOff - reservation.covered);
    const due = Math.min(beyond, Math.max(0, cost - this.paidBy(reservation.purchase)));
    const paid = Math.min(due, this.availableOf(reservation.account), this.leftOf(reservation), Math.max(0, atMost - reservation.charged));
    reservation.covered += beyond - due;
    reservation.hasEndedLate = true;
    reservation.charged += paid;
    reservation.writtenOff += due - paid;
    move(this.account(reservation.account), -paid);
  }
}
