import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isApiError } from '../../api/api-error';
import type { Reply } from '../../api/call';
import { keyOf, routeQuery } from '../../api/use-route';
import type { ModelTurn } from './conversation';

const MAX_TRIES = 10;
const RETRY_AFTER = 300;
/** A pending charge is asked for during ten minutes, because the database may be unavailable. */
const MAX_PENDING_TRIES = 120;
const PENDING_RETRY_AFTER = 5_000;
const NOT_YET: readonly number[] = [0, 404, 503];

/** The usage record of a reply without a receipt (stopped or broken off) or with a pending one; `undefined` until the charge is booked. */
export function useEndedCharge(turn: ModelTurn | undefined): Reply<'readUsage'> | undefined {
  const client = useQueryClient();
  const isPending = turn?.reply.receipt?.isPending === true;
  const ended = turn !== undefined && turn.took !== null && (turn.reply.receipt === null || isPending) ? turn.requestId : null;
  const { data } = useQuery({
    ...routeQuery('readUsage', { params: { request_id: ended ?? '' } }), enabled: ended !== null, retryDelay: isPending ? PENDING_RETRY_AFTER : RETRY_AFTER,
    retry: (failures, error) => isApiError(error) && (isPending ? NOT_YET.includes(error.status) && failures < MAX_PENDING_TRIES : error.status === 404 && failures < MAX_TRIES),
  });
  const booked = data?.id;
  useEffect(() => {
    if (booked !== undefined) void client.invalidateQueries({ queryKey: keyOf('account') });
  }, [booked, client]);
  return data;
}
