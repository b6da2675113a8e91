import type { FactorCodes, TotpCodes } from '@tollgate/core';
import { RandomRecoveryCodes } from './random-recovery-codes.js';
import { AesSealer } from './aes-sealer.js';
import type { InstallationSecret } from './installation-secret.js';

/** What second factors need, under this installation's secret. */
export function factorCodes(secret: InstallationSecret, totp: TotpCodes): FactorCodes {
  return { sealer: new AesSealer(secret.keysFor('factor')), totp, recovery: new RandomRecoveryCodes() };
}
