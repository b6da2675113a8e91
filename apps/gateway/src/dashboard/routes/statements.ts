import { type AccountId, GatewayError, type NamedStatement, type Statements, type StatementQuery, type UtcMonth } from '@tollgate/core';
import { contract, type StatementFormat } from '@tollgate/api-contract';
import { encodeStatementSummary } from '@tollgate/wire-kit';
import type { HttpExchange } from '../../http/http-exchange.js';
import { sendDownload } from '../../http/reply/send-download.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import { decodeCursor, encodeCursor } from '../call/cursors.js';

const CONTENT_TYPES: Readonly<Record<StatementFormat, string>> = { json: 'application/json', csv: 'text/csv; charset=utf-8; header=present', pdf: 'application/pdf' };

interface Page {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly month?: string | undefined;
}

/** Throws `invalid_request` for an invalid cursor. */
export async function viewStatements(statements: Statements, accountId: AccountId | null, { limit, cursor, month }: Page) {
  const [before = null] = cursor === undefined ? [] : decodeCursor(cursor, ['number']);
  const query: StatementQuery = { accountId, month: (month ?? null) as UtcMonth | null, before: before as number | null, limit };
  const { statements: page, hasMore } = await statements.list(query);
  const last = hasMore ? page.at(-1)?.number : undefined;
  return { object: 'list' as const, data: page.map(encodeStatementSummary), has_more: hasMore, next_cursor: last === undefined ? null : encodeCursor([last]) };
}

/** Throws `not_found`, also for a statement of another account; an `accountId` of `null` finds any. */
export async function findStatement(statements: Statements, number: number, accountId: AccountId | null): Promise<NamedStatement> {
  const statement = await statements.find(number, accountId);
  if (statement === null) throw new GatewayError('not_found', 'There is no such statement.');
  return statement;
}

interface DownloadOrder {
  readonly number: number;
  readonly format: StatementFormat;
  readonly accountId: AccountId | null;
}

async function contentOf(statement: NamedStatement, statements: Statements, { number, format, accountId }: DownloadOrder): Promise<Uint8Array | string> {
  if (format === 'json') return `${JSON.stringify(statement, null, 2)}\n`;
  const bytes = await statements.file(number, format, accountId);
  if (bytes === null) throw new GatewayError('not_found', 'There is no such statement.');
  return bytes;
}

async function sendStatement(statements: Statements, exchange: HttpExchange, order: DownloadOrder): Promise<void> {
  const statement = await findStatement(statements, order.number, order.accountId);
  const { number, format } = order;
  const download = { contentType: CONTENT_TYPES[format], fileName: `statement_${number}_${statement.month}.${format}` };
  await sendDownload(exchange, download, async function* parts() {
    yield await contentOf(statement, statements, order);
  }());
}

export function statementEndpoints({ statements }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listStatements)(({ visitor: { account }, query }) => viewStatements(statements, account.id, query)),
    endpoint(contract.downloadStatement)(({ exchange, visitor: { account }, params }) => sendStatement(statements, exchange, { ...params, accountId: account.id })),
    endpoint(contract.listAllStatements)(({ query: { account, ...page } }) => viewStatements(statements, (account ?? null) as AccountId | null, page)),
    endpoint(contract.downloadAnyStatement)(({ exchange, params }) => sendStatement(statements, exchange, { ...params, accountId: null })),
  ];
}
