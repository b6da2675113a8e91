import { type ErrorCode, GatewayError } from '../errors/gateway-error.js';
import type { AccountId } from '../primitives/ids.js';
import { type AccountStanding, type StandingFacts, standingOf } from './account.js';

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

const REFUSALS: Readonly<Record<Exclude<AccountStanding, 'good'>, Refusal>> = {
  'blocked': { code: 'account_blocked', message: 'This account is blocked.' },
  'suspended': { code: 'account_inactive', message: 'This account is suspended.' },
  'pending-deletion': { code: 'account_inactive', message: 'This account is about to be deleted.' },
  'deleted': { code: 'account_inactive', message: 'This account is deleted.' },
  'email-unverified': { code: 'email_not_verified', message: 'The e-mail address of this account is not verified yet.' },
};

/** `accountId` is for the log; pass it if the account is known only from the key. */
export function standingRefusal(standing: Exclude<AccountStanding, 'good'>, accountId?: AccountId): GatewayError {
  const { code, message } = REFUSALS[standing];
  return new GatewayError(code, message, accountId === undefined ? {} : { accountId });
}

export function requireGoodStanding(account: StandingFacts): void {
  const standing = standingOf(account);
  if (standing !== 'good') throw standingRefusal(standing);
}
