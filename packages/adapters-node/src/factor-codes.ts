import type { FactorCodes, TotpCodes } from '@tollgate/identity';
import { AesSealer } from './aes-sealer.js';
import type { InstallationSecret } from './installation-secret.js';
import { RandomRecoveryCodes } from './random-recovery-codes.js';

/** The ciphers and codes of second factors, under the secret of this installation. */
export function factorCodes(secret: InstallationSecret, totp: TotpCodes): FactorCodes {
  return { sealer: new AesSealer(secret.keysFor('factor')), totp, recovery: new RandomRecoveryCodes() };
}
