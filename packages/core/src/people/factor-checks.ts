import type { CodeHash, PersonId } from '../ids.js';
import type { FactorCodes } from '../ports/factor-codes.js';
import type { ProofSpend } from '../ports/factor-records.js';
import type { Instant } from '../time/instant.js';
import { readRecoveryCode, readTotpCode, RECOVERY_CODES, writeRecoveryCode } from './one-time-code.js';

/** Recovery codes as they are shown, and as they are stored. */
export interface IssuedCodes {
  readonly shown: readonly string[];
  readonly hashes: readonly CodeHash[];
}

/** A code that a person has typed, for the app whose secret is sealed here. */
export interface TypedCode {
  readonly personId: PersonId;
  readonly sealed: string;
  readonly typed: string;
  readonly at: Instant;
}

/** `spend` is `null` for a wrong code. `unreadable`: the secret was sealed under a key that this gateway does not have. */
export type CheckedCode = { readonly outcome: 'unreadable' } | { readonly outcome: 'checked'; readonly spend: ProofSpend | null };

const UNREADABLE = { outcome: 'unreadable' } as const;

/** Tells right codes from wrong ones. Decides nothing: a right code may have been used already. */
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

  /** A code of an app that was begun; with it the person's recovery codes begin to count. */
  async enrolment({ personId, sealed, typed, at }: TypedCode, { hashes }: IssuedCodes): Promise<CheckedCode> {
    const opened = this.codes.sealer.open(sealed, personId);
    if (opened === null) return UNREADABLE;
    const step = await this.stepOf(opened.secret, typed, at);
    return { outcome: 'checked', spend: step === null ? null : { kind: 'enrolment', sealed, step, codeHashes: hashes } };
  }

  /** Recovery codes, keyed with this app's secret; `null` where it is unreadable. */
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
