/** Takes the schema of a SQLite database back to before people who never verify their address had a date. */
export const UNDO_SINCE_UNVERIFIED_PEOPLE = `
  ALTER TABLE usage_records DROP COLUMN omitted;
  ALTER TABLE late_settlements DROP COLUMN omitted;
  DROP INDEX mail_outbox_leased;
  DROP INDEX mail_outbox_waiting;
  ALTER TABLE mail_outbox DROP COLUMN rank;
  ALTER TABLE mail_outbox DROP COLUMN domain;
  ALTER TABLE mail_outbox DROP COLUMN leased_until;
  CREATE INDEX mail_outbox_waiting ON mail_outbox (due_at, id) WHERE state = 'waiting';
  DROP TABLE stranger_attempts;
  ALTER TABLE proof_attempts DROP COLUMN failures;
  ALTER TABLE proof_attempts DROP COLUMN told;
  DROP TABLE signup_credit_networks;
  DROP TABLE purchase_requests;
  ALTER TABLE idempotency_keys DROP COLUMN first_request_id;
  ALTER TABLE process_leases DROP COLUMN renewed_at;
  DROP TABLE stored_responses;
  ALTER TABLE accounts DROP COLUMN suspension_reason;
  DROP INDEX people_unverified;
  ALTER TABLE people DROP COLUMN discard_at;
  DELETE FROM schema_migrations WHERE name >= '0024a-unverified-people';
`;

/** The same, back to before records said when they were booked. */
export const UNDO_SINCE_USAGE_SETTLEMENTS = `${UNDO_SINCE_UNVERIFIED_PEOPLE}
  DROP TABLE playground_keys;
  DROP TABLE signup_credits;
  ALTER TABLE usage_records DROP COLUMN upstream_id;
  ALTER TABLE usage_records DROP COLUMN settled_at;
  ALTER TABLE late_settlements DROP COLUMN upstream_id;
  ALTER TABLE late_settlements DROP COLUMN settled_at;
  DELETE FROM schema_migrations WHERE name >= '0021-usage-settlements';
`;

/** The same, back to before blocks had one list with their terms. */
export const UNDO_SINCE_OPERATOR_CONTROLS = `${UNDO_SINCE_USAGE_SETTLEMENTS}
  DROP TABLE usage_totals_state;
  DROP TABLE usage_totalled_days;
  DROP TABLE usage_totals;
  DROP INDEX ledger_entries_of_money_acts;
  DROP INDEX api_keys_by_ending;
  DROP TABLE blocks;
  CREATE TABLE network_blocks (network text PRIMARY KEY, reason text, blocked_at bigint NOT NULL);
  ALTER TABLE incident_limits DROP COLUMN set_by;
  DROP INDEX mail_outbox_by_age;
  ALTER TABLE mail_outbox DROP COLUMN last_failure;
  UPDATE platform_settings SET value = 'on' WHERE name = 'maintenance';
  DELETE FROM schema_migrations WHERE name >= '0017-operator-controls';
`;

/** The same, back to before personal texts stood beside the audit trail. */
export const UNDO_SINCE_AUDIT_TEXTS = `${UNDO_SINCE_OPERATOR_CONTROLS}
  DROP INDEX usage_records_by_end;
  DROP TABLE used_challenges;
  DROP TABLE issuer_links;
  DROP TABLE passkeys;
  DROP TABLE proof_attempts;
  DROP TABLE recovery_codes;
  ALTER TABLE sessions DROP COLUMN proven_at;
  ALTER TABLE sessions DROP COLUMN wrong_codes;
  ALTER TABLE person_factors DROP COLUMN last_step;
  CREATE TABLE used_codes (person_id text NOT NULL);
  DROP INDEX audit_entries_by_time;
  DROP INDEX audit_entries_by_account;
  DROP INDEX audit_entries_by_actor;
  DROP INDEX audit_entries_by_kind;
  DROP INDEX audit_entries_by_action;
  DROP TABLE audit_texts;
  ALTER TABLE audit_entries DROP COLUMN account_id;
  ALTER TABLE audit_entries DROP COLUMN texts;
  DELETE FROM schema_migrations WHERE name >= '0013-audit-texts';
`;

/** The same, back to before keys had bounds, and people accounts. */
const UNDO_SINCE_KEY_BOUNDS = `${UNDO_SINCE_AUDIT_TEXTS}
  DROP TABLE used_codes;
  DROP TABLE person_factors;
  DROP TABLE person_tokens;
  DROP TABLE sessions;
  DROP TABLE people;
  DROP TABLE key_spending;
  ALTER TABLE reservations DROP COLUMN key_lineage;
  ALTER TABLE reservations DROP COLUMN key_period;
  ALTER TABLE reservations DROP COLUMN key_limit;
  ALTER TABLE api_keys DROP COLUMN models;
  ALTER TABLE api_keys DROP COLUMN limit_amount;
  ALTER TABLE api_keys DROP COLUMN limit_period;
  ALTER TABLE api_keys DROP COLUMN lineage;
  DELETE FROM schema_migrations WHERE name >= '0011a-key-models';
`;

/** The same, back to before accounts were deleted; the check of kinds may stay. */
export const UNDO_SINCE_ACCOUNT_DELETION = `${UNDO_SINCE_KEY_BOUNDS}
  DROP INDEX ledger_entries_of_refunds;
  DROP INDEX ledger_entries_by_reference;
  CREATE UNIQUE INDEX ledger_entries_by_reference ON ledger_entries (credit_account, reference) WHERE reference IS NOT NULL;
  ALTER TABLE ledger_entries DROP COLUMN reason;
  DROP INDEX accounts_due_for_deletion;
  ALTER TABLE accounts DROP COLUMN deletion_due_at;
  ALTER TABLE accounts DROP COLUMN deletion_returns_to;
  DELETE FROM schema_migrations WHERE name >= '0010-account-deletion';
`;

/** Takes the schema of a SQLite database back to before the anchor of the audit trail, and forgets that later steps were taken. */
export const UNDO_SINCE_AUDIT_ANCHOR = `${UNDO_SINCE_ACCOUNT_DELETION}
  DROP TABLE installation;
  DROP TABLE mail_outbox;
  DROP TABLE audit_anchor;
  ALTER TABLE audit_entries DROP COLUMN origin;
  ALTER TABLE audit_entries DROP COLUMN origin_user;
  DELETE FROM schema_migrations WHERE name >= '0006b-audit-anchor';
`;

/** The same, back to before incident limits had a time of setting. */
export const UNDO_SINCE_INCIDENT_SETTINGS = `${UNDO_SINCE_AUDIT_ANCHOR}
  ALTER TABLE incident_limits DROP COLUMN set_at;
  DELETE FROM schema_migrations WHERE name >= '0006a-incident-limit-settings';
`;
