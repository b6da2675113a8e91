import type { Instant, PersonId } from '@tollgate/core';
import {
  type CheckedCode, type FactorCodes, type IssuedCodes, readRecoveryCode, readTotpCode, RECOVERY_CODES, type TypedCode, writeRecoveryCode,
} from './factor-codes.js';

const UNREADABLE = { outcome: 'unreadable' } as const;

/** Checks codes without changing anything; the store decides whether a correct code was used before. */
export class FactorChecks {
  constructor(private readonly codes: FactorCodes) {}

  async totp({ personId, sealed, typed, at }: TypedCode): Promise<CheckedCode> {
    const { sealer } = this.codes;
    const opened = sealer.open(sealed, personId);
    if (opened === null) return UNREADABLE;
    const step = await this.stepOf(opened.secret, typed, at);
    if (step === null) return { outcome: 'checked', spend: null };
    return { outcome: 'checked', spend: { kind: 'totp', sealed, step, resealed: opened.outdated ? sealer.seal(opened.secret, personId) : null } };
  }

  recovery({ personId, sealed, typed }: TypedCode): CheckedCode {
    const opened = this.codes.sealer.open(sealed, personId);
    if (opened === null) return UNREADABLE;
    const code = readRecoveryCode(typed);
    return { outcome: 'checked', spend: code === null ? null : { kind: 'recovery', codeHash: this.codes.recovery.hash(opened.secret, code) } };
  }

  /** Checks the code of a new app. The result confirms the app and makes its recovery codes valid once it is stored. */
  async enrolment({ personId, sealed, typed, at }: TypedCode, { hashes }: IssuedCodes): Promise<CheckedCode> {
    const opened = this.codes.sealer.open(sealed, personId);
    if (opened === null) return UNREADABLE;
    const step = await this.stepOf(opened.secret, typed, at);
    return { outcome: 'checked', spend: step === null ? null : { kind: 'enrolment', sealed, step, codeHashes: hashes } };
  }

  /** Codes hashed with the app's secret; `null` if the secret cannot be decrypted. */
  issueRecoveryCodes(personId: PersonId, sealed: string): IssuedCodes | null {
    const { sealer, recovery } = this.codes;
    const opened = sealer.open(sealed, personId);
    if (opened === null) return null;
    const issued = Array.from({ length: RECOVERY_CODES }, () => recovery.issue());
    return { shown: issued.map(writeRecoveryCode), hashes: issued.map((code) => recovery.hash(opened.secret, code)) };
  }

  private async stepOf(secret: Uint8Array, typed: string, at: Instant): Promise<number | null> {
    const code = readTotpCode(typed);
    return code === null ? null : this.codes.totp.stepOf(secret, code, at);
  }
}
