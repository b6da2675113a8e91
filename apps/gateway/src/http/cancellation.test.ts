import { expect, it } from '@jest/globals';
import { Cancellation } from './cancellation.js';

it('tells every listener once, in order, and keeps the first reason', () => {
  const signal = new Cancellation();
  const heard: string[] = [];
  const removed = (): void => void heard.push('removed');
  signal.addEventListener('abort', () => void heard.push(`first: ${String(signal.reason)}`));
  signal.addEventListener('abort', removed);
  signal.addEventListener('abort', () => void heard.push('second'));
  signal.removeEventListener('abort', removed);
  expect([signal.aborted, signal.reason]).toEqual([false, undefined]);
  signal.abort('client-left');
  signal.abort('shutdown');
  signal.addEventListener('abort', () => void heard.push('too late'));
  expect(heard).toEqual(['first: client-left', 'second']);
  expect([signal.aborted, signal.reason]).toEqual([true, 'client-left']);
});

it('is aborted as soon as it is asked after the fact, also when nobody has announced it', () => {
  const found: { reason: string | null } = { reason: null };
  const signal = new Cancellation(() => found.reason);
  const heard: unknown[] = [];
  signal.addEventListener('abort', () => void heard.push(signal.reason));
  expect(signal.aborted).toBe(false);
  found.reason = 'client-left';
  expect([signal.aborted, signal.aborted]).toEqual([true, true]);
  expect(heard).toEqual(['client-left']);
});
