import { common } from '#texts/common';
import { vouchers as texts } from '#texts/vouchers';
import type { RequestBody } from '../../../api/call';
import { amountFault } from '../../../components/amount-fault';
import { typedAmount } from '../../../format/amount';
import { exactCount } from '../../../format/count';
import { endOfDay, isFutureDay } from '../../../format/day';
import { numberOf } from '../../../format/number';

/** As typed; empty for none. */
export interface VoucherFields {
  readonly name: string;
  readonly amount: string;
  readonly count: string;
  readonly uses: string;
  /** UTC day at whose end the codes expire. */
  readonly day: string;
  readonly creditDays: string;
  readonly note: string;
}

type Faults = { readonly [name in keyof VoucherFields]?: string };

const MAX_CODES = 10_000;
const MAX_USES = 1_000_000;
export const MAX_DAYS = 3_650;

/** Form fields by their names in the contract. */
export const PARAMS = { name: 'name', svc_tokens: 'amount', code_count: 'count', uses_per_code: 'uses', expires_at: 'day', credit_expires_after_days: 'creditDays', note: 'note' } as const;

export const EMPTY_FIELDS: VoucherFields = { name: '', amount: '', count: '1', uses: '1', day: '', creditDays: '', note: '' };

function countFault(typed: string, most: number): string | null {
  const count = /^\d{1,7}$/.test(typed.trim()) ? numberOf(typed) : 0;
  return count >= 1 && count <= most ? null : texts.form.wholeNumber(exactCount(most));
}

export function faultsOf({ name, amount, count, uses, day, creditDays }: VoucherFields, now: Date): Faults {
  const faults = {
    name: name.trim() === '' ? common.fieldRequired : null, amount: amountFault(amount), count: countFault(count, MAX_CODES), uses: countFault(uses, MAX_USES),
    day: day === '' || isFutureDay(day, now, MAX_DAYS) ? null : texts.form.dayInvalid, creditDays: creditDays.trim() === '' ? null : countFault(creditDays, MAX_DAYS),
  };
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== null)) as Faults;
}

export function creationOf({ name, amount, count, uses, day, creditDays, note }: VoucherFields): RequestBody<'createVouchers'> {
  return {
    name: name.trim(), note: note.trim() === '' ? null : note.trim(), svc_tokens: typedAmount(amount) ?? '', code_count: numberOf(count), uses_per_code: numberOf(uses),
    expires_at: day === '' ? null : endOfDay(day), credit_expires_after_days: creditDays.trim() === '' ? null : numberOf(creditDays),
  };
}
