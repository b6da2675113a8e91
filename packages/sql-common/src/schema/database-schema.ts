import type {
  IssuerLinkTable, MachineRequestTable, MachineTable, MailOutboxTable, PasskeyTable, PersonFactorTable, PersonTable, PersonTokenTable, ProofAttemptTable, RecoveryCodeTable,
  SessionTable, SignupCreditNetworkTable, SignupCreditTable, UsedChallengeTable,
} from './identity-tables.js';
import type {
  ApiKeyTable, AuditAnchorTable, AuditEntryTable, AuditTextTable, InstallationTable, KeySpendingTable, PlaygroundKeyTable, UsageDailyTable,
  UsageDailyUserTable, UsageTotalledDayTable, UsageTotalsStateTable, UsageTotalsTable,
} from './record-tables.js';
import type { ConsentTable } from './consent-tables.js';
import type { BlockTable, IncidentLimitTable, PlatformSettingTable } from './platform-tables.js';
import type { AccountNoteTable } from './note-tables.js';
import type { ModelNoticeTable } from './notice-tables.js';
import type { PurchaseRequestTable } from './purchase-tables.js';
import type { ColumnType } from 'kysely';
import type { WebhookDeliveryTable, WebhookEndpointTable, WebhookFeedTable } from './webhook-tables.js';
import type { CountColumns, PriceVersionColumns, RateColumns } from './token-columns.js';
import type { NullableText, NullableWhole, Sequence, TextOrDefault, Whole, WholeOrDefault } from './column-types.js';
import type { AccountAlertTable, AlertCursorTable, AlertPolicyTable, ConditionTable, EventFeedTable, EventTable, ReachedCapTable } from './event-tables.js';
import type { CreditTables } from './credit-tables.js';
import type { StatementTables } from './statement-tables.js';
import type { UsageFeedTables } from './usage-feed-tables.js';
import type { TopUpTables } from './top-up-tables.js';
import type { PaymentTables } from './payment-tables.js';
import type { VoucherTables } from './voucher-tables.js';

/** Amounts are in micro-tokens. The available amount is not stored; it is `balance - reserved`. */
export interface AccountTable {
  id: string;
  email: string;
  /** The folded address, which is unique. */
  email_folded: string;
  name: string;
  plan_id: string;
  /** `null` for the standard prices. */
  price_list: NullableText;
  status: string;
  email_verified: Whole;
  blocked: Whole;
  created_at: Whole;
  balance: Whole;
  reserved: Whole;
  /** Date of a scheduled deletion, and the status that cancelling it restores. */
  deletion_due_at: NullableWhole;
  deletion_returns_to: string | null;
  suspension_reason: NullableText;
  /** The operator's id of the account. */
  external_id: NullableText;
  /** JSON; `null` without metadata. */
  metadata: NullableText;
  /** Last change of the account's fields or standing, without bookings. */
  updated_at: Whole;
  /** Number of the account's last event. */
  event_sequence: WholeOrDefault;
  /** Thresholds that the owner has chosen: a JSON list of micro-tokens as texts; `null` if those of the policy apply. */
  alert_thresholds: NullableText;
  /** Thresholds that apply, computed from the policy, the owner's choice and the last credit. Same format as `alert_thresholds`. */
  low_alerts: TextOrDefault;
  exhausted_below: WholeOrDefault;
  /** Highest of all thresholds that apply. Settlements compare with the others only if the balance falls below this one. */
  alert_below: WholeOrDefault;
  /** Balance below which the account is topped up automatically; zero without automatic top-up. */
  top_up_below: WholeOrDefault;
}

/** `facts` and `progress` are JSON and are never searched. */
export interface ReservationTable {
  id: string;
  account_id: string;
  owner_id: string;
  amount: Whole;
  state: string;
  facts: string;
  progress: string | null;
  created_at: Whole;
  expires_at: Whole;
  /** Key of the row in `key_spending` that includes this request, and the key's limit when it was reserved; `null` without a limit. */
  key_lineage: string | null;
  key_period: string | null;
  key_limit: NullableWhole;
}

export interface LedgerEntryTable {
  seq: Sequence;
  kind: string;
  debit_account: string;
  credit_account: string;
  amount: Whole;
  request_id: string | null;
  reservation_id: string | null;
  reference: string | null;
  /** Reason of an act by an operator. */
  reason: string | null;
  at: Whole;
  day: string;
  /** Date at which a credit expires; `null` if it never does. */
  expires_at: ColumnType<bigint | null, bigint | number | null | undefined, never>;
}

export interface EndingColumns extends CountColumns, RateColumns, PriceVersionColumns {
  end_reason: string;
  served_by: string | null;
  fallback_used: Whole;
  usage_source: string;
  reasoning_withheld: Whole;
  first_output_at: NullableWhole;
  ended_at: Whole;
  day: string;
  charge: Whole;
  write_off: Whole;
  upstream_id: string | null;
  settled_at: Whole;
  /** Names of omitted parameters, separated by commas. */
  omitted: string | null;
}

/** One row per ended reservation. Append-only. */
export interface UsageRecordTable extends EndingColumns {
  seq: Sequence;
  request_id: string;
  reservation_id: string;
  account_id: string;
  key_id: string | null;
  format: string | null;
  streamed: Whole;
  requested_model: string;
  attribution: string | null;
  usd_rate: string;
  started_at: Whole;
}

/** The actual ending of a swept reservation. `charge` and `write_off` are added to those of the record; `day` is that of the record. Append-only. */
export interface LateSettlementTable extends EndingColumns {
  seq: Sequence;
  reservation_id: string;
  account_id: string;
}

/** `host`, `pid` and `start_marker` identify the process, so that another one on the same machine can detect its death at once. */
export interface ProcessLeaseTable {
  process_id: string;
  expires_at: Whole;
  /** Time of the last renewal, by the clock that decides leases; `null` before the first one. */
  renewed_at: NullableWhole;
  host: string | null;
  pid: NullableWhole;
  start_marker: string | null;
}

/**
 * `finished` is 0 while the request runs, 1 after its end, and 2 if its end is unknown because its process was considered dead or it exceeded its
 * time. `reply` is JSON; `null` if it cannot be replayed.
 */
export interface IdempotencyKeyTable {
  account_id: string;
  key: string;
  request_id: string;
  owner_id: string;
  fingerprint: string;
  finished: Whole;
  reply: string | null;
  expires_at: Whole;
  /** First request of the purchase, if there are several. */
  first_request_id: ColumnType<string | null, string | null | undefined, string | null>;
}

/** Texts are JSON. `bytes` is their total length in UTF-8. It is an early column, because SQLite reads rows from their start. */
export interface StoredResponseTable {
  seq: Sequence;
  account_id: string;
  id: string;
  previous_id: string | null;
  bytes: Whole;
  expires_at: Whole;
  input_items: string;
  output_items: string;
  body: string;
}

export interface DatabaseSchema extends CreditTables, UsageFeedTables, PaymentTables, TopUpTables, StatementTables, VoucherTables {
  accounts: AccountTable;
  api_keys: ApiKeyTable;
  playground_keys: PlaygroundKeyTable;
  reservations: ReservationTable;
  key_spending: KeySpendingTable;
  ledger_entries: LedgerEntryTable;
  events: EventTable;
  event_feed: EventFeedTable;
  alert_policy: AlertPolicyTable;
  account_alerts: AccountAlertTable;
  alert_cursor: AlertCursorTable;
  reached_caps: ReachedCapTable;
  conditions: ConditionTable;
  usage_records: UsageRecordTable;
  late_settlements: LateSettlementTable;
  usage_daily: UsageDailyTable;
  usage_daily_users: UsageDailyUserTable;
  usage_totals: UsageTotalsTable;
  usage_totalled_days: UsageTotalledDayTable;
  usage_totals_state: UsageTotalsStateTable;
  process_leases: ProcessLeaseTable;
  idempotency_keys: IdempotencyKeyTable;
  purchase_requests: PurchaseRequestTable;
  stored_responses: StoredResponseTable;
  mail_outbox: MailOutboxTable;
  platform_settings: PlatformSettingTable;
  blocks: BlockTable;
  incident_limits: IncidentLimitTable;
  audit_entries: AuditEntryTable;
  audit_texts: AuditTextTable;
  audit_anchor: AuditAnchorTable;
  installation: InstallationTable;
  people: PersonTable;
  sessions: SessionTable;
  person_tokens: PersonTokenTable;
  person_factors: PersonFactorTable;
  recovery_codes: RecoveryCodeTable;
  consents: ConsentTable;
  account_notes: AccountNoteTable;
  proof_attempts: ProofAttemptTable;
  stranger_attempts: ProofAttemptTable;
  passkeys: PasskeyTable;
  issuer_links: IssuerLinkTable;
  machines: MachineTable;
  machine_requests: MachineRequestTable;
  webhook_endpoints: WebhookEndpointTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_feed: WebhookFeedTable;
  used_challenges: UsedChallengeTable;
  signup_credits: SignupCreditTable;
  signup_credit_networks: SignupCreditNetworkTable;
  model_notices: ModelNoticeTable;
}
