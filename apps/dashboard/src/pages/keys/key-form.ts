import { keys as texts } from '#texts/keys';
import type { RequestBody } from '../../api/call';
import { typedAmount } from '../../format/amount';
import { DAY, endOfDay, isFutureDay } from '../../format/day';
import type { Key } from './key-state';

export type Expiry = keyof typeof texts.form.expiries;
type LimitPeriod = keyof typeof texts.form.periods;

export interface KeyFields {
  readonly name: string;
  readonly expiry: Expiry;
  /** UTC day, used if the expiry is a date. */
  readonly day: string;
  /** Empty for all models of the plan. */
  readonly models: string[];
  readonly period: LimitPeriod;
  readonly amount: string;
}

const DAYS = { week: 7, month: 30, quarter: 90, year: 365 } as const;

/** Form fields by their names in the contract. */
export const PARAMS = { name: 'name', expires_at: 'expiry', models: 'models', spending_limit: 'amount' } as const;

export function emptyFields(name: string): KeyFields {
  return { name, expiry: 'never', day: '', models: [], period: 'none', amount: '' };
}

export function fieldsOf({ name, models, spending_limit: limit }: Key): KeyFields {
  return { ...emptyFields(name ?? ''), models: [...models ?? []], period: limit?.period ?? 'none', amount: limit?.svc_tokens ?? '' };
}

/** Faults by field; the gateway checks the rest. */
export function faultsOf({ expiry, day, period, amount }: KeyFields, now: Date): { readonly [name in keyof KeyFields]?: string } {
  const isPast = expiry === 'day' && !isFutureDay(day, now);
  return {
    ...(isPast ? { day: texts.form.dayInvalid } : {}),
    ...(period !== 'none' && typedAmount(amount) === null ? { amount: texts.form.amountMissing } : {}),
  };
}

function expiresAt({ expiry, day }: KeyFields, now: Date): string | null {
  if (expiry === 'never') return null;
  return expiry === 'day' ? endOfDay(day) : new Date(now.getTime() + DAYS[expiry] * DAY).toISOString();
}

export function termsOf({ name, models, period, amount }: KeyFields) {
  return {
    name: name.trim() === '' ? null : name.trim(),
    models: models.length === 0 ? null : models,
    spending_limit: period === 'none' ? null : { svc_tokens: typedAmount(amount) ?? amount, period },
  };
}

export function creationOf(fields: KeyFields, now: Date): RequestBody<'createKey'> {
  return { ...termsOf(fields), expires_at: expiresAt(fields, now) };
}
