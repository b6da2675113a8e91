import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isApiError } from '../../api/api-error';
import { send as sendRequest } from '../../api/call';
import { eventData } from '../../api/event-stream';
import { keyOf } from '../../api/use-route';
import { bodyOf } from '../../components/snippets/request';
import { type ModelTurn, requestOf, type Settings, type Turn, type UserTurn } from './conversation';
import { afterData, NO_REPLY } from './reply';

const ROUTES = { chat: 'playgroundChat', messages: 'playgroundMessages', responses: 'playgroundResponses' } as const;
const SHOW_EVERY = 50;
const SECOND = 1_000;

export interface Conversation {
  readonly turns: readonly Turn[];
  readonly isAnswering: boolean;
  /** The error of a request refused before a reply began. */
  readonly refusal: unknown;
  /** Milliseconds; `null` for now. */
  readonly retryAt: number | null;
  /** Resolves with false if it was refused; the draft is kept. */
  readonly send: (turn: UserTurn, settings: Settings) => Promise<boolean>;
  readonly stop: () => void;
  readonly clear: () => void;
}

/** Kept in memory. One request at a time. */
export function useConversation(baseUrl: string): Conversation {
  const client = useQueryClient();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [retryAt, setRetryAt] = useState<number | null>(null);
  const [isAnswering, setAnswering] = useState(false);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const refuse = (error: unknown, before: readonly Turn[]) => {
    setTurns(before.slice(0, -1));
    setRefusal(error);
    if (isApiError(error) && error.status === 429 && error.retryAfter !== null) setRetryAt(Date.now() + error.retryAfter * SECOND);
  };

  const run = async (before: readonly Turn[], settings: Settings, controller: AbortController) => {
    const begun = performance.now();
    let turn: ModelTurn = { role: 'model', model: settings.model, reply: NO_REPLY, requestId: null, firstOutput: null, took: null, stopped: false };
    const show = (change: Partial<ModelTurn>) => {
      turn = { ...turn, ...change };
      setTurns([...before, turn]);
    };
    try {
      const response = await sendRequest(ROUTES[settings.format], { body: bodyOf(requestOf(settings, before, baseUrl)) }, controller.signal);
      show({ requestId: response.headers.get('x-request-id') });
      if (response.body !== null) await readReply(response.body, () => turn, { show, begun, format: settings.format });
      show({ took: performance.now() - begun });
    } catch (error) {
      if (controller.signal.aborted) show({ stopped: true, took: performance.now() - begun });
      else if (turn.requestId === null) {
        refuse(error, before);
        return false;
      } else show({ took: performance.now() - begun, reply: { ...turn.reply, failure: { code: 'unreachable', message: '' } } });
    } finally {
      setAnswering(false);
      for (const route of ['listUsage', 'overview', 'account', 'me'] as const) void client.invalidateQueries({ queryKey: keyOf(route) });
      void client.invalidateQueries({ queryKey: ['list'] });
    }
    return true;
  };

  return {
    turns, isAnswering, refusal, retryAt,
    send: (turn, settings) => {
      const before = [...turns, turn];
      const controller = new AbortController();
      running.current = controller;
      setRefusal(null);
      setRetryAt(null);
      setAnswering(true);
      setTurns(before);
      return run(before, settings, controller);
    },
    stop: () => running.current?.abort(),
    clear: () => {
      running.current?.abort();
      setTurns([]);
      setRefusal(null);
    },
  };
}

interface Reading {
  readonly show: (change: Partial<ModelTurn>) => void;
  readonly begun: number;
  readonly format: Settings['format'];
}

/** Renders at most twenty times a second. */
async function readReply(body: ReadableStream<Uint8Array>, turn: () => ModelTurn, { show, begun, format }: Reading): Promise<void> {
  let { reply, firstOutput } = turn();
  let shownAt = 0;
  for await (const data of eventData(body)) {
    reply = afterData(reply, format, data);
    const now = performance.now();
    if (firstOutput === null && reply.pieces > 0) firstOutput = now - begun;
    if (now - shownAt < SHOW_EVERY) continue;
    shownAt = now;
    show({ reply, firstOutput });
  }
  show({ reply, firstOutput });
}
