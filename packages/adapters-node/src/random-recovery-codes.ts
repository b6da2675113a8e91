import { createHmac, randomBytes } from 'node:crypto';
import type { CodeHash } from '@tollgate/core';
import { RECOVERY_ALPHABET, RECOVERY_CODE_LENGTH, type RecoveryCode, type RecoveryCodes } from '@tollgate/identity';

/** Separates the hashes of recovery codes from other uses of the secret. */
const LABEL = 'tollgate/1/recovery/';

/** Codes of 50 random bits. They are stored as HMAC-SHA-256 under the person's secret, which is stored encrypted. */
export class RandomRecoveryCodes implements RecoveryCodes {
  issue(): RecoveryCode {
    // The 256 values of a byte are a multiple of the 32 characters, so all characters are equally likely.
    const characters = Array.from(randomBytes(RECOVERY_CODE_LENGTH), (byte) => RECOVERY_ALPHABET.charAt(byte % RECOVERY_ALPHABET.length));
    return characters.join('') as RecoveryCode;
  }

  hash(secret: Uint8Array, code: RecoveryCode): CodeHash {
    return createHmac('sha256', secret).update(LABEL + code).digest('hex') as CodeHash;
  }
}
