import { useEffect, useRef } from 'react';
import { keepConversation } from '../../session/kept-conversation';
import { useMe } from '../../session/person';
import { type KeptSession, writeKept } from './kept-session';

const AFTER_CHANGE = 500;

/** Keeps the conversation for a reload: half a second after a change, and when the page is left. Returns a function that forgets it. */
export function useKept(session: Omit<KeptSession, 'search'>, isAnswering: boolean): () => void {
  const { person: { id } } = useMe();
  const latest = useRef(session);
  useEffect(() => {
    latest.current = session;
  });
  const { text, lanes } = session;
  // A reply that is running is kept when it has ended, or when the page is left.
  const change = JSON.stringify([text, isAnswering, lanes.map(({ settings, turns }) => [settings, turns.length, turns.at(-1)?.role])]);
  // An effect may depend only on what it uses.
  const changed = useRef('');
  useEffect(() => {
    changed.current = change;
    const keep = () => keepConversation(id, writeKept({ ...latest.current, search: window.location.search }));
    const timer = window.setTimeout(keep, AFTER_CHANGE);
    window.addEventListener('pagehide', keep);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener('pagehide', keep);
    };
  }, [id, change]);
  // Also keeps it when another page of the dashboard is opened.
  useEffect(() => () => keepConversation(id, writeKept({ ...latest.current, search: window.location.search })), [id]);
  return () => keepConversation(id, null);
}
