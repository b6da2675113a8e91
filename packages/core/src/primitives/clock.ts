import type { Instant } from './time.js';

/** Time as the core may know it. The system clock in production, a manual one in tests. */
export interface Clock {
  now(): Instant;
  /** Runs `task` once after `delayMilliseconds`, unless the returned function is called first. Never keeps a process alive. */
  schedule(delayMilliseconds: number, task: () => void): () => void;
}
