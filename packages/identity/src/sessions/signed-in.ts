import type { TokenHash } from '@tollgate/core';
import type { Person } from '../people/person.js';
import type { SessionReach } from './session-reach.js';
import type { Session } from './session.js';

export interface SignedIn {
  readonly session: Session;
  readonly person: Person;
  /** Hash of the browser's token. */
  readonly tokenHash: TokenHash;
  /** Any value but `full` restricts the session to what it names. */
  readonly reach: SessionReach;
}
