import type { AccountId, AuditedAct, AuditedBy, StoredToken } from '@tollgate/core';
import type { MemoryAccounts } from '../accounts/memory-accounts.js';
import type { MemoryAuditTrail } from '../audit/memory-audit-trail.js';
import type { MemoryMailOutbox } from '../mail/memory-mail-outbox.js';
import type { MemoryFactors } from './memory-factors.js';
import type { MemoryIssuerLinks } from './memory-issuers.js';
import type { MemoryPasskeys } from './memory-passkeys.js';
import type { MemorySignupCredits } from './memory-signup-credits.js';
import type { MemorySessions } from './memory-sessions.js';
import type { PersonEntry } from './person-entries.js';

export interface MemoryPeopleParts {
  readonly accounts: MemoryAccounts;
  readonly sessions: MemorySessions;
  readonly factors: MemoryFactors;
  readonly passkeys: MemoryPasskeys;
  readonly links: MemoryIssuerLinks;
  readonly signupCredits: MemorySignupCredits;
  readonly mail: MemoryMailOutbox;
  readonly audit: MemoryAuditTrail;
  /** Whether anything is booked on an account, or it has a key. */
  readonly isInUse: (id: AccountId) => boolean;
}

/** An act on a person as the trail records it. */
export interface PersonAct extends AuditedBy, Partial<Pick<AuditedAct, 'details' | 'texts'>> {}

/** What an effect works on. */
export interface Redeemed {
  readonly entry: PersonEntry;
  readonly token: StoredToken;
  readonly by: AuditedBy;
}
