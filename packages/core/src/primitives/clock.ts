import type { Instant } from './time.js';

export interface Clock {
  now(): Instant;
  /** Runs `task` once after the delay; the returned function cancels it. The timer does not keep the process alive. */
  schedule(delayMilliseconds: number, task: () => void): () => void;
}
