import type { FactorCodes, TotpCodes } from '@tollgate/identity';
import { AesSealer } from './aes-sealer.js';
import type { InstallationSecret } from './installation-secret.js';
import { RandomRecoveryCodes } from './random-recovery-codes.js';

export function factorCodes(secret: InstallationSecret, totp: TotpCodes): FactorCodes {
  return { sealer: new AesSealer(secret.keysFor('factor')), totp, recovery: new RandomRecoveryCodes() };
}
