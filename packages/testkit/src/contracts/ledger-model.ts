import type { LedgerStep } from './ledger-step.js';

type StepOf<Kind extends LedgerStep['kind']> = Extract<LedgerStep, { readonly kind: Kind }>;

interface ModelReservation {
  readonly account: number;
  readonly owner: number;
  readonly expiresAt: number;
  amount: number;
  progress: number | null;
  state: 'held' | 'ended' | 'expired';
  charged: number;
  writtenOff: number;
  hasEndedLate: boolean;
}

interface ModelAccount {
  posted: number;
  readonly references: Map<number, number>;
}

/** What a step came to, as text that a ledger's answer can be compared with. */
export type ModelAnswer = string;

export const FAILED: ModelAnswer = 'throws';

function charged(reservation: ModelReservation): ModelAnswer {
  return `charged ${reservation.charged}, wrote off ${reservation.writtenOff}`;
}

/**
 * The ledger's promises over plain maps and numbers, written without a look at any ledger: slow, obvious, and the judge of all.
 * Time is in seconds since the history began.
 */
export class LedgerModel {
  now = 0;
  readonly accounts: readonly ModelAccount[];
  readonly reservations = new Map<number, ModelReservation>();
  private readonly leases = new Map<number, number>();

  constructor(accounts: number) {
    this.accounts = Array.from({ length: accounts }, () => ({ posted: 0, references: new Map<number, number>() }));
  }

  reservedOf(account: number): number {
    return [...this.reservations.values()].filter((reservation) => reservation.account === account && reservation.state === 'held')
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  availableOf(account: number): number {
    return this.account(account).posted - this.reservedOf(account);
  }

  credit({ account, amount, reference }: StepOf<'credit'>): ModelAnswer {
    const { references } = this.account(account);
    const earlier = references.get(reference);
    if (earlier !== undefined) return earlier === amount ? 'repeated' : 'reference-used-for-another-amount';
    references.set(reference, amount);
    this.account(account).posted += amount;
    return 'credited';
  }

  reserve({ account, reservation, owner, amount, lifetimeSeconds }: StepOf<'reserve'>): ModelAnswer {
    if (this.reservations.has(reservation)) return 'reserved';
    if (this.availableOf(account) < amount) return `insufficient, ${this.availableOf(account)} available`;
    this.reservations.set(reservation, {
      account, owner, amount, expiresAt: this.now + lifetimeSeconds, progress: null, state: 'held', charged: 0, writtenOff: 0, hasEndedLate: false,
    });
    return 'reserved';
  }

  extend({ reservation: number, amount }: StepOf<'extend'>): ModelAnswer {
    const reservation = this.reservations.get(number);
    if (reservation?.state !== 'held') return FAILED;
    const available = this.availableOf(reservation.account);
    if (available < amount) return `insufficient, ${available} available`;
    reservation.amount += amount;
    return 'reserved';
  }

  /** Of the progress, what the ledger will take: that of held reservations of this owner, and no more than is set aside for them. */
  checkpoint({ owner, progress, leaseSeconds }: StepOf<'checkpoint'>): ModelAnswer {
    this.leases.set(owner, this.now + leaseSeconds);
    for (const [number, tokens] of progress) {
      const reservation = this.reservations.get(number);
      if (reservation?.state === 'held' && reservation.owner === owner) reservation.progress = Math.min(tokens, reservation.amount);
    }
    return 'done';
  }

  settle({ reservation: number, tokens, served }: StepOf<'settle'>): ModelAnswer {
    const reservation = this.reservations.get(number);
    if (reservation === undefined) return FAILED;
    const cost = served ? tokens : 0;
    if (reservation.state === 'held') this.end(reservation, cost, 'ended');
    else if (reservation.state === 'expired' && !reservation.hasEndedLate) this.endLate(reservation, cost);
    return charged(reservation);
  }

  retire({ owner }: StepOf<'retire'>): ModelAnswer {
    this.leases.delete(owner);
    return 'done';
  }

  sweep({ afterSeconds }: StepOf<'sweep'>): ModelAnswer {
    this.now += afterSeconds;
    const orphans = [...this.reservations.values()].filter(({ state, owner, expiresAt }) => (
      state === 'held' && (expiresAt <= this.now || (this.leases.get(owner) ?? this.now) <= this.now)));
    for (const orphan of orphans) this.end(orphan, orphan.progress ?? 0, 'expired');
    return `swept ${orphans.length}`;
  }

  private account(number: number): ModelAccount {
    const account = this.accounts[number];
    if (account === undefined) throw new Error(`the history has no account ${number}`);
    return account;
  }

  private end(reservation: ModelReservation, cost: number, state: 'ended' | 'expired'): void {
    const payable = this.availableOf(reservation.account) + reservation.amount;
    reservation.state = state;
    reservation.charged = Math.min(cost, payable);
    reservation.writtenOff = cost - reservation.charged;
    this.account(reservation.account).posted -= reservation.charged;
  }

  private endLate(reservation: ModelReservation, cost: number): void {
    const due = Math.max(0, cost - reservation.charged - reservation.writtenOff);
    const paid = Math.min(due, this.availableOf(reservation.account));
    reservation.hasEndedLate = true;
    reservation.charged += paid;
    reservation.writtenOff += due - paid;
    this.account(reservation.account).posted -= paid;
  }
}
