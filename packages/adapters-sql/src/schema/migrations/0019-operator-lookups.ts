import { type Kysely, sql } from 'kysely';

/** Operators find keys by the end of their secret and read a ledger without its charges. Charges have a reservation, so they are in no index here. */
export async function indexOperatorLookups(db: Kysely<unknown>): Promise<void> {
  await sql`create index api_keys_by_ending on api_keys (substr(hint, 7))`.execute(db);
  await sql`create index ledger_entries_of_money_acts
    on ledger_entries ((case when substr(credit_account, 1, 7) = 'system:' then debit_account else credit_account end), seq)
    where reservation_id is null`.execute(db);
}
