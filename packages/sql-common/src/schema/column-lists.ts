import type { AccountNoteTable } from './note-tables.js';
import type { BlockTable, IncidentLimitTable } from './platform-tables.js';
import type { EndingColumns, LateSettlementTable, LedgerEntryTable, UsageRecordTable } from './database-schema.js';
import type { PurchaseRequestTable } from './purchase-tables.js';
import type { MachineTable, MailOutboxTable, PersonTokenTable, ProofAttemptTable, SessionTable } from './identity-tables.js';
import type { ApiKeyTable, AuditEntryTable, AuditTextTable, KeySpendingTable, UsageTotalsStateTable } from './record-tables.js';
import { COUNT_COLUMNS, perColumn, RATE_COLUMNS } from './token-columns.js';

/**
 * Statements name every column, for two reasons. Columns of another release must not change what a running gateway reads; and PostgreSQL refuses a
 * prepared statement whose result type has changed.
 */
export function columnsOf<Table>(columns: Readonly<Record<keyof Table & string, true>>): readonly (keyof Table & string)[] {
  return Object.keys(columns) as (keyof Table & string)[];
}

const ENDING = {
  end_reason: true, served_by: true, fallback_used: true, price_list: true, price_version: true, ...perColumn(RATE_COLUMNS, () => true as const),
  ...perColumn(COUNT_COLUMNS, () => true as const), usage_source: true, reasoning_withheld: true, first_output_at: true, ended_at: true, day: true,
  charge: true, write_off: true, upstream_id: true, settled_at: true, omitted: true,
} as const satisfies Readonly<Record<keyof EndingColumns, true>>;

export const USAGE_RECORD_COLUMNS = columnsOf<UsageRecordTable>({
  seq: true, request_id: true, reservation_id: true, account_id: true, key_id: true, format: true, streamed: true,
  requested_model: true, attribution: true, usd_rate: true, started_at: true, ...ENDING,
});

export const LATE_SETTLEMENT_COLUMNS = columnsOf<LateSettlementTable>({ seq: true, reservation_id: true, account_id: true, ...ENDING });

export const PURCHASE_COLUMNS = columnsOf<PurchaseRequestTable>({ request_id: true, purchase_id: true, covered: true, covered_late: true });

/** Columns that both databases have. */
export const RESERVATION_COLUMNS = [
  'id', 'account_id', 'owner_id', 'amount', 'state', 'facts', 'progress', 'created_at', 'expires_at', 'key_lineage', 'key_period', 'key_limit',
] as const;

export const LEDGER_ENTRY_COLUMNS = columnsOf<LedgerEntryTable>({
  seq: true, kind: true, debit_account: true, credit_account: true, amount: true, request_id: true, reservation_id: true,
  reference: true, reason: true, at: true, day: true, expires_at: true,
});

export const API_KEY_COLUMNS = columnsOf<ApiKeyTable>({
  id: true, account_id: true, name: true, hash: true, hint: true, created_at: true, expires_at: true, revoked_at: true,
  last_used_at: true, blocked: true, replaces: true, models: true, limit_amount: true, limit_period: true, lineage: true, expiry_told: true, updated_at: true,
});

export const ACCOUNT_NOTE_COLUMNS = columnsOf<AccountNoteTable>({ id: true, account_id: true, text: true, author: true, written_at: true, changed_at: true });

export const KEY_SPENDING_COLUMNS = columnsOf<KeySpendingTable>({ lineage: true, period: true, spent: true, reserved: true });

export const MAIL_COLUMNS = columnsOf<MailOutboxTable>({
  id: true, reference: true, kind: true, account_id: true, state: true, recipient: true, subject: true, body_text: true, body_html: true, attempts: true,
  due_at: true, stored_at: true, expires_at: true, ended_at: true, last_failure: true, rank: true, domain: true, leased_until: true,
});

export const BLOCK_COLUMNS = columnsOf<BlockTable>({
  kind: true, subject: true, reason: true, blocked_by: true, blocked_at: true, expires_at: true,
});

export const INCIDENT_LIMIT_COLUMNS = columnsOf<IncidentLimitTable>({
  model: true, set_at: true, requests_per_minute: true, tokens_per_minute: true, concurrent_requests: true, expires_at: true, set_by: true,
});

export const AUDIT_ENTRY_COLUMNS = columnsOf<AuditEntryTable>({
  seq: true, at: true, actor_kind: true, actor_id: true, action: true, subject: true, details: true, hash: true, origin: true,
  account_id: true, texts: true, via: true,
});

export const AUDIT_TEXT_COLUMNS = columnsOf<AuditTextTable>({ entry: true, field: true, owner: true, salt: true, text: true });

export const SESSION_COLUMNS = columnsOf<SessionTable>({
  id: true, token_hash: true, person_id: true, signed_in_by: true, assurance: true, created_at: true, proven_at: true,
  wrong_codes: true, last_used_at: true, address: true, user_agent: true, machine_id: true,
});

export const MACHINE_COLUMNS = columnsOf<MachineTable>({
  id: true, name: true, hash: true, hint: true, previous_hash: true, previous_expires_at: true, scopes: true, networks: true, created_at: true, expires_at: true,
  revoked_at: true, last_used_at: true,
});

export const PERSON_TOKEN_COLUMNS = columnsOf<PersonTokenTable>({ hash: true, person_id: true, purpose: true, new_email: true, expires_at: true, machine_id: true });

export const PROOF_ATTEMPT_COLUMNS = columnsOf<ProofAttemptTable>({ person_id: true, wrong_in_a_row: true, locked_until: true, failures: true, told: true });

export const USAGE_TOTALS_STATE_COLUMNS = columnsOf<UsageTotalsStateTable>({
  id: true, version: true, claimed_until: true, counted_through: true, newest_seq: true, newest_at: true, summed_at: true,
});
