import { common } from '#texts/common';
import { shortId } from '../format/id';
import { TextLink } from './link';

/**
 * A payment is booked under `provider:pay_…`. A refund or dispute adds its kind and id; the return of a failed refund or a won dispute also adds
 * `failed` or `won`.
 */
const PAYMENT = /^[a-z]+:(?<id>pay_\w+)(?::(?<kind>refund|dispute):(?<part>.+?)(?::(?<end>failed|won))?)?$/;
const VOUCHER = /^voucher:voucher_/;

/** Reference of a booking. References that the gateway makes are shown in words; the reference of a payment links to its page. */
export function Reference({ reference, isOperators = false }: { readonly reference: string | null; readonly isOperators?: boolean }) {
  if (reference === null) return <>{common.none}</>;
  const { id, kind, part, end } = PAYMENT.exec(reference)?.groups ?? {};
  if (VOUCHER.test(reference)) return <span title={reference}>{common.voucher}</span>;
  if (id === undefined) return <span title={reference}>{reference}</span>;
  const link = isOperators
    ? <TextLink to="/operator/payments/$id" params={{ id }} title={reference}>{common.payment}</TextLink>
    : <TextLink to="/billing/payments/$id" params={{ id }} title={reference}>{common.payment}</TextLink>;
  if (kind === undefined || part === undefined) return link;
  return <>{link}, <span title={part}>{common.partsOfPayment[end === undefined ? kind as 'refund' | 'dispute' : end as 'failed' | 'won']} <span className="mono">{shortId(part)}</span></span></>;
}
