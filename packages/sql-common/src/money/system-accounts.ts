import { COUNTER_ACCOUNTS, WRITE_OFFS } from '@tollgate/core';

/** The other sides of customers' transfers. */
export const SYSTEM_ACCOUNTS = [...Object.values(COUNTER_ACCOUNTS), WRITE_OFFS] as const;
