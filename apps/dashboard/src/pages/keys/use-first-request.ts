import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Reply } from '../../api/call';
import { routeQuery } from '../../api/use-route';

const EVERY = 2_000;
const FOR = 5 * 60_000;

export interface FirstRequest {
  readonly state: 'waiting' | 'arrived' | 'stopped';
  /** Id of the first request; `null` until it is charged. */
  readonly requestId: string | null;
}

function isUsed(key: Reply<'readKey'> | undefined): boolean {
  return key !== undefined && (key.last_used_at !== null || (key.requests_7_days ?? 0) > 0);
}

/** Polls every two seconds for up to five minutes, while the page is visible and until a request has been charged. */
export function useFirstRequest(keyId: string): FirstRequest {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setOver(true), FOR);
    return () => window.clearTimeout(timer);
  }, []);
  const { data: key } = useQuery({
    ...routeQuery('readKey', { params: { id: keyId } }), staleTime: 0, refetchInterval: ({ state }) => (over || isUsed(state.data) ? false : EVERY),
  });
  const { data: records } = useQuery({
    ...routeQuery('listUsage', { query: { key_id: keyId, limit: 1 } }),
    staleTime: 0, enabled: isUsed(key), refetchInterval: ({ state }) => (over || (state.data?.data.length ?? 0) > 0 ? false : EVERY),
  });
  if (isUsed(key)) return { state: 'arrived', requestId: records?.data[0]?.request_id ?? null };
  return { state: over ? 'stopped' : 'waiting', requestId: null };
}
