import { sql } from 'kysely';

/** The customer's account of an act of money, whether it pays or is paid. Must equal the expression of the indexes of `ledger_entries`. */
export const CUSTOMER = sql<string>`case when substr(credit_account, 1, 7) = 'system:' then debit_account else credit_account end`;
