import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { cursor, listOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { moneyAct } from './operator-account-routes.js';

/** Without the operator who booked it, whom owners do not see. */
const ownMoneyAct = moneyAct.omit({ by: true }).meta({ id: 'OwnMoneyAct', description: 'An entry of the ledger of one’s own account that no request led to.' });

export const billingRoutes = {
  listOwnMoneyActs: defineRoute({
    method: 'get', path: '/money-acts', access: 'owner', openTo: 'pending-deletion',
    summary: 'All that was booked on the account without a request, and refunds of requests, newest first; never charges.',
    query: z.strictObject({ limit: pageLimit(PAGE_SIZES.moneyActs.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') }),
    reply: listOf(ownMoneyAct),
  }),
} as const;
