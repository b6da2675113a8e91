import * as fc from 'fast-check';
import {
  type AccountId, type ApiKeyId, budgetAt, type CreditOutcome, type Instant, type KeyBudget, type KnownHold, later, type MoneyActOutcome, type PlanId,
  type ProcessId, type ReservationId, type ReservationProgress, type ReserveOutcome, reversalReferenceOf, ServiceTokens, SYSTEM_ACTOR,
} from '@tollgate/core';
import { anEnding, anUnservedEnding, aServedModel, outputUsage, requestFacts } from '../builders/builders.js';
import { requestId, reservationId, type StoreSubject } from '../contracts/store-subject.js';
import type { ModelAnswer } from './ledger-model.js';

/** There are few accounts, reservations and owners, so that steps of a history often concern the same ones. */
export const HISTORY_ACCOUNTS = 2;
const HISTORY_RESERVATIONS = 8;
export const HISTORY_OWNERS = 3;
const REFERENCES = 4;
const HALF_A_DAY_SECONDS = 43_200;

/** A step that may be running when its process dies. */
export type MoneyStep =
  | { readonly kind: 'reserve'; readonly account: number; readonly reservation: number; readonly owner: number; readonly amount: number; readonly floor: number; readonly lifetimeSeconds: number; readonly limit?: number | null; readonly takesOver?: number | null }
  | { readonly kind: 'extend'; readonly reservation: number; readonly amount: number }
  | { readonly kind: 'settle'; readonly reservation: number; readonly tokens: number; readonly served: boolean; readonly atMost?: number | null };

/**
 * `takesOver` is the reservation whose purchase the new one continues if the account may do so. `atMost` is the maximum that a receipt promised.
 * `limit` is the daily limit of the key; each account has one key lineage. Amounts are whole service tokens, and each token of a request costs one.
 */
export type LedgerStep =
  | MoneyStep
  | { readonly kind: 'credit'; readonly account: number; readonly amount: number; readonly reference: number }
  | { readonly kind: 'refund'; readonly account: number; readonly reservation: number; readonly amount: number; readonly reference: number }
  /** Reverses a charge: refunds the amount, but at most the part of the charge that was not refunded earlier. */
  | { readonly kind: 'reverse'; readonly account: number; readonly reservation: number; readonly amount: number }
  /** Corrects a balance. A negative amount lowers it; the amount is never zero. */
  | { readonly kind: 'correct'; readonly account: number; readonly amount: number; readonly reference: number }
  | { readonly kind: 'checkpoint'; readonly owner: number; readonly progress: readonly (readonly [reservation: number, tokens: number])[]; readonly leaseSeconds: number }
  | { readonly kind: 'retire'; readonly owner: number }
  | { readonly kind: 'sweep'; readonly afterSeconds: number }
  /** The owner's process dies. Each unanswered step takes effect or does not; `late` lets the ledger execute them after the death. */
  | { readonly kind: 'crash'; readonly owner: number; readonly unanswered: readonly MoneyStep[]; readonly late: boolean }
  /** The owner starts a new process, which takes a lease and sweeps. */
  | { readonly kind: 'boot'; readonly owner: number; readonly leaseSeconds: number }
  /** Sets the clock, forwards or backwards. */
  | { readonly kind: 'clock'; readonly seconds: number }
  | { readonly kind: 'plan'; readonly account: number; readonly plan: string };

function below(limit: number): fc.Arbitrary<number> {
  return fc.nat({ max: limit - 1 });
}

type Fields<Kind extends LedgerStep['kind']> = Omit<Extract<LedgerStep, { readonly kind: Kind }>, 'kind'>;
type Arbitraries<Shape> = { readonly [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> };

function stepOf<const Kind extends LedgerStep['kind']>(kind: Kind, fields: Arbitraries<Fields<Kind>>): fc.Arbitrary<Extract<LedgerStep, { readonly kind: Kind }>> {
  const made: fc.Arbitrary<unknown> = fc.record({ kind: fc.constant(kind), ...fields });
  return made as fc.Arbitrary<Extract<LedgerStep, { readonly kind: Kind }>>;
}

const anyAccount = below(HISTORY_ACCOUNTS);
const reservation = below(HISTORY_RESERVATIONS);
const owner = below(HISTORY_OWNERS);

/** A floor above the amount is lowered to the amount. */
const reserve = stepOf('reserve', { account: anyAccount, reservation, owner, amount: fc.nat({ max: 25 }), floor: fc.oneof(fc.constant(25), fc.nat({ max: 25 })), lifetimeSeconds: fc.integer({ min: 1, max: 60 }), limit: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 60 })), takesOver: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: reservation }) })
  .map((step) => ({ ...step, floor: Math.min(step.floor, step.amount) }));
const extend = stepOf('extend', { reservation, amount: fc.nat({ max: 15 }) });
const settle = stepOf('settle', { reservation, tokens: fc.nat({ max: 40 }), served: fc.boolean(), atMost: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat({ max: 30 }) }) });
const moneyStep: fc.Arbitrary<MoneyStep> = fc.oneof(reserve, extend, settle);
const leaseSeconds = fc.integer({ min: 1, max: 20 });

/** Any step. Reservations and settlements are the most frequent. */
export const ledgerStep: fc.Arbitrary<LedgerStep> = fc.oneof(
  { weight: 4, arbitrary: stepOf('credit', { account: anyAccount, amount: fc.integer({ min: 1, max: 40 }), reference: below(REFERENCES) }) },
  // Refunds often concern the first two reservations, so that one charge gets several refunds.
  { weight: 6, arbitrary: stepOf('refund', { account: anyAccount, reservation: fc.oneof(below(2), reservation), amount: fc.integer({ min: 1, max: 12 }), reference: below(REFERENCES * 2) }) },
  { weight: 2, arbitrary: stepOf('reverse', { account: anyAccount, reservation: fc.oneof(below(2), reservation), amount: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 2, arbitrary: stepOf('correct', { account: anyAccount, amount: fc.integer({ min: -20, max: 20 }).filter((amount) => amount !== 0), reference: below(REFERENCES) }) },
  { weight: 10, arbitrary: reserve },
  { weight: 4, arbitrary: extend },
  { weight: 4, arbitrary: stepOf('checkpoint', { owner, progress: fc.array(fc.tuple(reservation, fc.nat({ max: 30 })), { maxLength: 4 }), leaseSeconds }) },
  { weight: 10, arbitrary: settle },
  { weight: 1, arbitrary: stepOf('retire', { owner }) },
  { weight: 3, arbitrary: stepOf('sweep', { afterSeconds: fc.nat({ max: 12 }) }) },
  { weight: 2, arbitrary: stepOf('crash', { owner, unanswered: fc.array(moneyStep, { maxLength: 3 }), late: fc.boolean() }) },
  { weight: 2, arbitrary: stepOf('boot', { owner, leaseSeconds }) },
  { weight: 1, arbitrary: stepOf('clock', { seconds: fc.oneof(fc.integer({ min: -30, max: 30 }), fc.constantFrom(-HALF_A_DAY_SECONDS, HALF_A_DAY_SECONDS)) }) },
  { weight: 1, arbitrary: stepOf('plan', { account: anyAccount, plan: fc.constantFrom('free', 'pro') }) },
);

/** What a step needs to know: the time, processes and reservations. */
export interface StepContext {
  readonly now: Instant;
  /** An owner's current process. */
  readonly processOf: (owner: number) => ProcessId;
  /** The reservation as its owner knows it, or `null` if the owner is not sure that it was made. */
  readonly holdOf: (reservation: number) => KnownHold | null;
}

export function historyAccount(number: number): AccountId {
  return `acct_${number}` as AccountId;
}

function tokens(count: number): ServiceTokens {
  return ServiceTokens.parse(String(count));
}

function outcomeText(outcome: ReserveOutcome | CreditOutcome): ModelAnswer {
  if ('left' in outcome) return `key limit, ${outcome.left.toString()} left`;
  if ('available' in outcome) return `insufficient, ${outcome.available.toString()} available`;
  return 'amount' in outcome ? `reserved ${outcome.amount.toString()}` : outcome.outcome;
}

function actText(outcome: MoneyActOutcome): ModelAnswer {
  if ('refundable' in outcome) return `exceeds-charge, ${outcome.refundable.toString()} refundable`;
  return 'available' in outcome ? `exceeds-balance, ${outcome.available.toString()} available` : outcome.outcome;
}

function actOf({ account, reference }: { readonly account: number; readonly reference: number }, at: Instant) {
  return { accountId: historyAccount(account), reference: `reference ${reference}`, reason: null, actor: SYSTEM_ACTOR, at };
}

function budgetOf({ account, limit = null }: Extract<LedgerStep, { readonly kind: 'reserve' }>, now: Instant): KeyBudget | null {
  return limit === null ? null : budgetAt({ lineage: `key_${account}` as ApiKeyId, amount: tokens(limit), period: 'day' }, now);
}

/** What the owner knows after it has reserved the amount. */
export function holdBy(step: Extract<LedgerStep, { readonly kind: 'reserve' }>, amount: number, now: Instant): KnownHold {
  const facts = requestFacts({ requestId: requestId(step.reservation), accountId: historyAccount(step.account), startedAt: now });
  return { facts, budget: budgetOf(step, now), amount: tokens(amount) };
}

function progressOf({ progress }: Extract<LedgerStep, { readonly kind: 'checkpoint' }>): ReadonlyMap<ReservationId, ReservationProgress> {
  return new Map(progress.map(([number, count]) => [reservationId(number), { service: aServedModel(), usage: outputUsage(count) }]));
}

/** Performs the step on a store. Returns the answer in the words of the model. */
export async function performStep({ ledger, accounts }: StoreSubject, step: LedgerStep, { now, processOf, holdOf }: StepContext): Promise<ModelAnswer> {
  const afterwards = (seconds: number): Instant => later(now, seconds * 1000);
  switch (step.kind) {
    case 'credit':
      return outcomeText(await ledger.credit({
        accountId: historyAccount(step.account), amount: tokens(step.amount), reference: `reference ${step.reference}`, actor: SYSTEM_ACTOR, at: now,
      }));
    case 'refund':
      return actText(await ledger.book({
        kind: 'refund', requestId: requestId(step.reservation), ...actOf(step, now), amount: tokens(step.amount),
      }));
    case 'reverse':
      return actText(await ledger.book({
        ...actOf({ ...step, reference: 0 }, now), kind: 'refund', requestId: requestId(step.reservation), amount: tokens(step.amount), reference: reversalReferenceOf(requestId(step.reservation)),
      }));
    case 'correct':
      return actText(await ledger.book({
        kind: 'correction', direction: step.amount < 0 ? 'lower' : 'raise', ...actOf(step, now), amount: tokens(Math.abs(step.amount)),
      }));
    case 'reserve':
      return outcomeText(await ledger.reserve({
        ...holdBy(step, step.amount, now), reservationId: reservationId(step.reservation), ownerId: processOf(step.owner), floor: tokens(step.floor),
        expiresAt: afterwards(step.lifetimeSeconds), purchaseOf: step.takesOver === null || step.takesOver === undefined ? null : requestId(step.takesOver),
      }));
    case 'extend':
      return outcomeText(await ledger.extend(reservationId(step.reservation), tokens(step.amount)));
    case 'checkpoint':
      await ledger.checkpoint({ ownerId: processOf(step.owner), progress: progressOf(step), at: now, leaseExpiresAt: afterwards(step.leaseSeconds) });
      return 'done';
    case 'settle': {
      const ending = step.served ? anEnding(step.tokens, { endedAt: now }) : anUnservedEnding({ endedAt: now });
      const [atMost, hold] = [step.atMost ?? null, holdOf(step.reservation)];
      const { charge, writeOff } = await ledger.settle({ reservationId: reservationId(step.reservation), ending, atMost: atMost === null ? null : tokens(atMost), ...(hold === null ? {} : { hold }) });
      return `charged ${charge.amount.toString()}, wrote off ${writeOff.toString()}`;
    }
    case 'retire':
      await ledger.retire(processOf(step.owner));
      return 'done';
    case 'sweep':
      return `swept ${(await ledger.sweep(afterwards(step.afterSeconds))).length}`;
    case 'boot':
      await ledger.checkpoint({ ownerId: processOf(step.owner), progress: new Map(), at: now, leaseExpiresAt: afterwards(step.leaseSeconds) });
      return `swept ${(await ledger.sweep(now)).length}`;
    case 'plan': {
      const changed = await accounts.change(historyAccount(step.account), { planId: step.plan as PlanId }, { actor: SYSTEM_ACTOR, at: now });
      return changed === null || changed === 'external-id-taken' ? 'none' : changed.planId;
    }
    // These steps change processes or the clock, but not the store.
    case 'crash':
    case 'clock':
      return 'done';
  }
}
