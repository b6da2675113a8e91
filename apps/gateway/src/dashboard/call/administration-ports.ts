import type { AccountAdministration, AccountDeletion, AccountSearch, AccountStandings, AuditTrail, OperatorLookups } from '@tollgate/core';

/** What the routes work with by which operators manage accounts: the use cases of the command line. */
export interface AdministrationPorts {
  readonly search: AccountSearch;
  readonly lookups: OperatorLookups;
  readonly accountAdministration: AccountAdministration;
  readonly standings: AccountStandings;
  readonly deletions: AccountDeletion;
  readonly auditTrail: AuditTrail;
  /** From a request for deletion until it is due. */
  readonly deletionGraceMilliseconds: number;
}
