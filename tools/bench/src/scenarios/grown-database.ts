import type { Growth } from '../seed/growth.js';
import type { SubjectId } from '../subjects/subject.js';

/** A database to measure on: what it holds, and what it is called. */
export interface GrownDatabase {
  readonly id: Extract<SubjectId, `tollgate${string}`>;
  readonly title: string;
  readonly growth: Growth;
}

/** Accounts that requests come from in turn, on every database; where there are more, they lie all over it. */
export const ACTIVE_ACCOUNTS = 500;

/** Holds what the load itself needs, and nothing else; what all others are compared with. */
export const EMPTY_DATABASE = {
  id: 'tollgate', title: 'empty database', growth: { accounts: ACTIVE_ACCOUNTS, keys: ACTIVE_ACCOUNTS, usageRows: 0 },
} as const satisfies GrownDatabase;

/** A number of things in words, such as `10,000 keys`. */
export function counted(count: number, things: string): string {
  return `${count.toLocaleString('en-US')} ${things}`;
}

/** About, for whoever waits. */
const ROWS_SEEDED_PER_SECOND = 60_000;

/** About how long it takes to fill databases. */
export function seedingSeconds(databases: readonly GrownDatabase[]): number {
  return databases.reduce((sum, { growth: { accounts, keys, usageRows } }) => sum + accounts + keys + usageRows, 0) / ROWS_SEEDED_PER_SECOND;
}
