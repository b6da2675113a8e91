import { type EndReason, REVENUE, TOP_UPS, WRITE_OFFS } from '@tollgate/core';

export { REVENUE, TOP_UPS, WRITE_OFFS };

/** Every other side of customers' transfers. */
export const SYSTEM_ACCOUNTS = [TOP_UPS, REVENUE, WRITE_OFFS] as const;

/** Why the sweeper ends reservations; a record that says so may be followed by one late settlement. */
export const SWEPT: EndReason = 'crashed';
