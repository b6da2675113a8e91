import type { UsageScope } from '@tollgate/core';
import type { Script } from './script.js';

/** Runs scripts that need no transaction: each query may take effect by itself. What they write must not be cached. */
export interface StepRunner {
  /** The script may run again after a lost reply, so it must be idempotent. */
  steps<T>(script: () => Script<T>): Promise<T>;
}

/** Runs scripts as transactions. */
export interface ScriptRunner {
  /** Reads one snapshot of the database. */
  read<T>(script: () => Script<T>): Promise<T>;
  /**
   * Like `read`, for scripts that take longer than milliseconds. SQLite reads files in another thread. Few such scripts run at a time, and accounts
   * take turns; rejects with `rate_limit_exceeded` if too many of an account wait. SQLite in memory runs the script at once, like `read`.
   */
  readInSharedThread<T>(holder: UsageScope, script: () => Script<T>): Promise<T>;
  /**
   * Runs a transaction. Only one runs at a time over all processes. In PostgreSQL, operations of the ledger commit meanwhile, so a script that
   * decides by rows that they change must lock these rows. When the promise resolves, the transaction is committed and its bookings are announced.
   */
  write<T>(script: () => Script<T>): Promise<T>;
  /** Like `read`, for the longest scripts. Other work runs between their queries, except with SQLite in memory. */
  readInBackground<T>(script: () => Script<T>): Promise<T>;
}
