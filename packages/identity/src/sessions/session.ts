import {
  type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, type PersonId, secondsUntil, type SessionId,
} from '@tollgate/core';
import type { PersonRole } from '../people/person.js';

/** How a session began. `confirmed`: by a mailed link, after a password or an issuer that did not suffice; see `needsMailedLink`. */
export type SignInWay = 'password' | 'link' | 'passkey' | 'issuer' | 'confirmed';

/**
 * How much a session has proved: one thing, or two of different kinds. A passkey that verified its user counts as two. `factor-removed`: two, and the
 * person's last factor was removed since, so it counts as one and may enrol another.
 */
export type Assurance = 'one-factor' | 'two-factor' | 'factor-removed';

/** A browser that a person is signed in with. */
export interface Session {
  readonly id: SessionId;
  readonly personId: PersonId;
  readonly signedInBy: SignInWay;
  readonly assurance: Assurance;
  readonly createdAt: Instant;
  /** When the person last proved a password, a factor or a link in it. */
  readonly provenAt: Instant;
  /** To the minute. */
  readonly lastUsedAt: Instant;
  /** The address that last used it. */
  readonly address: string;
  readonly userAgent: string | null;
}

/** How long a session lives. */
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

/** Each session of any role is over this long after it began. */
export const LONGEST_SESSION_MILLISECONDS = LIVES.owner.absoluteMilliseconds;
/** Oldest ones end when a person signs in with more browsers. */
export const MAXIMUM_SESSIONS = 50;
/** For how long a proof lets a session change how its person signs in. */
export const FRESH_PROOF_MILLISECONDS = 10 * MILLISECONDS_PER_MINUTE;
/** A session in use is written at most this often. */
const USE_NOTED_EVERY = MILLISECONDS_PER_MINUTE;

export function sessionLifeOf(role: PersonRole): SessionLife {
  return LIVES[role];
}

/** Use prolongs a session up to the absolute limit, and not beyond. The role is today's, not the one at sign-in. */
export function isSessionAlive({ createdAt, lastUsedAt }: Session, role: PersonRole, at: Instant): boolean {
  const { idleMilliseconds, absoluteMilliseconds } = LIVES[role];
  return at < later(createdAt, absoluteMilliseconds) && at < later(lastUsedAt, idleMilliseconds);
}

/** How long a browser keeps the session's cookie: whole seconds. */
export function remainingSeconds({ createdAt }: Session, role: PersonRole, at: Instant): number {
  return secondsUntil(later(createdAt, LIVES[role].absoluteMilliseconds), at);
}

/** Whether the session may change the password, the address or the factors, or end the account: not with a cookie from a browser left open. */
export function isFreshlyProven({ provenAt }: Pick<Session, 'provenAt'>, at: Instant): boolean {
  return at < later(provenAt, FRESH_PROOF_MILLISECONDS);
}

/** Whether a use at this time is worth a write. */
export function isUseWorthNoting({ lastUsedAt }: Session, at: Instant): boolean {
  return at >= later(lastUsedAt, USE_NOTED_EVERY);
}
