import type { FactorCodes, ProofSpend } from '../ports/second-factors.js';
import type { Person } from './person.js';
import type { Session } from './session.js';
import type { Brand, CodeHash, PersonId } from '../primitives.js';
import type { Instant } from '../time.js';

/** Of whom a second factor is required. */
export type SecondFactorPolicy = 'none' | 'operators' | 'everybody';

/**
 * What a session may do: everything, prove a second factor only, or enrol the first one only. `operator-link`: nothing; an operator without the
 * factor that is required signs in by a link of `tollgate operators link`.
 */
export type SessionReach = 'full' | 'prove-factor' | 'enrol-factor' | 'operator-link';

function requiresFactor(policy: SecondFactorPolicy, { role, factors }: Person): boolean {
  if (factors.length > 0 || policy === 'everybody') return true;
  return policy === 'operators' && role === 'operator';
}

/** A factor that a person has is required of them on every way in, whatever the policy. */
export function sessionReach(policy: SecondFactorPolicy, person: Person, session: Pick<Session, 'assurance' | 'signedInBy'>): SessionReach {
  if (session.assurance === 'two-factor' || !requiresFactor(policy, person)) return 'full';
  if (person.factors.length > 0) return 'prove-factor';
  return mayEnrol(person, session) ? 'enrol-factor' : 'operator-link';
}

/** A mailbox alone makes no operator: a password can be reset by mail, and an issuer goes by the address, so neither is enough to enrol an operator's first factor. */
function mayEnrol({ role }: Person, { assurance, signedInBy }: Pick<Session, 'assurance' | 'signedInBy'>): boolean {
  return role !== 'operator' || signedInBy === 'link' || assurance === 'factor-removed';
}

/** Whether a reset by mail, and every other proof of the mailbox alone, removes a person's second factors and recovery codes. An operator's stay. */
export function mailboxRemovesFactors({ role }: Pick<Person, 'role'>): boolean {
  return role !== 'operator';
}

/** Whether a session may add a factor: not one that has yet to prove one, nor an operator's that was not begun by a link. */
export function mayAddFactor(reach: SessionReach): boolean {
  return reach === 'full' || reach === 'enrol-factor';
}

/** A factor makes two of the one thing that the sign-in proved; the password once more does not. */
export function raisesAssurance(proof: ProofSpend['kind']): boolean {
  return proof !== 'password';
}

/** Six digits of an authenticator app. */
export type TotpCode = Brand<string, 'TotpCode'>;
/** Ten characters of `RECOVERY_ALPHABET`, in the one form in which they are hashed. */
export type RecoveryCode = Brand<string, 'RecoveryCode'>;

/** How many recovery codes a person gets. */
export const RECOVERY_CODES = 10;
export const RECOVERY_CODE_LENGTH = 10;
/** Digits and letters without those that look like others: 5 bits each. */
export const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const HALF = RECOVERY_CODE_LENGTH / 2;
/** Longer texts are refused before any work is done on them. */
const LONGEST_READ = 64;
const TOTP = /^\d{6}$/;
const RECOVERY = /^[0-9a-hjkmnp-tv-z]{10}$/;

function compact(typed: string): string {
  return typed.length > LONGEST_READ ? '' : typed.replaceAll(/[\s-]/g, '').toLowerCase();
}

/** Reads a code as a person types or pastes it, in groups or not; `null` when it is none. */
export function readTotpCode(typed: string): TotpCode | null {
  const code = compact(typed);
  return TOTP.test(code) ? code as TotpCode : null;
}

/** Reads a code with or without its dash, in either letter case, and letters for the digits that they look like; `null` when it is none. */
export function readRecoveryCode(typed: string): RecoveryCode | null {
  const code = compact(typed).replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return RECOVERY.test(code) ? code as RecoveryCode : null;
}

/** `abcde-fghij` */
export function writeRecoveryCode(code: RecoveryCode): string {
  return `${code.slice(0, HALF)}-${code.slice(HALF)}`;
}

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
