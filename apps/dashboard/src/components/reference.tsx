import { common } from '#texts/common';
import { TextLink } from './link';

/** `provider:pay_…`, under which the ledger books a payment. */
const PAYMENT = /^[a-z]+:(?<id>pay_\w+)$/;
const VOUCHER = /^voucher:voucher_/;

/** Of a booking. The gateway’s own are said in words; that of a payment links to its page. */
export function Reference({ reference, isOperators = false }: { readonly reference: string | null; readonly isOperators?: boolean }) {
  if (reference === null) return <>{common.none}</>;
  const id = PAYMENT.exec(reference)?.groups?.['id'];
  if (VOUCHER.test(reference)) return <span title={reference}>{common.voucher}</span>;
  if (id === undefined) return <span title={reference}>{reference}</span>;
  if (isOperators) return <TextLink to="/operator/payments/$id" params={{ id }} title={reference}>{common.payment}</TextLink>;
  return <TextLink to="/billing/payments/$id" params={{ id }} title={reference}>{common.payment}</TextLink>;
}
