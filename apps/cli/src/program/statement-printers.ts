import { StatementPdf } from '@tollgate/adapters-pdf';
import type { Clock, StatementPrinters } from '@tollgate/core';
import { statementCsv } from '@tollgate/wire-kit';

/** Renders one PDF at a time. */
export function statementPrinters(clock: Clock): StatementPrinters {
  const pdf = new StatementPdf(clock);
  return { csv: (statement) => Promise.resolve(new TextEncoder().encode(statementCsv(statement))), pdf: (statement) => pdf.print(statement) };
}
