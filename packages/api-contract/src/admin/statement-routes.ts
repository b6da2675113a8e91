import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { cursor, pageOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { statement, statementMonth, statementSummary } from '../shapes/statement.js';
import { accountParams, ofAccount } from './account-reference.js';
import { defineAdminRoute } from './admin-route.js';

const query = z.strictObject({
  month: statementMonth.optional().describe('Only of this UTC month.'), limit: pageLimit(PAGE_SIZES.statements.admin).describe('How many items the page has.'),
  cursor: cursor.describe('The `next_cursor` of the page before.'),
});

export const adminStatementRoutes = {
  listStatements: defineAdminRoute({
    method: 'get', path: '/statements', access: 'accounts:read', summary: 'The monthly statements of all accounts, or of one, newest first.',
    query: query.extend({ account: ofAccount('statements') }), reply: pageOf(statementSummary),
  }),
  listAccountStatements: defineAdminRoute({
    method: 'get', path: '/accounts/{id}/statements', access: 'accounts:read', summary: 'The monthly statements of an account, newest first.', params: accountParams, query, reply: pageOf(statementSummary),
  }),
  readStatement: defineAdminRoute({
    method: 'get', path: '/statements/{number}', access: 'accounts:read', summary: 'One statement: balances, totals by kind, charges by day, model and key, and all other entries.',
    params: z.strictObject({ number: z.coerce.number().int().min(1).describe('The number of the statement.') }), reply: statement,
  }),
} as const;
