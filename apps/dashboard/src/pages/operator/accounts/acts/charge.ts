import type { Reply } from '../../../../api/call';
import { amountOf, microUnits, sumOf, typedAmount } from '../../../../format/amount';

export type ChargeRecord = Pick<Reply<'readAnyUsage'>, 'svc_tokens_debited' | 'ledger'>;

export function refundedOf({ ledger }: ChargeRecord): string {
  return sumOf(ledger.flatMap(({ kind, amount }) => (kind === 'refund' ? [amount] : [])));
}

/** The unrefunded part of the charge. */
export function refundableOf(record: ChargeRecord): string {
  const left = microUnits(record.svc_tokens_debited) - microUnits(refundedOf(record));
  return amountOf(left < 0n ? 0n : left);
}

/** True if the typed amount exceeds what can be refunded; false while it is invalid. */
export function isBeyond(typed: string, refundable: string): boolean {
  const amount = typedAmount(typed);
  return amount !== null && microUnits(amount) > microUnits(refundable);
}
