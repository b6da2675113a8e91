import { sql } from 'kysely';

/** The customer's side of an act of money, whichever of the two it is; written as the index is. */
export const CUSTOMER = sql<string>`case when substr(credit_account, 1, 7) = 'system:' then debit_account else credit_account end`;
