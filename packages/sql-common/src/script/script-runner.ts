import type { UsageScope } from '@tollgate/core';
import type { Script } from './script.js';

/** Runs scripts without a transaction: each query takes effect by itself. No cache depends on what it writes. */
export interface StepRunner {
  /** May run again after a lost answer, so the script must be idempotent. */
  steps<T>(script: () => Script<T>): Promise<T>;
}

/** Runs scripts as transactions. */
export interface ScriptRunner {
  /** Reads one snapshot of the database. */
  read<T>(script: () => Script<T>): Promise<T>;
  /** Like `read`, in another thread, a few at a time and fair by account; for scripts that take more than milliseconds. */
  readInSharedThread<T>(holder: UsageScope, script: () => Script<T>): Promise<T>;
  /** Runs a serializable transaction, which is committed once the promise resolves, and announces what it booked. */
  write<T>(script: () => Script<T>): Promise<T>;
  /** Like `read`, for long scripts: other work runs between the queries. */
  readInBackground<T>(script: () => Script<T>): Promise<T>;
}
