-- The schema as versions before step 0025-plain-checks made it, with checks that were rewritten as comparisons.
CREATE TABLE "schema_migrations" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "schema_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
CREATE TABLE "accounts" ("id" text primary key, "email" text not null, "email_folded" text not null unique, "name" text not null, "plan_id" text not null, "status" text not null, "email_verified" smallint not null, "blocked" smallint not null, "created_at" bigint not null, "balance" bigint not null, "reserved" bigint not null, "deletion_due_at" bigint, "deletion_returns_to" text, "suspension_reason" text, constraint "accounts_balance" check (balance >= 0 and balance <= 1000000000000000000), constraint "accounts_reserved" check (reserved >= 0 and reserved <= balance));
CREATE TABLE "api_keys" ("id" text primary key, "account_id" text not null references "accounts" ("id"), "name" text, "hash" text not null unique, "hint" text not null, "created_at" bigint not null, "expires_at" bigint, "revoked_at" bigint, "last_used_at" bigint, "blocked" smallint not null, "replaces" text, "models" text, "limit_amount" bigint, "limit_period" text, "lineage" text);
CREATE TABLE "reservations" ("id" text primary key, "account_id" text not null references "accounts" ("id"), "owner_id" text not null, "amount" bigint not null check (amount >= 0), "state" text not null check (state = 'held' or state = 'settled' or state = 'released' or state = 'expired'), "facts" text not null, "progress" text, "created_at" bigint not null, "expires_at" bigint not null, "key_lineage" text, "key_period" text, "key_limit" bigint);
CREATE TABLE "process_leases" ("process_id" text primary key, "expires_at" bigint not null, "host" text, "pid" bigint, "start_marker" text);
CREATE TABLE "ledger_entries" ("seq" integer primary key autoincrement, "kind" text not null check (kind = 'top-up' or kind = 'charge' or kind = 'write-off' or kind = 'late-charge' or kind = 'late-write-off' or kind = 'signup-credit' or kind = 'refund' or kind = 'correction' or kind = 'forfeiture'), "debit_account" text not null, "credit_account" text not null, "amount" bigint not null check (amount > 0), "request_id" text, "reservation_id" text references "reservations" ("id"), "reference" text, "at" bigint not null, "day" text not null, "reason" text, constraint "ledger_entries_sides" check (debit_account <> credit_account));
CREATE TABLE "usage_records" ("seq" integer primary key autoincrement, "request_id" text not null unique, "reservation_id" text not null unique references "reservations" ("id"), "account_id" text not null, "key_id" text, "format" text, "streamed" smallint not null, "requested_model" text not null, "attribution" text, "usd_rate" text not null, "started_at" bigint not null, "uncached_prompt_tokens" bigint not null check ("uncached_prompt_tokens" >= 0), "cached_prompt_tokens" bigint not null check ("cached_prompt_tokens" >= 0), "cache_creation_tokens" bigint not null check ("cache_creation_tokens" >= 0), "reasoning_tokens" bigint not null check ("reasoning_tokens" >= 0), "visible_output_tokens" bigint not null check ("visible_output_tokens" >= 0), "charge" bigint not null check ("charge" >= 0), "write_off" bigint not null check ("write_off" >= 0), "end_reason" text not null, "served_by" text, "fallback_used" smallint not null, "price_prompt" text, "price_cached_prompt" text, "price_cache_creation" text, "price_output" text, "usage_source" text not null, "first_output_at" bigint, "ended_at" bigint not null, "day" text not null, "reasoning_withheld" smallint default 0 not null, "upstream_id" text, "settled_at" bigint);
CREATE TABLE "audit_anchor" ("id" bigint primary key check (id = 1), "entries" bigint not null, "head" text not null);
CREATE TABLE "late_settlements" ("reservation_id" text primary key references "reservations" ("id"), "account_id" text not null, "uncached_prompt_tokens" bigint not null check ("uncached_prompt_tokens" >= 0), "cached_prompt_tokens" bigint not null check ("cached_prompt_tokens" >= 0), "cache_creation_tokens" bigint not null check ("cache_creation_tokens" >= 0), "reasoning_tokens" bigint not null check ("reasoning_tokens" >= 0), "visible_output_tokens" bigint not null check ("visible_output_tokens" >= 0), "charge" bigint not null check ("charge" >= 0), "write_off" bigint not null check ("write_off" >= 0), "end_reason" text not null, "served_by" text, "fallback_used" smallint not null, "price_prompt" text, "price_cached_prompt" text, "price_cache_creation" text, "price_output" text, "usage_source" text not null, "first_output_at" bigint, "ended_at" bigint not null, "day" text not null, "reasoning_withheld" smallint default 0 not null, "upstream_id" text, "settled_at" bigint);
CREATE TABLE "usage_daily" ("account_id" text not null, "day" text not null, "usd_rate" text not null, "model" text not null, "key_id" text not null, "requests" bigint not null, "uncached_prompt_tokens" bigint not null, "cached_prompt_tokens" bigint not null, "cache_creation_tokens" bigint not null, "reasoning_tokens" bigint not null, "visible_output_tokens" bigint not null, "charge" bigint not null, constraint "usage_daily_key" primary key ("account_id", "day", "model", "key_id", "usd_rate"));
CREATE TABLE "usage_daily_users" ("account_id" text not null, "day" text not null, "usd_rate" text not null, "attribution" text not null, "requests" bigint not null, "uncached_prompt_tokens" bigint not null, "cached_prompt_tokens" bigint not null, "cache_creation_tokens" bigint not null, "reasoning_tokens" bigint not null, "visible_output_tokens" bigint not null, "charge" bigint not null, constraint "usage_daily_users_key" primary key ("account_id", "day", "attribution", "usd_rate"));
CREATE TABLE "platform_settings" ("name" text primary key, "value" text not null);
CREATE TABLE "incident_limits" ("model" text primary key, "requests_per_minute" bigint, "tokens_per_minute" bigint, "concurrent_requests" bigint, "expires_at" bigint, "set_at" bigint default 0 not null, "set_by" text);
CREATE TABLE "audit_entries" ("seq" bigint primary key check (seq > 0), "at" bigint not null, "actor_kind" text not null, "actor_id" text not null, "action" text not null, "subject" text not null, "details" text not null, "hash" text not null, "origin" text, "origin_user" text, "account_id" text, "texts" text);
CREATE TABLE "idempotency_keys" ("account_id" text not null, "key" text not null, "request_id" text not null unique, "owner_id" text not null, "fingerprint" text not null, "finished" smallint not null, "reply" text, "expires_at" bigint not null, constraint "idempotency_keys_key" primary key ("account_id", "key"));
CREATE TABLE "mail_outbox" ("id" text primary key, "reference" text not null unique, "state" text not null, "recipient" text, "subject" text, "body_text" text, "body_html" text, "attempts" bigint not null, "due_at" bigint not null, "stored_at" bigint not null, "expires_at" bigint not null, "ended_at" bigint, "last_failure" text, constraint "mail_outbox_contents" check (
      (state = 'waiting') = (recipient is not null) and (state = 'waiting') = (subject is not null) and (state = 'waiting') = (body_text is not null)
      and (state = 'waiting') = (body_html is not null) and (state = 'waiting') = (ended_at is null)
    ));
CREATE TABLE "installation" ("id" bigint primary key check (id = 1), "fingerprint" text not null, "recorded_at" bigint not null);
CREATE TABLE "key_spending" ("lineage" text not null, "period" text not null, "spent" bigint not null check (spent >= 0), "reserved" bigint not null check (reserved >= 0), constraint "key_spending_pkey" primary key ("lineage", "period"));
CREATE TABLE "people" ("id" text primary key, "account_id" text unique references "accounts" ("id"), "email" text not null unique, "email_verified" smallint not null, "name" text not null, "role" text not null check (role = 'owner' or role = 'operator'), "password_hash" text, "created_at" bigint not null, "discard_at" bigint);
CREATE TABLE "sessions" ("id" text primary key, "token_hash" text not null unique, "person_id" text not null references "people" ("id") on delete cascade, "signed_in_by" text not null, "assurance" text not null, "created_at" bigint not null, "last_used_at" bigint not null, "address" text not null, "user_agent" text, "proven_at" bigint default 0 not null, "wrong_codes" smallint default 0 not null);
CREATE TABLE "person_tokens" ("hash" text primary key, "person_id" text not null references "people" ("id") on delete cascade, "purpose" text not null, "new_email" text, "expires_at" bigint not null, constraint "person_tokens_live" unique ("person_id", "purpose"));
CREATE TABLE "person_factors" ("id" text primary key, "person_id" text not null references "people" ("id") on delete cascade, "kind" text not null check (kind = 'totp' or kind = 'passkey'), "secret" text not null, "created_at" bigint not null, "confirmed_at" bigint, "last_step" bigint);
CREATE TABLE "passkeys" ("factor_id" text primary key references "person_factors" ("id") on delete cascade, "credential_id" text not null unique, "name" text not null, "counter" bigint not null, "backed_up" smallint not null, "transports" text not null, "last_used_at" bigint);
CREATE TABLE "audit_texts" ("entry" bigint not null, "field" text not null, "owner" text not null, "salt" text not null, "text" text not null, constraint "audit_texts_key" primary key ("entry", "field"));
CREATE TABLE "proof_attempts" ("person_id" text primary key references "people" ("id") on delete cascade, "wrong_in_a_row" smallint not null, "locked_until" bigint);
CREATE TABLE "recovery_codes" ("person_id" text not null references "people" ("id") on delete cascade, "code_hash" text not null, constraint "recovery_codes_key" primary key ("person_id", "code_hash"));
CREATE TABLE "issuer_links" ("issuer" text not null, "subject" text not null, "person_id" text not null references "people" ("id") on delete cascade, "created_at" bigint not null, constraint "issuer_links_key" primary key ("issuer", "subject"), constraint "issuer_links_by_person" unique ("person_id", "issuer"));
CREATE TABLE "used_challenges" ("hash" text primary key, "expires_at" bigint not null);
CREATE TABLE "blocks" ("kind" text not null check (kind = 'account' or kind = 'key' or kind = 'network'), "subject" text not null, "reason" text, "blocked_by" text, "blocked_at" bigint not null, "expires_at" bigint, constraint "blocks_key" primary key ("kind", "subject"));
CREATE TABLE "usage_totals" ("day" text not null, "version" bigint not null, "dimension" text not null, "part" text not null, "usd_rate" text not null, "requests" bigint not null, "uncached_prompt_tokens" bigint not null, "cached_prompt_tokens" bigint not null, "cache_creation_tokens" bigint not null, "reasoning_tokens" bigint not null, "visible_output_tokens" bigint not null, "charge" bigint not null, constraint "usage_totals_key" primary key ("day", "version", "dimension", "part", "usd_rate"));
CREATE TABLE "usage_totalled_days" ("day" text primary key, "version" bigint not null, "late_settlements" bigint not null);
CREATE TABLE "usage_totals_state" ("id" smallint primary key, "version" bigint not null, "claimed_until" bigint not null, "counted_through" bigint, "newest_seq" bigint not null, "newest_at" bigint not null, "summed_at" bigint);
CREATE TABLE "signup_credits" ("address_hash" text primary key);
CREATE TABLE "playground_keys" ("account_id" text primary key references "accounts" ("id"), "id" text not null unique, "created_at" bigint not null);
CREATE INDEX "accounts_by_age" on "accounts" ("created_at", "id");
CREATE INDEX "api_keys_by_account" on "api_keys" ("account_id", "created_at");
CREATE INDEX "reservations_held" on "reservations" ("owner_id", "expires_at") where "state" = 'held';
CREATE UNIQUE INDEX "ledger_entries_by_reservation" on "ledger_entries" ("reservation_id", "kind") where "reservation_id" is not null;
CREATE UNIQUE INDEX ledger_entries_by_reference on ledger_entries (reference, (case when substr(credit_account, 1, 7) = 'system:' then debit_account else credit_account end)) where reference is not null;
CREATE INDEX "usage_records_by_time" on "usage_records" ("account_id", "ended_at", "seq");
CREATE INDEX "usage_records_by_user" on "usage_records" ("account_id", "attribution", "ended_at", "seq") where "attribution" is not null;
CREATE INDEX "mail_outbox_by_age" on "mail_outbox" ("stored_at", "id");
CREATE INDEX api_keys_by_ending on api_keys (substr(hint, 7));
CREATE INDEX "idempotency_keys_by_expiry" on "idempotency_keys" ("expires_at");
CREATE INDEX "idempotency_keys_running" on "idempotency_keys" ("owner_id") where "finished" = 0;
CREATE INDEX "mail_outbox_waiting" on "mail_outbox" ("due_at", "id") where "state" = 'waiting';
CREATE INDEX "mail_outbox_ended" on "mail_outbox" ("ended_at") where "ended_at" is not null;
CREATE INDEX "accounts_due_for_deletion" on "accounts" ("deletion_due_at") where "deletion_due_at" is not null;
CREATE INDEX "ledger_entries_of_refunds" on "ledger_entries" ("request_id") where "kind" = 'refund';
CREATE INDEX "people_operators" on "people" ("created_at") where "role" = 'operator';
CREATE INDEX "sessions_by_person" on "sessions" ("person_id", "last_used_at");
CREATE INDEX "sessions_by_age" on "sessions" ("created_at");
CREATE INDEX "person_tokens_by_expiry" on "person_tokens" ("expires_at");
CREATE INDEX "person_factors_by_person" on "person_factors" ("person_id", "kind");
CREATE UNIQUE INDEX "person_factors_one_totp" on "person_factors" ("person_id") where "kind" = 'totp';
CREATE INDEX "audit_texts_by_owner" on "audit_texts" ("owner");
CREATE INDEX "audit_entries_by_time" on "audit_entries" ("at", "seq");
CREATE INDEX "audit_entries_by_account" on "audit_entries" ("account_id", "at", "seq") where "account_id" is not null;
CREATE INDEX "audit_entries_by_actor" on "audit_entries" ("actor_id", "at", "seq");
CREATE INDEX "audit_entries_by_kind" on "audit_entries" ("actor_kind", "at", "seq");
CREATE INDEX "audit_entries_by_action" on "audit_entries" ("action", "at", "seq");
CREATE INDEX "used_challenges_by_expiry" on "used_challenges" ("expires_at");
CREATE INDEX "usage_records_by_end" on "usage_records" ("ended_at", "seq");
CREATE INDEX "blocks_by_age" on "blocks" ("blocked_at", "kind", "subject");
CREATE INDEX "blocks_by_expiry" on "blocks" ("expires_at") where "expires_at" is not null;
CREATE INDEX ledger_entries_of_money_acts
    on ledger_entries ((case when substr(credit_account, 1, 7) = 'system:' then debit_account else credit_account end), seq)
    where reservation_id is null;
CREATE INDEX "people_unverified" on "people" ("discard_at") where "discard_at" is not null;
CREATE TRIGGER "audit_entries_no_delete" before delete on "audit_entries"
    begin select raise(abort, 'audit_entries is append-only'); end;
CREATE TRIGGER "audit_entries_no_update" before update on "audit_entries"
    begin select raise(abort, 'audit_entries is append-only'); end;
CREATE TRIGGER "late_settlements_no_delete" before delete on "late_settlements"
    begin select raise(abort, 'late_settlements is append-only'); end;
CREATE TRIGGER "late_settlements_no_update" before update on "late_settlements"
    begin select raise(abort, 'late_settlements is append-only'); end;
CREATE TRIGGER "ledger_entries_no_delete" before delete on "ledger_entries"
    begin select raise(abort, 'ledger_entries is append-only'); end;
CREATE TRIGGER "ledger_entries_no_update" before update on "ledger_entries"
    begin select raise(abort, 'ledger_entries is append-only'); end;
CREATE TRIGGER "usage_records_no_delete" before delete on "usage_records"
    begin select raise(abort, 'usage_records is append-only'); end;
CREATE TRIGGER "usage_records_no_update" before update on "usage_records"
    begin select raise(abort, 'usage_records is append-only'); end;
INSERT INTO schema_migrations (name, timestamp) VALUES ('0001-initial', '2026-11-23T22:44:48.013Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0003-idempotency', '2026-11-23T22:44:48.022Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0004-fewer-usage-indexes', '2026-11-23T22:44:48.023Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0005-checks-without-lists', '2026-11-23T22:44:48.025Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0005-withheld-reasoning', '2026-11-23T22:44:48.026Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0006a-incident-limit-settings', '2026-11-23T22:44:48.027Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0006b-audit-anchor', '2026-11-23T22:44:48.028Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0008-mail-outbox', '2026-11-23T22:44:48.032Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0009-installation', '2026-11-23T22:44:48.033Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0010-account-deletion', '2026-11-23T22:44:48.034Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0011a-key-models', '2026-11-23T22:44:48.035Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0011b-key-limits', '2026-11-23T22:44:48.036Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0012-people', '2026-11-23T22:44:48.047Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0013-audit-texts', '2026-11-23T22:44:48.053Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0014-second-factors', '2026-11-23T22:44:48.054Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0015-sign-in-methods', '2026-11-23T22:44:48.055Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0016-usage-of-all-accounts', '2026-11-23T22:44:48.059Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0017-operator-controls', '2026-11-23T22:44:48.062Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0019-operator-lookups', '2026-11-23T22:44:48.063Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0020-usage-totals', '2026-11-23T22:44:48.064Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0021-usage-settlements', '2026-11-23T22:44:48.068Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0022-signup-credits', '2026-11-23T22:44:48.069Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0023-playground-keys', '2026-11-23T22:44:48.070Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0024a-unverified-people', '2026-11-23T22:44:48.071Z');
INSERT INTO schema_migrations (name, timestamp) VALUES ('0024b-suspension-reasons', '2026-11-23T22:44:48.072Z');
INSERT INTO usage_totals_state (id, version, claimed_until, newest_seq, newest_at) VALUES (1, 0, 0, 0, 0);
INSERT INTO schema_migration_lock VALUES ('migration_lock', 0);
INSERT INTO audit_anchor VALUES (1, 0, '');
