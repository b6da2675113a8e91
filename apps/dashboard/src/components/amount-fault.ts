import { common } from '#texts/common';
import { isZero, typedAmount } from '../format/amount';

/** What is wrong with an amount as it is typed; `null` where it is one, and above zero unless `signed`. */
export function amountFault(text: string, signed = false): string | null {
  const amount = typedAmount(text);
  if (amount === null) return text.trim() === '' ? common.fieldRequired : common.amountInvalid;
  if (isZero(amount)) return common.amountZero;
  return amount.startsWith('-') && !signed ? common.amountNegative : null;
}
