import { StatementPdf } from '@tollgate/adapters-pdf';
import type { Clock, StatementPrinters } from '@tollgate/core';
import { statementCsv } from '@tollgate/wire-kit';

/** Renders one PDF at a time. `tokensWord` is the name of service tokens, in the plural. */
export function statementPrinters(clock: Clock, tokensWord: string): StatementPrinters {
  const pdf = new StatementPdf(clock, tokensWord);
  return { csv: (statement) => Promise.resolve(new TextEncoder().encode(statementCsv(statement))), pdf: (statement) => pdf.print(statement) };
}
