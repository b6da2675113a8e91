import { COUNTER_ACCOUNTS, type EndReason, REVENUE, WRITE_OFFS } from '@tollgate/core';

export { REVENUE, WRITE_OFFS };

/** Every other side of customers' transfers. */
export const SYSTEM_ACCOUNTS = [...Object.values(COUNTER_ACCOUNTS), WRITE_OFFS] as const;

/** Why the sweeper ends reservations; a record that says so may be followed by one late settlement. */
export const SWEPT: EndReason = 'crashed';
