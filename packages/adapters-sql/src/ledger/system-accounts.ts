import type { EndReason } from '@tollgate/core';

/** The other sides of customers' transfers. They have no row: their balances are what the entries sum to. */
export const TOP_UPS = 'system:top-ups';
export const REVENUE = 'system:revenue';
export const WRITE_OFFS = 'system:write-offs';

export const SYSTEM_ACCOUNTS = [TOP_UPS, REVENUE, WRITE_OFFS] as const;

/** Why the sweeper ends reservations; a record that says so may be followed by one late settlement. */
export const SWEPT: EndReason = 'crashed';
