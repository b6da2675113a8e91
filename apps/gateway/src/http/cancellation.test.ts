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
