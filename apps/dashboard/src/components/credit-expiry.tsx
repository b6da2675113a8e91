import { addCredit, payments as texts } from '#texts/payments';
import type { Reply } from '../api/call';
import { Instant } from './instant';

/** Says when the credit that a payment bought expires, as a line in a list of facts. Renders nothing if it never expires. */
export function CreditExpiry({ payment: { credit_expires_after_days: days, credit_expires_at: at } }: { readonly payment: Pick<Reply<'readPayment'>, 'credit_expires_after_days' | 'credit_expires_at'> }) {
  if (days === null) return null;
  return <><dt>{texts.one.expires}</dt><dd>{at === null ? addCredit.expires(days) : <Instant at={at} />}</dd></>;
}
