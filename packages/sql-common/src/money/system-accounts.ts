import { COUNTER_ACCOUNTS, WRITE_OFFS } from '@tollgate/core';

/** Accounts of the gateway, which are the other side of customers' entries. */
export const SYSTEM_ACCOUNTS = [...Object.values(COUNTER_ACCOUNTS), WRITE_OFFS] as const;
