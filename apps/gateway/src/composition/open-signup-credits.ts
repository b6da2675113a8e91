import type { DashboardSettings } from '@tollgate/adapters-config';
import { HmacAddressHashes, type InstallationSecret } from '@tollgate/adapters-node';
import { SignupCredits } from '@tollgate/core';
import type { Logger } from 'pino';

const WITHOUT_SECRET = 'SIGNUP_CREDIT has no effect: without SECRET or SECRET_FILE it cannot be told which addresses were credited before';

/** What new accounts are given; `null`: nothing, which a log line tells where the settings say otherwise. */
export function openSignupCredits({ signupCredit }: Pick<DashboardSettings, 'signupCredit'>, secret: InstallationSecret | null, log: Logger): SignupCredits | null {
  if (signupCredit === null) return null;
  if (secret !== null) return new SignupCredits(signupCredit, new HmacAddressHashes(secret.keysFor('signup-credit')));
  log.warn(WITHOUT_SECRET);
  return null;
}
