import { type Account, type AccountStanding, standingOf } from '@tollgate/core';

/** Names of standings, the same as in the dashboard. */
const WORDS: Readonly<Record<AccountStanding, string>> = {
  good: 'in good order', blocked: 'blocked', suspended: 'suspended', 'pending-deletion': 'deletion scheduled', 'email-unverified': 'e-mail not verified', deleted: 'deleted',
};

/** What people read as the status of an account. */
export function standingText(account: Account): string {
  return WORDS[standingOf(account)];
}
