import { common } from '#texts/common';
import { isZero, typedAmount } from '../format/amount';

/** `null` for a valid amount. Zero is not valid, nor is a negative amount unless `signed`. */
export function amountFault(text: string, signed = false): string | null {
  const amount = typedAmount(text);
  if (amount === null) return text.trim() === '' ? common.fieldRequired : common.amountInvalid;
  if (isZero(amount)) return common.amountZero;
  return amount.startsWith('-') && !signed ? common.amountNegative : null;
}
