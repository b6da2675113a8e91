import { faults } from '#texts/faults';
import { exactCount } from '../format/count';
import { priceOf } from '../format/price-of';
import type { FaultValues, FieldError } from './field-faults';

/** Formats a value for people. If the fault states a currency, its other strings are amounts in that currency. */
function shown(name: string, { [name]: value = '', currency }: FaultValues): string {
  if (typeof value === 'number') return exactCount(value);
  return currency === undefined || name === 'currency' ? value : priceOf({ amount: value, currency: String(currency) });
}

/** Text for a fault; `null` for an unknown code, such as one of a newer gateway. */
export function faultText({ code, values = {} }: Pick<FieldError, 'code' | 'values'>): string | null {
  return Object.hasOwn(faults, code) ? faults[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => shown(name, values)) : null;
}
