import { useEffect, useRef, useState } from 'react';
import { playground as texts } from '#texts/playground';
import { dollars } from '../../format/amount';
import type { ModelTurn } from './conversation';

const SAID_EVERY = 10_000;

/** Announces to screen readers when a reply begins and ends, and its number of tokens every ten seconds, but not each word. */
export function AnsweringStatus({ turn, isAnswering }: { readonly turn: ModelTurn | undefined; readonly isAnswering: boolean }) {
  const [said, setSaid] = useState<number | null>(null);
  const tokens = turn?.reply.receipt?.outputTokens ?? turn?.reply.pieces ?? 0;
  const latest = useRef(tokens);
  useEffect(() => {
    latest.current = tokens;
  });
  useEffect(() => {
    if (!isAnswering) return undefined;
    const timer = window.setInterval(() => setSaid(latest.current), SAID_EVERY);
    return () => {
      window.clearInterval(timer);
      setSaid(null);
    };
  }, [isAnswering]);
  const ended = turn?.reply.receipt ?? null;
  const sentence = isAnswering
    ? said === null ? texts.status.answering : texts.status.still(said)
    : ended === null ? (turn === undefined ? '' : texts.status.ended) : (ended.isPending ? texts.status.pending : texts.status.done)(tokens, dollars(ended.usd));
  return <output className="visually-hidden" aria-live="polite">{sentence}</output>;
}
