import type {
  AccountErasure, AccountNoteRecords, AccountRepository, AuditTrail, BackgroundEvents, BalanceAlerts, BookingObservers, CreditRecords, EventLog, IdempotencyStore, InstallationRegistry, KeyDirectory, KeyRepository, Ledger, LedgerAudit, MachineClaims, OperatorControls,
  OperatorLookups, PaymentRecords, PlatformState, RequestBooks, ResponseStore, SimulatedCheckouts, StatementRecords, TopUpRecords, UsageFeed, UsageReader, UsageTotals, VoucherRecords,
} from '@tollgate/core';
import type { AlertRecords, FactorRecords, IssuerRecords, MachineRecords, MailOutbox, NoticeRecords, PasskeyRecords, PersonRecords, SessionRecords, WebhookQueue, WebhookRecords } from '@tollgate/identity';
import type { StoreHistory } from './store-history.js';

export interface SqlStore {
  readonly ledger: Ledger;
  readonly ledgerAudit: LedgerAudit;
  /** Observers of the bookings of this process. */
  readonly bookings: BookingObservers;
  readonly statements: StatementRecords;
  readonly books: RequestBooks;
  readonly accounts: AccountRepository;
  readonly accountNotes: AccountNoteRecords;
  readonly erasure: AccountErasure;
  readonly keys: KeyRepository & KeyDirectory;
  readonly usage: UsageReader;
  readonly usageFeed: UsageFeed;
  readonly usageTotals: UsageTotals;
  readonly idempotency: IdempotencyStore;
  readonly responses: ResponseStore;
  readonly mail: MailOutbox;
  readonly platform: PlatformState;
  readonly controls: OperatorControls;
  readonly lookups: OperatorLookups;
  readonly history: StoreHistory;
  readonly installation: InstallationRegistry;
  readonly auditTrail: AuditTrail;
  readonly events: EventLog;
  readonly backgroundEvents: BackgroundEvents;
  readonly alerts: BalanceAlerts;
  readonly alertRecords: AlertRecords;
  readonly noticeRecords: NoticeRecords;
  readonly people: PersonRecords;
  readonly sessions: SessionRecords;
  readonly passkeys: PasskeyRecords;
  readonly issuers: IssuerRecords;
  readonly factors: FactorRecords;
  readonly machines: MachineRecords;
  readonly machineClaims: MachineClaims;
  readonly webhooks: WebhookRecords;
  readonly webhookQueue: WebhookQueue;
  readonly payments: PaymentRecords;
  readonly topUps: TopUpRecords;
  readonly credits: CreditRecords;
  readonly simulatedCheckouts: SimulatedCheckouts;
  readonly vouchers: VoucherRecords;
  /** Waits for pending writes, and releases the lease of this process. */
  close(): Promise<void>;
}
