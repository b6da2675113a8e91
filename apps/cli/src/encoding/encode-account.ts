import { type Account, type Balance, type JsonObject, availableOf, rfc3339, standingOf } from '@tollgate/core';

/** An account as operators see it. */
export function encodeAccount(account: Account, balance: Balance): JsonObject {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    plan: account.planId,
    status: account.status,
    standing: standingOf(account),
    email_verified: account.emailVerified,
    blocked: account.blocked,
    deletion_due_at: account.deletion === null ? null : rfc3339(account.deletion.dueAt),
    created_at: rfc3339(account.createdAt),
    balance: encodeBalance(balance),
  };
}

/** In service tokens. */
export function encodeBalance(balance: Balance): JsonObject {
  return { total: balance.posted.toString(), reserved: balance.reserved.toString(), available: availableOf(balance).toString() };
}
