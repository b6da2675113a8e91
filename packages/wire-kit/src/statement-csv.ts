import type { NamedStatement } from '@tollgate/core';
import { BYTE_ORDER_MARK, csvCell } from './usage-export.js';

type Cell = string | number | null;

const TEXTS = ['statement', 'account_id', 'month', 'line', 'day', 'kind', 'model', 'key_id', 'key_name', 'entry', 'request_id', 'reference', 'entries'] as const;
/** Columns of the file. The amount is written as a number, so that a negative one is not escaped like a formula. */
const COLUMNS = [...TEXTS, 'svc_tokens'] as const;
type Row = Partial<Record<(typeof COLUMNS)[number], Cell>>;

const LINE_END = '\r\n';

function rowsOf({ opening_balance: opening, closing_balance: closing, totals, charges, entries, names }: NamedStatement): readonly Row[] {
  return [
    { line: 'opening_balance', svc_tokens: opening },
    ...totals.map((total) => ({ line: 'total', ...total })),
    ...charges.map((charge) => ({ line: 'charges', ...charge, key_name: charge.key_id === null ? null : names?.keys[charge.key_id] ?? null })),
    ...entries.map((entry) => ({ line: 'entry', ...entry, reference: names?.references[entry.entry] ?? null })),
    { line: 'closing_balance', svc_tokens: closing },
  ];
}

/**
 * One line for each balance, each total, the charges of each day, model and key, and each listed entry. Amounts are signed changes of the balance.
 */
export function statementCsv(statement: NamedStatement): string {
  const common: Row = { statement: statement.number, account_id: statement.account_id, month: statement.month };
  const lines = rowsOf(statement).map((row) => {
    const cells: Row = { ...common, ...row };
    return [...TEXTS.map((column) => csvCell(cells[column] ?? null)), cells.svc_tokens].join(',');
  });
  return [`${BYTE_ORDER_MARK}${COLUMNS.join(',')}`, ...lines, ''].join(LINE_END);
}
