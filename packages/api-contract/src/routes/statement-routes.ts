import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { cursor, id, listOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { statementMonth, statementSummary } from '../shapes/statement.js';

const FORMATS = ['json', 'csv', 'pdf'] as const;
export type StatementFormat = (typeof FORMATS)[number];

const query = z.strictObject({ limit: pageLimit(PAGE_SIZES.statements.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') });
const allQuery = query.extend({ account: id.optional().describe('Only of this account.'), month: statementMonth.optional().describe('Only of this UTC month.') });
const params = z.strictObject({ number: z.coerce.number().int().min(1).describe('The number of the statement.'), format: z.enum(FORMATS).describe('The kind of file.') });
const produces = ['application/json', 'text/csv', 'application/pdf'] as const;

export const statementRoutes = {
  listStatements: defineRoute({ method: 'get', path: '/statements', access: 'owner', summary: 'The monthly statements of the account, newest first.', query, reply: listOf(statementSummary) }),
  downloadStatement: defineRoute({
    method: 'get', path: '/statements/{number}/{format}', access: 'owner', summary: 'A statement of the account as a file; the same bytes each time.', params, produces,
  }),
  listAllStatements: defineRoute({
    method: 'get', path: '/operator/statements', access: 'operator', summary: 'The monthly statements of all accounts, or of one, newest first.', query: allQuery, reply: listOf(statementSummary),
  }),
  downloadAnyStatement: defineRoute({
    method: 'get', path: '/operator/statements/{number}/{format}', access: 'operator', summary: 'A statement of any account as a file; the same bytes each time.', params, produces,
  }),
} as const;
