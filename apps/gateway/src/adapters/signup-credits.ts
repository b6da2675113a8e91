import type { DashboardSettings } from '@tollgate/adapters-config';
import { HmacAddressHashes, type InstallationSecret } from '@tollgate/adapters-node';
import { SignupCredits } from '@tollgate/identity';
import type { Logger } from 'pino';

const CREDITS_WITHOUT_SECRET = 'SIGNUP_CREDIT has no effect: without SECRET or SECRET_FILE the gateway cannot tell which addresses it has credited';

/** `null` if no credit is configured, or if the installation has no secret; the missing secret is logged as a warning. */
export function openSignupCredits({ signupCredit, signupCreditDays }: Pick<DashboardSettings, 'signupCredit' | 'signupCreditDays'>, secret: InstallationSecret | null, log: Logger): SignupCredits | null {
  if (signupCredit === null) return null;
  if (secret !== null) return new SignupCredits(signupCredit, new HmacAddressHashes(secret.keysFor('signup-credit')), signupCreditDays);
  log.warn(CREDITS_WITHOUT_SECRET);
  return null;
}
