import {
  type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, type PersonId, secondsUntil, type SessionId,
} from '@tollgate/core';
import type { PersonRole } from '../people/person.js';

/** `confirmed`: by a mailed link after an insufficient password or issuer; see `needsMailedLink`. */
export type SignInWay = 'password' | 'link' | 'passkey' | 'issuer' | 'confirmed';

/**
 * A passkey with user verification counts as two factors. `factor-removed`: the last of two proven factors was removed; counts as one and
 * may enrol another.
 */
export type Assurance = 'one-factor' | 'two-factor' | 'factor-removed';

export interface Session {
  readonly id: SessionId;
  readonly personId: PersonId;
  readonly signedInBy: SignInWay;
  readonly assurance: Assurance;
  readonly createdAt: Instant;
  /** Time of the last proof by password, factor or link. */
  readonly provenAt: Instant;
  /** To the minute. */
  readonly lastUsedAt: Instant;
  /** Address of the last use. */
  readonly address: string;
  readonly userAgent: string | null;
}

export interface SessionLife {
  readonly idleMilliseconds: number;
  readonly absoluteMilliseconds: number;
}

const OPERATOR_HOURS = 12;
const OWNER_IDLE_DAYS = 7;
const OWNER_DAYS = 30;

const LIVES: Readonly<Record<PersonRole, SessionLife>> = {
  owner: { idleMilliseconds: OWNER_IDLE_DAYS * MILLISECONDS_PER_DAY, absoluteMilliseconds: OWNER_DAYS * MILLISECONDS_PER_DAY },
  operator: { idleMilliseconds: OPERATOR_HOURS * MILLISECONDS_PER_HOUR, absoluteMilliseconds: OPERATOR_HOURS * MILLISECONDS_PER_HOUR },
};

/** For all roles. */
export const MAX_SESSION_MILLISECONDS = LIVES.owner.absoluteMilliseconds;
/** Per person; the oldest end. */
export const MAX_SESSIONS = 50;
/** After a proof, a session may change credentials. */
export const FRESH_PROOF_MILLISECONDS = 10 * MILLISECONDS_PER_MINUTE;
/** Limits the writes. */
const USE_NOTED_EVERY = MILLISECONDS_PER_MINUTE;

export function sessionLifeOf(role: PersonRole): SessionLife {
  return LIVES[role];
}

/** Use extends a session up to the absolute limit. The person's current role applies. */
export function isSessionAlive({ createdAt, lastUsedAt }: Session, role: PersonRole, at: Instant): boolean {
  const { idleMilliseconds, absoluteMilliseconds } = LIVES[role];
  return at < later(createdAt, absoluteMilliseconds) && at < later(lastUsedAt, idleMilliseconds);
}

/** `Max-Age` of the session's cookie. */
export function remainingSeconds({ createdAt }: Session, role: PersonRole, at: Instant): number {
  return secondsUntil(later(createdAt, LIVES[role].absoluteMilliseconds), at);
}

/** Needed to change the password, the address or the factors, or to delete the account: protects unattended browsers. */
export function isFreshlyProven({ provenAt }: Pick<Session, 'provenAt'>, at: Instant): boolean {
  return at < later(provenAt, FRESH_PROOF_MILLISECONDS);
}

export function isUseWorthNoting({ lastUsedAt }: Session, at: Instant): boolean {
  return at >= later(lastUsedAt, USE_NOTED_EVERY);
}
