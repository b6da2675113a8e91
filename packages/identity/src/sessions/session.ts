import {
  type Actor, type AuditedBy, clientAt, type Instant, later, machineActorId, type MachineId, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, type PersonId, secondsUntil, type SessionId,
} from '@tollgate/core';
import type { PersonRole } from '../people/person.js';

/**
 * `confirmed`: by a mailed link, after a password or an issuer was not sufficient; see `needsMailedLink`. `machine`: by a link that a machine handed
 * over.
 */
export type SignInWay = 'password' | 'link' | 'passkey' | 'issuer' | 'confirmed' | 'machine';

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
  /**
   * Time of the last proof by password, factor, link or issuer; the earliest instant if only a machine has vouched for a person who has a password or
   * a factor.
   */
  readonly provenAt: Instant;
  /** Exact to a minute. */
  readonly lastUsedAt: Instant;
  /** Address of the last use. */
  readonly address: string;
  readonly userAgent: string | null;
  /** Machine whose link began the session; `null` for every other way. */
  readonly machineId: MachineId | null;
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

/** The longest session of any role. */
export const MAX_SESSION_MILLISECONDS = LIVES.owner.absoluteMilliseconds;
/** Maximum number of sessions per person; the least recently used end. */
export const MAX_SESSIONS = 50;
/** Time after a proof for which it counts as fresh. */
export const FRESH_PROOF_MILLISECONDS = 10 * MILLISECONDS_PER_MINUTE;
/** Uses are stored at most this often, to limit writes. */
const USE_NOTED_EVERY = MILLISECONDS_PER_MINUTE;

export function sessionLifeOf(role: PersonRole): SessionLife {
  return LIVES[role];
}

/** Use extends a session up to the absolute limit. The person's current role applies; a machine signs no operator in. */
export function isSessionAlive({ createdAt, lastUsedAt, machineId }: Session, role: PersonRole, at: Instant): boolean {
  if (machineId !== null && role === 'operator') return false;
  const { idleMilliseconds, absoluteMilliseconds } = LIVES[role];
  return at < later(createdAt, absoluteMilliseconds) && at < later(lastUsedAt, idleMilliseconds);
}

/** `Max-Age` of the session's cookie. */
export function remainingSeconds({ createdAt }: Session, role: PersonRole, at: Instant): number {
  return secondsUntil(later(createdAt, LIVES[role].absoluteMilliseconds), at);
}

/** Needed for acts that a stranger at an unattended browser must not perform, such as a change of the address or the factors. */
export function isFreshlyProven({ provenAt }: Pick<Session, 'provenAt'>, at: Instant): boolean {
  return at < later(provenAt, FRESH_PROOF_MILLISECONDS);
}

export function isUseWorthNoting({ lastUsedAt }: Session, at: Instant): boolean {
  return at >= later(lastUsedAt, USE_NOTED_EVERY);
}

/** The signed-in owner, for the audit log. `address`: the client's. */
export function ownerIn({ personId, machineId }: Pick<Session, 'personId' | 'machineId'>, address: string): Actor {
  return { kind: 'owner', id: personId, origin: clientAt(address, machineId === null ? null : machineActorId(machineId)) };
}

export function actIn(session: Pick<Session, 'personId' | 'machineId'>, at: Instant, address: string): AuditedBy {
  return { actor: ownerIn(session, address), at };
}
