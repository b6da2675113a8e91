import { StatementPdf } from '@tollgate/adapters-pdf';
import type { StatementPrinters } from '@tollgate/core';
import { statementCsv } from '@tollgate/wire-kit';

/** Renders one PDF at a time. */
export function statementPrinters(): StatementPrinters {
  const pdf = new StatementPdf();
  return { csv: (statement) => Promise.resolve(new TextEncoder().encode(statementCsv(statement))), pdf: (statement) => pdf.print(statement) };
}
