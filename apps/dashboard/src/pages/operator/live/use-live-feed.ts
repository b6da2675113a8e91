import { useEffect, useReducer, useState } from 'react';
import type { ApiError } from '../../../api/api-error';
import { send } from '../../../api/call';
import { useSessionOver } from '../../../session/person';
import { followFeed, type FeedState } from './follow-feed';
import { afterEvent, type LiveEvent, type LiveState, NOTHING_YET } from './live-state';

const EVENTS: readonly string[] = ['snapshot', 'tick', 'requests', 'alert'] satisfies readonly LiveEvent['type'][];

export type Connection = 'connecting' | FeedState | 'paused' | 'refused';

function useIsHidden(): boolean {
  const [hidden, setHidden] = useState(document.hidden);
  useEffect(() => {
    const onChange = () => setHidden(document.hidden);
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return hidden;
}

async function openStream(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const { body } = await send('live', {}, signal);
  if (body === null) throw new TypeError('The live view has no body.');
  return body;
}

interface LiveFeed {
  readonly state: LiveState;
  readonly connection: Connection;
  /** A permanent refusal: no further attempt until `retry` is called. */
  readonly refusal: ApiError | null;
  readonly retry: () => void;
}

/** The stream is closed while the page is paused or hidden: browsers limit connections. */
export function useLiveFeed(paused: boolean): LiveFeed {
  const [state, dispatch] = useReducer(afterEvent, NOTHING_YET);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const hidden = useIsHidden();
  const onSignedOut = useSessionOver();
  useEffect(() => {
    if (paused || hidden || refusal !== null) return undefined;
    const controller = new AbortController();
    const onEvent = (type: string, data: string) => {
      if (EVENTS.includes(type)) dispatch({ type, data: JSON.parse(data) } as LiveEvent);
    };
    void followFeed({ open: openStream, onEvent, onState: setConnection, onSignedOut, onRefused: setRefusal }, controller.signal);
    return () => {
      controller.abort();
      setConnection('connecting');
    };
  }, [paused, hidden, refusal, onSignedOut]);
  const halted = refusal === null ? null : 'refused';
  return { state, connection: paused ? 'paused' : halted ?? connection, refusal, retry: () => setRefusal(null) };
}
