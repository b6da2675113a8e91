import { useEffect, useReducer, useState } from 'react';
import { addressOf } from '../../../api/call';
import { afterEvent, type LiveEvent, type LiveState, NOTHING_YET } from './live-state';

const EVENTS: readonly LiveEvent['type'][] = ['snapshot', 'tick', 'requests', 'alert'];

export type Connection = 'connecting' | 'connected' | 'lost' | 'paused';

function useIsHidden(): boolean {
  const [hidden, setHidden] = useState(document.hidden);
  useEffect(() => {
    const onChange = () => setHidden(document.hidden);
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return hidden;
}

/** What the gateway serves, second by second. The stream is closed while the page is paused or hidden: a browser has few connections for all its tabs. */
export function useLiveFeed(paused: boolean): { readonly state: LiveState; readonly connection: Connection } {
  const [state, dispatch] = useReducer(afterEvent, NOTHING_YET);
  const [connection, setConnection] = useState<Connection>('connecting');
  const hidden = useIsHidden();
  useEffect(() => {
    if (paused || hidden) return undefined;
    const source = new EventSource(addressOf('live', {}));
    source.addEventListener('open', () => setConnection('connected'));
    source.addEventListener('error', () => setConnection('lost'));
    for (const type of EVENTS) {
      source.addEventListener(type, ({ data }: MessageEvent<string>) => dispatch({ type, data: JSON.parse(data) }));
    }
    return () => {
      source.close();
      setConnection('connecting');
    };
  }, [paused, hidden]);
  return { state, connection: paused ? 'paused' : connection };
}
