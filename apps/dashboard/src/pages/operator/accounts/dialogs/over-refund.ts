import type { QueryClient } from '@tanstack/react-query';
import { money } from '#texts/operator-accounts';
import { ApiError, hasCode, isApiError } from '../../../../api/api-error';
import { routeQuery } from '../../../../api/use-route';
import { isBeyond, refundableOf } from '../acts/charge';
import { inBoth, type Booking } from './book';

interface Refused {
  readonly client: QueryClient;
  readonly values: Booking;
  readonly rate: string | undefined;
}

/** Always rejects. If another refund was booked since the charge was read, the refusal becomes a fault of the amount. */
export async function overRefund(error: unknown, { client, values: { kind, amount, requestId: typedId }, rate }: Refused): Promise<never> {
  if (kind !== 'refund' || !isApiError(error) || !hasCode(error, 'conflict')) throw error;
  const { status, code, message, requestId, retryAfter } = error;
  const record = await client.fetchQuery({ ...routeQuery('readAnyUsage', { params: { request_id: typedId.trim() } }), staleTime: 0 }).catch(() => null);
  if (record === null || !isBeyond(amount, refundableOf(record))) throw error;
  throw new ApiError({ status, code, message, requestId, retryAfter, faults: [{ field: 'svc_tokens', text: money.beyond(inBoth(refundableOf(record), rate)) }] });
}
