import {
  type AccountId, availableOf, type CreditOutcome, later, type ProcessId, type ReservationId, type ReservationProgress, type ReserveOutcome, ServiceTokens,
  SYSTEM_ACTOR, type Instant,
} from '@tollgate/core';
import { anAccount } from '../builders/an-account.js';
import { aService, anEnding, anUnservedEnding, outputUsage } from '../builders/an-ending.js';
import { requestFacts } from '../builders/request-facts.js';
import { FAILED, LedgerModel, type ModelAnswer } from './ledger-model.js';
import { HISTORY_ACCOUNTS, type LedgerStep } from './ledger-step.js';
import { requestId, reservationId, STORE_NOON, type StoreSubject } from './store-subject.js';

function accountId(number: number): AccountId {
  return `acct_${number}` as AccountId;
}

function ownerId(number: number): ProcessId {
  return `process_${number}` as ProcessId;
}

function tokens(count: number): ServiceTokens {
  return ServiceTokens.parse(String(count));
}

function outcomeText(outcome: ReserveOutcome | CreditOutcome): ModelAnswer {
  return 'available' in outcome ? `insufficient, ${outcome.available.toString()} available` : outcome.outcome;
}

/** Plays a history on a ledger and on the model beside it. */
export class LedgerHistory {
  private readonly model = new LedgerModel(HISTORY_ACCOUNTS);

  private constructor(private readonly store: StoreSubject) {}

  static async begin(store: StoreSubject): Promise<LedgerHistory> {
    for (let number = 0; number < HISTORY_ACCOUNTS; number += 1) {
      await store.accounts.create(anAccount({ id: accountId(number), email: `${number}@example.test` }), SYSTEM_ACTOR);
    }
    return new LedgerHistory(store);
  }

  /** Steps asked for at the same time; they take effect in the order they were asked for. */
  async playTogether(steps: readonly LedgerStep[]): Promise<{ readonly expected: readonly ModelAnswer[]; readonly found: readonly ModelAnswer[] }> {
    const expected: ModelAnswer[] = [];
    const answers: Promise<ModelAnswer>[] = [];
    for (const step of steps) {
      const now = this.now;
      expected.push(this.expect(step));
      answers.push(this.perform(this.storable(step), now).catch(() => FAILED));
    }
    return { expected, found: await Promise.all(answers) };
  }

  /** Balances of the model and of the ledger, and what the ledger's own audit finds. */
  async compare(): Promise<{ readonly expected: readonly string[]; readonly found: readonly string[] }> {
    const expected = this.model.accounts.map(({ posted }, number) => `${posted}/${this.model.reservedOf(number)}/${this.model.availableOf(number)}`);
    const found = await Promise.all(this.model.accounts.map((_, number) => this.balanceOf(number)));
    const { differences } = await this.store.ledgerAudit.verify();
    return { expected, found: [...found, ...differences.map((difference) => JSON.stringify(difference))] };
  }

  private get now(): Instant {
    return later(STORE_NOON, this.model.now * 1000);
  }

  private async balanceOf(number: number): Promise<string> {
    const balance = await this.store.ledger.balanceOf(accountId(number));
    return balance === null ? 'none' : [balance.posted, balance.reserved, availableOf(balance)].map((amount) => amount.toString()).join('/');
  }

  private expect(step: LedgerStep): ModelAnswer {
    switch (step.kind) {
      case 'credit': return this.model.credit(step);
      case 'reserve': return this.model.reserve(step);
      case 'extend': return this.model.extend(step);
      case 'checkpoint': return this.model.checkpoint(step);
      case 'settle': return this.model.settle(step);
      case 'retire': return this.model.retire(step);
      case 'sweep': return this.model.sweep(step);
    }
  }

  /** Progress is cut to what the model took, so that the order in which a sweep ends reservations makes no difference. */
  private storable(step: LedgerStep): LedgerStep {
    if (step.kind !== 'checkpoint') return step;
    return { ...step, progress: step.progress.map(([number, count]) => [number, Math.min(count, this.model.reservations.get(number)?.amount ?? 0)]) };
  }

  private async perform(step: LedgerStep, now: Instant): Promise<ModelAnswer> {
    const { ledger } = this.store;
    switch (step.kind) {
      case 'credit':
        return outcomeText(await ledger.credit({
          accountId: accountId(step.account), amount: tokens(step.amount), reference: `reference ${step.reference}`, actor: SYSTEM_ACTOR, at: now,
        }));
      case 'reserve':
        return outcomeText(await ledger.reserve({
          reservationId: reservationId(step.reservation), ownerId: ownerId(step.owner), amount: tokens(step.amount), expiresAt: later(now, step.lifetimeSeconds * 1000),
          facts: requestFacts({ requestId: requestId(step.reservation), accountId: accountId(step.account), startedAt: now }),
        }));
      case 'extend':
        return outcomeText(await ledger.extend(reservationId(step.reservation), tokens(step.amount)));
      case 'checkpoint':
        await ledger.checkpoint({ ownerId: ownerId(step.owner), progress: progressOf(step), at: now, leaseExpiresAt: later(now, step.leaseSeconds * 1000) });
        return 'done';
      case 'settle': {
        const ending = step.served ? anEnding(step.tokens, { endedAt: now }) : anUnservedEnding({ endedAt: now });
        const { charge, writeOff } = await ledger.settle({ reservationId: reservationId(step.reservation), ending });
        return `charged ${charge.amount.toString()}, wrote off ${writeOff.toString()}`;
      }
      case 'retire':
        await ledger.retire(ownerId(step.owner));
        return 'done';
      case 'sweep':
        return `swept ${await ledger.sweep(later(now, step.afterSeconds * 1000))}`;
    }
  }
}

function progressOf({ progress }: Extract<LedgerStep, { readonly kind: 'checkpoint' }>): ReadonlyMap<ReservationId, ReservationProgress> {
  return new Map(progress.map(([number, count]) => [reservationId(number), { service: aService(), usage: outputUsage(count) }]));
}
