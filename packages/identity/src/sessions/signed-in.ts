import type { TokenHash } from '@tollgate/core';
import type { Person } from '../people/person.js';
import type { SessionReach } from './session-reach.js';
import type { Session } from './session.js';

export interface SignedIn {
  readonly session: Session;
  readonly person: Person;
  /** Hash of the browser's token. */
  readonly tokenHash: TokenHash;
  /** `prove-factor` and `enrol-factor` allow only what they name; `operator-link` allows nothing. */
  readonly reach: SessionReach;
}
