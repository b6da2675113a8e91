import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, type MoneyAct, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { it } from '@jest/globals';
import { anEnding } from '../builders/builders.js';
import { readAll } from '../contracts/events/events-subject.js';
import type { PaymentsSubject } from '../contracts/payments/payments-subject.js';
import { requestId, STORE_ALICE, STORE_NOON, StoreDriver } from '../contracts/store-subject.js';
import { describe, expect } from '../contracts/test-runner.js';
import { randomFrom } from '../programs/seeded-random.js';
import { CreditModel } from './credit-model.js';

const STEPS = 25;
/** In milliseconds. */
const USUAL_TIMEOUT = 60_000;
const TIMEOUT_PER_HISTORY = 4_000;
/** The invariant that these histories break, because they book acts of payments that do not exist. */
const OF_PAYMENTS = 'I15';

/** Acts on one account: credits, charges, refunds and reservations, while two gateways look for expired credits. */
class CreditHistory {
  /** Concurrent acts may have happened in several orders. There is one model for each order that agrees with everything observed later. */
  models: readonly CreditModel[] = [new CreditModel()];
  readonly held: { readonly number: number; readonly amount: number }[] = [];
  readonly charged = new Map<number, number>();
  now: Instant = STORE_NOON;
  #number = 0;

  constructor(readonly subject: PaymentsSubject, readonly driver: StoreDriver, readonly random: (below: number) => number) {}

  async run(): Promise<void> {
    for (let step = 0; step < STEPS; step += 1) {
      await this.#act();
      await this.#compare(step);
    }
    this.now = later(this.now, 100 * MILLISECONDS_PER_DAY);
    await this.#expire();
    await this.#compare(STEPS);
    await this.#compareBooks();
  }

  #act(): Promise<void> {
    this.now = later(this.now, this.random(2) * this.random(4 * MILLISECONDS_PER_DAY));
    switch (this.random(11)) {
      case 0: case 1: return this.#credit();
      case 2: case 3: return this.#serve();
      case 4: return this.#hold();
      case 5: return this.#endHold();
      case 6: return this.#refund();
      case 7: return this.#lower();
      case 8: return this.#list();
      case 9: return this.#expireWhileServing();
      default: return this.#expire();
    }
  }

  async #book(act: Partial<MoneyAct> & Pick<MoneyAct, 'kind'>, amount: number): Promise<boolean> {
    this.#number += 1;
    const common = { accountId: STORE_ALICE, amount: ServiceTokens.fromUnits(BigInt(amount) * 1_000_000n), reference: `act ${this.#number}`, reason: null, actor: SYSTEM_ACTOR, at: this.now };
    return (await this.subject.store.ledger.book({ ...common, ...act } as MoneyAct)).outcome === 'booked';
  }

  async #credit(): Promise<void> {
    const amount = 1 + this.random(30);
    const expiresAt = this.random(3) === 0 ? null : later(this.now, 1 + this.random(30) * MILLISECONDS_PER_DAY + this.random(2) * this.random(1000));
    const reference = `scripted:pay_${this.#number}`;
    const act = this.random(2) === 0 ? { kind: 'payment' as const, reference } : { kind: 'top-up' as const };
    if (await this.#book({ ...act, expiresAt }, amount)) this.#model((model) => model.credit(amount, expiresAt, act.kind === 'payment' ? reference : null));
  }

  async #serve(): Promise<void> {
    const number = this.#number += 1;
    const cost = Math.min(this.random(20), this.#available());
    await this.driver.serve(number, anEnding(cost, { endedAt: this.now }));
    this.#charge(number, cost);
  }

  #charge(number: number, cost: number): void {
    this.charged.set(number, cost);
    this.#model((model) => model.charge(cost, this.now, number));
  }

  /** The balance. All models agree on it, and differ only in what is left of each credit. */
  get #balance(): number {
    return this.models[0]?.balance ?? 0;
  }

  #held(): number {
    return this.held.reduce((sum, { amount }) => sum + amount, 0);
  }

  #available(): number {
    return this.#balance - this.#held();
  }

  #model(change: (model: CreditModel) => void): void {
    for (const model of this.models) change(model);
  }

  async #hold(): Promise<void> {
    const amount = Math.min(1 + this.random(20), this.#available());
    if (amount === 0) return;
    const number = this.#number += 1;
    await this.driver.reserve(number, String(amount));
    this.held.push({ number, amount });
  }

  async #endHold(): Promise<void> {
    const hold = this.held.splice(this.random(Math.max(1, this.held.length)), 1)[0];
    if (hold === undefined) return;
    const cost = this.random(hold.amount + 1);
    await this.driver.settle(hold.number, anEnding(cost, { endedAt: this.now }));
    this.#charge(hold.number, cost);
  }

  async #refund(): Promise<void> {
    const requests = [...this.charged].filter(([, left]) => left > 0);
    const [number, left] = requests[this.random(Math.max(1, requests.length))] ?? [0, 0];
    if (left === 0) return;
    const amount = 1 + this.random(left);
    if (!await this.#book({ kind: 'refund', requestId: requestId(number) }, amount)) return;
    this.charged.set(number, left - amount);
    this.#model((model) => model.refund(amount, this.now, number));
  }

  /** Books a correction, or a refund of a payment for which there may be no credit. */
  async #lower(): Promise<void> {
    const amount = Math.min(1 + this.random(15), this.#available());
    if (amount === 0) return;
    const payment = `scripted:pay_${this.random(this.#number + 1)}`;
    if (this.random(2) === 0) {
      if (await this.#book({ kind: 'correction', direction: 'lower' }, amount)) this.#model((model) => model.charge(amount, this.now, null));
    } else if (await this.#book({ kind: 'payment-refund', direction: 'lower', reference: `${payment}:refund:${this.#number}` }, amount)) this.#model((model) => model.takeBack(amount, this.now, payment));
  }

  async #list(): Promise<void> {
    await this.subject.other.credits.list(STORE_ALICE);
  }

  async #expire(): Promise<void> {
    this.now = later(this.now, MILLISECONDS_PER_HOUR);
    await this.#lookTwice();
    const available = this.#available();
    this.#model((model) => model.expire(this.now, available));
  }

  /** Lets both gateways book expiries at the same time. */
  async #lookTwice(): Promise<void> {
    await Promise.all([this.subject.store.credits, this.subject.other.credits].map(async (records) => {
      for (const id of await records.due(this.now, 10)) await records.expire(id, this.now);
    }));
  }

  /**
   * Serves a request while credits expire. It costs at most what is neither expired nor reserved, so that it is paid in full even if the expiry is
   * booked first.
   */
  async #expireWhileServing(): Promise<void> {
    this.now = later(this.now, MILLISECONDS_PER_HOUR);
    const room = Math.max(0, Math.min(...this.models.map((model) => model.alive(this.now))) - this.#held());
    const cost = this.random(Math.min(room, 10) + 1);
    const number = this.#number += 1;
    const available = this.#available();
    await Promise.all([this.#lookTwice(), this.driver.serve(number, anEnding(cost, { endedAt: this.now }))]);
    this.charged.set(number, cost);
    const serve = (model: CreditModel): void => model.charge(cost, this.now, number);
    this.models = this.models.flatMap((model) => {
      const other = model.copy();
      model.expire(this.now, available);
      serve(model);
      serve(other);
      other.expire(this.now, available - cost);
      return [model, other];
    });
  }

  async #compare(step: number): Promise<void> {
    const found = (await this.subject.store.credits.list(STORE_ALICE)).map(({ expiresAt, left }) => `${left.toString()} until ${expiresAt}`);
    const agreeing = this.models.filter((model) => JSON.stringify(model.shown()) === JSON.stringify(found));
    if (agreeing.length === 0) expect([step, found]).toEqual([step, this.models[0]?.shown()]);
    this.models = agreeing;
    const available = this.#available();
    expect([step, await this.driver.balance()]).toEqual([step, `${this.#balance}/${this.#held()}/${available}`]);
  }

  async #compareBooks(): Promise<void> {
    const { store } = this.subject;
    const events = await readAll(store.events, { accountId: STORE_ALICE });
    const found = [
      events.filter(({ type, data }) => type === 'balance.booked' && data['kind'] === 'expiry').map(({ data }) => data['amount']),
      events.filter(({ type }) => type === 'credit.expiring').map(({ data }) => JSON.stringify([data['svc_tokens'], data['days']])).toSorted(),
    ];
    expect(this.models.map(({ expiries, notices }) => [expiries.map((amount) => `-${amount}`), notices.toSorted()])).toContainEqual(found);
    expect((await store.ledgerAudit.verify()).differences.filter(({ invariant }) => invariant !== OF_PAYMENTS)).toEqual([]);
  }
}

/** Tests random histories against a model that keeps each credit separately. */
export function creditHistoryContract(name: string, make: () => Promise<PaymentsSubject>, { histories, seed }: { readonly histories: number; readonly seed: number }): void {
  describe(`credit histories: ${name}`, () => {
    it(`leave as much of each credit as the reference model states (${histories} histories)`, async () => {
      let played = 0;
      for (let history = 0; history < histories; history += 1) {
        const subject = await make();
        try {
          const driver = await StoreDriver.start(() => subject.store);
          await new CreditHistory(subject, driver, randomFrom(seed + history)).run();
          played += 1;
        } catch (thrown) {
          throw new Error(`history of seed ${seed + history}: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { cause: thrown });
        } finally {
          await subject.close?.();
        }
      }
      expect(played).toBe(histories);
    }, USUAL_TIMEOUT + histories * TIMEOUT_PER_HISTORY);
  });
}
