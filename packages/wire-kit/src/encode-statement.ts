import { rfc3339, type StatementSummary } from '@tollgate/core';

export function encodeStatementSummary({ number, accountId, month, opening, closing, madeAt }: StatementSummary) {
  return { object: 'statement_summary' as const, number, account_id: accountId, month, made_at: rfc3339(madeAt), opening_balance: opening, closing_balance: closing };
}
