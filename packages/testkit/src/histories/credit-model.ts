import { type Instant, later, MILLISECONDS_PER_DAY } from '@tollgate/core';

interface ModelCredit {
  readonly order: number;
  readonly expiresAt: Instant | null;
  readonly payment: string | null;
  left: number;
  readonly told: Set<number>;
}

const NEVER = Number.MAX_SAFE_INTEGER;

/** A model of one account's credits. Moves service tokens one by one between the credits and the requests that they paid. */
export class CreditModel {
  readonly expiries: number[] = [];
  readonly notices: string[] = [];
  readonly #credits: ModelCredit[] = [];
  /** For each request: the credits that paid its tokens, in order, one per token. */
  readonly #paid = new Map<number, ModelCredit[]>();
  #order = 0;

  /** A deep copy, with which a history tries another order of the same acts. */
  copy(): CreditModel {
    const other = new CreditModel();
    const copies = new Map(this.#credits.map((credit): [ModelCredit, ModelCredit] => [credit, { ...credit, told: new Set(credit.told) }]));
    const copyOf = (credit: ModelCredit): ModelCredit => copies.get(credit) ?? credit;
    other.#credits.push(...copies.values());
    for (const [request, paid] of this.#paid) other.#paid.set(request, paid.map(copyOf));
    other.expiries.push(...this.expiries);
    other.notices.push(...this.notices);
    other.#order = this.#order;
    return other;
  }

  /** The tokens of credits that have not expired. */
  alive(at: Instant): number {
    return this.#credits.reduce((sum, { left, expiresAt }) => (expiresAt === null || expiresAt > at ? sum + left : sum), 0);
  }

  get balance(): number {
    return this.#credits.reduce((sum, { left }) => sum + left, 0);
  }

  credit(amount: number, expiresAt: Instant | null, payment: string | null): void {
    this.#credits.push({ order: this.#order += 1, expiresAt, payment, left: amount, told: new Set() });
  }

  charge(amount: number, at: Instant, request: number | null): void {
    for (let token = 0; token < amount; token += 1) this.#pay(this.#next(at), request);
  }

  takeBack(amount: number, at: Instant, payment: string): void {
    for (let token = 0; token < amount; token += 1) this.#pay(this.#credits.find((credit) => credit.payment === payment && credit.left > 0) ?? this.#next(at), null);
  }

  refund(amount: number, at: Instant, request: number): void {
    const paid = this.#paid.get(request) ?? [];
    let lasting = 0;
    for (let token = 0; token < amount; token += 1) {
      const credit = paid.pop();
      if (credit === undefined) throw new Error('more is refunded than was charged');
      if (credit.expiresAt !== null && credit.expiresAt <= at) lasting += 1;
      else credit.left += 1;
    }
    if (lasting > 0) this.credit(lasting, null, null);
  }

  expire(at: Instant, available: number): void {
    let most = available;
    for (const credit of this.#sorted()) {
      if (credit.left === 0 || credit.expiresAt === null) continue;
      if (credit.expiresAt > at) this.#tell(credit, credit.expiresAt, at);
      else if (most > 0) {
        const amount = Math.min(most, credit.left);
        credit.left -= amount;
        most -= amount;
        this.expiries.push(amount);
      }
    }
  }

  shown(): readonly string[] {
    return this.#sorted().filter(({ left }) => left > 0).map(({ left, expiresAt }) => `${left} until ${expiresAt}`);
  }

  #tell(credit: ModelCredit, expiresAt: Instant, at: Instant): void {
    const days = [3, 14].find((number) => at >= later(expiresAt, -number * MILLISECONDS_PER_DAY));
    if (days === undefined || credit.told.has(days)) return;
    credit.told.add(days);
    this.notices.push(JSON.stringify([String(credit.left), days]));
  }

  #pay(credit: ModelCredit, request: number | null): void {
    credit.left -= 1;
    if (request !== null) this.#paid.set(request, [...this.#paid.get(request) ?? [], credit]);
  }

  /** The unexpired credit that expires first or, if there is none, an expired credit. */
  #next(at: Instant): ModelCredit {
    const open = this.#sorted().filter(({ left }) => left > 0);
    const next = open.find(({ expiresAt }) => expiresAt === null || expiresAt > at) ?? open[0];
    if (next === undefined) throw new Error('the charge exceeds what is left of the credits');
    return next;
  }

  #sorted(): readonly ModelCredit[] {
    return this.#credits.toSorted((one, other) => (one.expiresAt ?? NEVER) - (other.expiresAt ?? NEVER) || one.order - other.order);
  }
}
