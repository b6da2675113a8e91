import type {
  AccountErasure, AccountRepository, AuditTrail, FactorRecords, IdempotencyStore, InstallationRegistry, IssuerRecords, KeyRepository, Ledger, LedgerAudit, MailOutbox, OperatorControls, OperatorLookups, PasskeyRecords, PersonRecords, PlatformState,
  RequestBooks, SessionRecords, UsageReader, UsageTotals,
} from '@tollgate/core';

/** Every port that one database serves. */
export interface SqlStore {
  readonly ledger: Ledger;
  readonly ledgerAudit: LedgerAudit;
  readonly books: RequestBooks;
  readonly accounts: AccountRepository;
  readonly erasure: AccountErasure;
  readonly keys: KeyRepository;
  readonly usage: UsageReader;
  readonly usageTotals: UsageTotals;
  readonly idempotency: IdempotencyStore;
  readonly mail: MailOutbox;
  readonly platform: PlatformState;
  readonly controls: OperatorControls;
  readonly lookups: OperatorLookups;
  readonly installation: InstallationRegistry;
  readonly auditTrail: AuditTrail;
  readonly people: PersonRecords;
  readonly sessions: SessionRecords;
  readonly passkeys: PasskeyRecords;
  readonly issuers: IssuerRecords;
  readonly factors: FactorRecords;
  /** Waits for what is being written, gives up this process's lease and closes the database. */
  close(): Promise<void>;
}
