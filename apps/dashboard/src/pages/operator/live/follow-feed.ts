import { type ApiError, hasCode, isApiError } from '../../../api/api-error';
import { serverEvents } from '../../../api/event-stream';

/** `connected` once an event has come, `lost` until the next one has. */
export type FeedState = 'connected' | 'lost';

export interface FeedPorts {
  /** Asks for the stream. Rejects with an `ApiError` where it is refused or the gateway is not reached. */
  readonly open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  readonly onEvent: (name: string, data: string) => void;
  readonly onState: (state: FeedState) => void;
  /** The session is over: nothing more is tried. */
  readonly onSignedOut: () => void;
  /** The view is refused for good, as after the role was taken: nothing more is tried. */
  readonly onRefused: (refusal: ApiError) => void;
}

/** The gateway sends something every second. A connection that says nothing for longer is dead, as it is after a sleep or in another network. */
export const SILENT_AFTER = 5_000;
const FIRST_WAIT = 500;
const MAX_WAIT = 5_000;
const SECOND = 1_000;
const TOO_MANY_REQUESTS = 429;

/** Calls `run` unless it is told within the time that there was life. */
function watchdog(run: () => void): { readonly alive: () => void; readonly end: () => void } {
  let timer = setTimeout(run, SILENT_AFTER);
  return {
    alive: () => {
      clearTimeout(timer);
      timer = setTimeout(run, SILENT_AFTER);
    },
    end: () => clearTimeout(timer),
  };
}

/** Reads one connection to its end. Resolves where the gateway ends it; rejects where it is refused, breaks or falls silent. */
async function readOnce({ open, onEvent }: FeedPorts, signal: AbortSignal): Promise<void> {
  const attempt = new AbortController();
  const { alive, end } = watchdog(() => attempt.abort());
  try {
    const either = AbortSignal.any([signal, attempt.signal]);
    for await (const { name, data } of serverEvents(await open(either))) {
      alive();
      onEvent(name, data);
    }
  } finally {
    end();
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}

/** Whether the same request will be refused again: every 4xx but a limit of requests. */
function isFinal(failure: unknown): failure is ApiError {
  return isApiError(failure) && failure.status >= 400 && failure.status < 500 && failure.status !== TOO_MANY_REQUESTS;
}

/** Follows the live view until `signal` is aborted, the session is over or the view is refused for good. However else a connection ends, another one is opened: the gateway begins it with all it remembers. */
export async function followFeed(ports: FeedPorts, signal: AbortSignal): Promise<void> {
  let wait = FIRST_WAIT;
  const onEvent = (name: string, data: string): void => {
    wait = FIRST_WAIT;
    ports.onEvent(name, data);
    ports.onState('connected');
  };
  while (!signal.aborted) {
    const failure = await readOnce({ ...ports, onEvent }, signal).then(() => null, (error: unknown) => error);
    if (signal.aborted) return;
    if (hasCode(failure, 'not_signed_in')) {
      ports.onSignedOut();
      return;
    }
    if (isFinal(failure)) {
      ports.onRefused(failure);
      return;
    }
    ports.onState('lost');
    const asked = isApiError(failure) ? (failure.retryAfter ?? 0) * SECOND : 0;
    await pause(Math.max(wait, asked), signal);
    wait = Math.min(wait * 2, MAX_WAIT);
  }
}
