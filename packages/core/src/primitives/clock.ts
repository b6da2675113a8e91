import type { Instant } from './time.js';

export interface Clock {
  now(): Instant;
  /** The returned function cancels the task. The timer does not keep the process alive. */
  schedule(delayMilliseconds: number, task: () => void): () => void;
}
