import { type ApiError, hasCode, isApiError } from '../../../api/api-error';
import { serverEvents } from '../../../api/event-stream';

/** `connected` once an event arrived, `lost` from a failure until the next event. */
export type FeedState = 'connected' | 'lost';

interface FeedPorts {
  /** Rejects with an `ApiError` if refused or unreachable. */
  readonly open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  readonly onEvent: (name: string, data: string) => void;
  readonly onState: (state: FeedState) => void;
  /** Called when the session ended; no further attempt follows. */
  readonly onSignedOut: () => void;
  /** Called for a permanent refusal, for example without the role; no further attempt follows. */
  readonly onRefused: (refusal: ApiError) => void;
}

/** Milliseconds without an event after which the connection counts as dead, for example after sleep: the gateway sends an event every second. */
export const SILENT_AFTER = 5_000;
const FIRST_WAIT = 500;
const MAX_WAIT = 5_000;
const SECOND = 1_000;
const TOO_MANY_REQUESTS = 429;

/** Calls `run` if `alive` is not called for `SILENT_AFTER` milliseconds. */
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

/** Resolves when the gateway ends the stream; rejects if it is refused, broken or silent. */
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

/** True for every 4xx except 429. */
function isFinal(failure: unknown): failure is ApiError {
  return isApiError(failure) && failure.status >= 400 && failure.status < 500 && failure.status !== TOO_MANY_REQUESTS;
}

/** Reconnects until aborted, signed out or permanently refused. Each connection begins with a snapshot. */
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
