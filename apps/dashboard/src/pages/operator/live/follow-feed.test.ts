import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ApiError } from '../../../api/api-error.js';
import { followFeed, SILENT_AFTER } from './follow-feed.js';

const SECOND = 1_000;

beforeEach(() => { jest.useFakeTimers(); });
afterEach(() => { jest.useRealTimers(); });

type Answer = 'silent' | 'ends' | ApiError;

function refusal(code: string, retryAfter: number | null = null, status = 503): ApiError {
  return new ApiError({ status, code, message: code, faults: [], requestId: null, retryAfter });
}

/** Sends one event, then ends or stays silent. */
function streamOf(answer: 'silent' | 'ends', signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('id: 7\nevent: tick\ndata: {"requests":1}\n\n'));
      if (answer === 'ends') controller.close();
      else signal.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
}

/** Records what happens on successive connections. */
function follow(answers: readonly Answer[]) {
  const noted: string[] = [];
  const stop = new AbortController();
  const open = (signal: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
    const answer = answers[noted.filter((one) => one === 'open').length] ?? 'silent';
    noted.push('open');
    return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve(streamOf(answer, signal));
  };
  const over = followFeed({
    open, onEvent: (name, data) => void noted.push(`${name} ${data}`), onState: (state) => void noted.push(state), onSignedOut: () => void noted.push('signed out'),
    onRefused: ({ code }) => void noted.push(`refused ${code}`),
  }, stop.signal);
  return { noted, stop, over };
}

const TICK = ['tick {"requests":1}', 'connected'];

it('the live feed reconnects when its connection is silent', async () => {
  const { noted, stop, over } = follow(['silent']);
  await jest.advanceTimersByTimeAsync(SILENT_AFTER - 1);
  expect(noted).toEqual(['open', ...TICK]);
  await jest.advanceTimersByTimeAsync(1);
  expect(noted.slice(3)).toEqual(['lost']);
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(noted.slice(4)).toEqual(['open', ...TICK]);
  stop.abort();
  await over;
  expect(noted.at(-1)).toBe('connected');
});

it('the live feed retries after a refusal, with growing delays and not before the stated time', async () => {
  const { noted, stop, over } = follow([refusal('server_busy', 3), refusal('unreachable'), refusal('unreachable'), 'ends']);
  const opened = () => noted.filter((one) => one === 'open').length;
  for (const [milliseconds, count] of [[2_999, 1], [1, 2], [999, 2], [1, 3], [1_999, 3], [1, 4]] as const) {
    await jest.advanceTimersByTimeAsync(milliseconds);
    expect(opened()).toBe(count);
  }
  expect(noted.slice(-3)).toEqual([...TICK, 'lost']);
  await jest.advanceTimersByTimeAsync(500);
  expect(opened()).toBe(5);
  stop.abort();
  await over;
});

it('the live feed ends after a permanent refusal, but not after a rate limit', async () => {
  const { noted, over } = follow([refusal('too_many_requests', 1, 429), refusal('not_found', null, 404)]);
  await jest.advanceTimersByTimeAsync(SECOND);
  await over;
  expect(noted).toEqual(['open', 'lost', 'open', 'refused not_found']);
  expect(jest.getTimerCount()).toBe(0);
});

it('the live feed leaves no listener behind after a pause', async () => {
  const { noted, stop, over } = follow(Array.from({ length: 5 }, () => refusal('unreachable')));
  await jest.advanceTimersByTimeAsync(14_000);
  expect(noted.filter((one) => one === 'open').length).toBeGreaterThan(4);
  expect(getEventListeners(stop.signal, 'abort').length).toBeLessThan(2);
  stop.abort();
  await over;
});

it('the live feed ends with the session', async () => {
  const { noted, over } = follow([refusal('not_signed_in')]);
  await over;
  expect(noted).toEqual(['open', 'signed out']);
});
