import { MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR } from '../time/instant.js';

/**
 * What a single-use token is good for. A person has at most one live token for each. An address changes by two: `confirm-change` from the present
 * address, then `change-email` from the new one.
 */
export type TokenPurpose = 'verify-email' | 'confirm-change' | 'change-email' | 'reset-password' | 'invitation' | 'sign-in';

const UNVERIFIED_DAYS = 7;

/** A person who has not verified their address so long after they signed up or were invited is removed. An invitation is good for as long. */
export const UNVERIFIED_KEPT_MILLISECONDS = UNVERIFIED_DAYS * MILLISECONDS_PER_DAY;

/** How long a link is good that is sent by mail. */
export const TOKEN_LIFETIMES: Readonly<Record<Exclude<TokenPurpose, 'sign-in'>, number>> = {
  'verify-email': MILLISECONDS_PER_DAY,
  'confirm-change': MILLISECONDS_PER_HOUR,
  'change-email': MILLISECONDS_PER_HOUR,
  'reset-password': MILLISECONDS_PER_HOUR,
  invitation: UNVERIFIED_KEPT_MILLISECONDS,
};
