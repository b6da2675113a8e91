import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isApiError } from '../../api/api-error';
import { send as sendRequest } from '../../api/call';
import { eventData } from '../../api/event-stream';
import { keyOf } from '../../api/use-route';
import { bodyOf } from '../../components/snippets/request';
import { type ModelTurn, requestOf, type Settings, type Turn } from './conversation';
import { RawReply, rawRequest } from './raw-exchange';
import { afterData, NO_REPLY } from './reply';

const ROUTES = { chat: 'playgroundChat', messages: 'playgroundMessages', responses: 'playgroundResponses' } as const;
const SHOW_EVERY = 50;
const SECOND = 1_000;

export interface Conversation {
  readonly turns: readonly Turn[];
  readonly isAnswering: boolean;
  /** The error of a request refused before a reply began. */
  readonly refusal: unknown;
  /** Time in milliseconds before which no request is possible, as the gateway has stated; `null` if it has stated none. */
  readonly retryAt: number | null;
  /** Asks for a reply to these turns, of which the last is the person's. If the request is refused, shows `ifRefused` and resolves with false. */
  readonly ask: (turns: readonly Turn[], settings: Settings, ifRefused: readonly Turn[]) => Promise<boolean>;
  readonly stop: () => void;
  /** Replaces the turns without a request. Stops a running reply. */
  readonly show: (turns: readonly Turn[]) => void;
}

/** A conversation that sends one request at a time. */
export function useConversation(baseUrl: string, begin: readonly Turn[]): Conversation {
  const client = useQueryClient();
  const [turns, setTurns] = useState<readonly Turn[]>(begin);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [retryAt, setRetryAt] = useState<number | null>(null);
  const [isAnswering, setAnswering] = useState(false);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const refuse = (error: unknown, ifRefused: readonly Turn[]) => {
    setTurns(ifRefused);
    setRefusal(error);
    if (isApiError(error) && error.status === 429 && error.retryAfter !== null) setRetryAt(Date.now() + error.retryAfter * SECOND);
  };

  const run = async ({ before, ifRefused }: Asked, settings: Settings, controller: AbortController) => {
    const begun = performance.now();
    const body = bodyOf(requestOf(settings, before, baseUrl));
    let turn: ModelTurn = { role: 'model', model: settings.model, reply: NO_REPLY, requestId: null, firstOutput: null, took: null, stopped: false, raw: null };
    let raw: RawReply | null = null;
    const show = (change: Partial<ModelTurn>) => {
      turn = { ...turn, ...change };
      // If this request is no longer the running one, other turns are shown, or another request is running.
      if (running.current === controller) setTurns([...before, turn]);
    };
    try {
      const response = await sendRequest(ROUTES[settings.format], { body }, controller.signal);
      raw = new RawReply(rawRequest(body), response.status);
      show({ requestId: response.headers.get('x-request-id') });
      if (response.body !== null) await readReply(response.body, () => turn, { show, raw, begun, format: settings.format });
      show({ took: performance.now() - begun });
    } catch (error) {
      if (controller.signal.aborted) show({ stopped: true, took: performance.now() - begun });
      else if (turn.requestId === null) {
        refuse(error, ifRefused);
        return false;
      } else show({ took: performance.now() - begun, reply: { ...turn.reply, failure: { code: 'unreachable', message: '' } } });
    } finally {
      if (raw !== null) show({ raw: raw.exchange() });
      if (running.current === controller) setAnswering(false);
      for (const route of ['listUsage', 'overview', 'account', 'me'] as const) void client.invalidateQueries({ queryKey: keyOf(route) });
      void client.invalidateQueries({ queryKey: ['list'] });
    }
    return true;
  };

  return {
    turns, isAnswering, refusal, retryAt,
    ask: (asked, settings, ifRefused) => {
      const controller = new AbortController();
      running.current = controller;
      setRefusal(null);
      setRetryAt(null);
      setAnswering(true);
      setTurns(asked);
      return run({ before: asked, ifRefused }, settings, controller);
    },
    stop: () => running.current?.abort(),
    show: (shown) => {
      running.current?.abort();
      running.current = null;
      setAnswering(false);
      setTurns(shown);
      setRefusal(null);
      setRetryAt(null);
    },
  };
}

interface Asked {
  readonly before: readonly Turn[];
  readonly ifRefused: readonly Turn[];
}

interface Reading {
  readonly show: (change: Partial<ModelTurn>) => void;
  readonly raw: RawReply;
  readonly begun: number;
  readonly format: Settings['format'];
}

/** Renders at most twenty times a second. */
async function readReply(body: ReadableStream<Uint8Array>, turn: () => ModelTurn, { show, raw, begun, format }: Reading): Promise<void> {
  let { reply, firstOutput } = turn();
  let shownAt = 0;
  for await (const data of eventData(body)) {
    raw.add(data);
    reply = afterData(reply, format, data);
    const now = performance.now();
    if (firstOutput === null && reply.pieces > 0) firstOutput = now - begun;
    if (now - shownAt < SHOW_EVERY) continue;
    shownAt = now;
    show({ reply, firstOutput });
  }
  show({ reply, firstOutput });
}
