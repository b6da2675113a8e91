import { MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR } from '../time/instant.js';

/**
 * What a single-use token is good for. A person has at most one live token for each. An address changes by two: `confirm-change` from the present
 * address, then `change-email` from the new one.
 */
export type TokenPurpose = 'verify-email' | 'confirm-change' | 'change-email' | 'reset-password' | 'invitation' | 'sign-in';

const INVITATION_DAYS = 7;

/** How long a link is good that is sent by mail. */
export const TOKEN_LIFETIMES: Readonly<Record<Exclude<TokenPurpose, 'sign-in'>, number>> = {
  'verify-email': MILLISECONDS_PER_DAY,
  'confirm-change': MILLISECONDS_PER_HOUR,
  'change-email': MILLISECONDS_PER_HOUR,
  'reset-password': MILLISECONDS_PER_HOUR,
  invitation: INVITATION_DAYS * MILLISECONDS_PER_DAY,
};
