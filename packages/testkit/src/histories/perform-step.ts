import {
  type AccountId, type ApiKeyId, budgetAt, type CreditOutcome, type Instant, type KeyBudget, later, type MoneyActOutcome, type PlanId, type ProcessId, type ReservationId, type ReservationProgress, type ReserveOutcome,
  ServiceTokens, SYSTEM_ACTOR,
} from '@tollgate/core';
import { anEnding, anUnservedEnding, aService, outputUsage, requestFacts } from '../builders.js';
import { requestId, reservationId, type StoreSubject } from '../contracts/store-subject.js';
import type { ModelAnswer } from './ledger-model.js';
import type { LedgerStep } from './ledger-step.js';

/** What a step needs to know besides what it says. */
export interface StepSurroundings {
  readonly now: Instant;
  /** The process that an owner of the history runs as. */
  readonly processOf: (owner: number) => ProcessId;
}

/** The account with a number of the history. */
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

/** What every act of money has. */
function actOf({ account, reference }: { readonly account: number; readonly reference: number }, at: Instant) {
  return { accountId: historyAccount(account), reference: `reference ${reference}`, reason: null, actor: SYSTEM_ACTOR, at };
}

function budgetOf({ account, limit = null }: Extract<LedgerStep, { readonly kind: 'reserve' }>, now: Instant): KeyBudget | null {
  return limit === null ? null : budgetAt({ lineage: `key_${account}` as ApiKeyId, amount: tokens(limit), period: 'day' }, now);
}

function progressOf({ progress }: Extract<LedgerStep, { readonly kind: 'checkpoint' }>): ReadonlyMap<ReservationId, ReservationProgress> {
  return new Map(progress.map(([number, count]) => [reservationId(number), { service: aService(), usage: outputUsage(count) }]));
}

/** Asks a store for what a step says, and puts its answer into the model's words. */
export async function performStep({ ledger, accounts }: StoreSubject, step: LedgerStep, { now, processOf }: StepSurroundings): Promise<ModelAnswer> {
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
    case 'correct':
      return actText(await ledger.book({
        kind: 'correction', direction: step.amount < 0 ? 'lower' : 'raise', ...actOf(step, now), amount: tokens(Math.abs(step.amount)),
      }));
    case 'reserve':
      return outcomeText(await ledger.reserve({
        reservationId: reservationId(step.reservation), ownerId: processOf(step.owner), amount: tokens(step.amount), floor: tokens(step.floor),
        expiresAt: afterwards(step.lifetimeSeconds), budget: budgetOf(step, now),
        facts: requestFacts({ requestId: requestId(step.reservation), accountId: historyAccount(step.account), startedAt: now }),
      }));
    case 'extend':
      return outcomeText(await ledger.extend(reservationId(step.reservation), tokens(step.amount)));
    case 'checkpoint':
      await ledger.checkpoint({ ownerId: processOf(step.owner), progress: progressOf(step), at: now, leaseExpiresAt: afterwards(step.leaseSeconds) });
      return 'done';
    case 'settle': {
      const ending = step.served ? anEnding(step.tokens, { endedAt: now }) : anUnservedEnding({ endedAt: now });
      const { charge, writeOff } = await ledger.settle({ reservationId: reservationId(step.reservation), ending });
      return `charged ${charge.amount.toString()}, wrote off ${writeOff.toString()}`;
    }
    case 'retire':
      await ledger.retire(processOf(step.owner));
      return 'done';
    case 'sweep':
      return `swept ${await ledger.sweep(afterwards(step.afterSeconds))}`;
    case 'boot':
      await ledger.checkpoint({ ownerId: processOf(step.owner), progress: new Map(), at: now, leaseExpiresAt: afterwards(step.leaseSeconds) });
      return `swept ${await ledger.sweep(now)}`;
    case 'plan':
      return (await accounts.change(historyAccount(step.account), { planId: step.plan as PlanId }, { actor: SYSTEM_ACTOR, at: now }))?.planId ?? 'none';
    // Nothing is asked of the store: a process is gone, or a clock says something else.
    case 'crash':
    case 'clock':
      return 'done';
  }
}
