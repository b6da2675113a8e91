import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isApiError } from '../../api/api-error';
import type { Reply } from '../../api/call';
import { keyOf, routeQuery } from '../../api/use-route';
import type { ModelTurn } from './conversation';

const MOST_TRIES = 10;
const RETRY_AFTER = 300;

/** The record of a request whose reply ended without a receipt: stopped, or cut off. It is there once the charge is booked. */
export function useEndedCharge(turn: ModelTurn | undefined): Reply<'readUsage'> | undefined {
  const client = useQueryClient();
  const ended = turn !== undefined && turn.took !== null && turn.reply.receipt === null ? turn.requestId : null;
  const { data } = useQuery({
    ...routeQuery('readUsage', { params: { request_id: ended ?? '' } }), enabled: ended !== null, retryDelay: RETRY_AFTER,
    retry: (failures, error) => isApiError(error) && error.status === 404 && failures < MOST_TRIES,
  });
  const booked = data?.id;
  useEffect(() => {
    if (booked !== undefined) void client.invalidateQueries({ queryKey: keyOf('account') });
  }, [booked, client]);
  return data;
}
