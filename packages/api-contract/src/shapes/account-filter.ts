import { ACCOUNT_ORDERS } from '@tollgate/core';
import { z } from 'zod';
import { serviceTokens, text, utcDay } from '../definition/field-schemas.js';

const SORTS = ACCOUNT_ORDERS.flatMap((order) => [order, `-${order}`] as const);

/** Query parameters by which operators and machines narrow and order lists of accounts. */
export const accountFilter = {
  q: text(254).optional().describe('Part of a name, an address or an `external_id`, in any case; or the whole id of an account, a person or a key; or the last four characters of a key.'),
  plan: text(100).optional().describe('Only accounts that were given this plan.'),
  standing: z.enum(['good', 'blocked', 'suspended', 'pending-deletion', 'email-unverified', 'deleted']).optional().describe('Only accounts of this standing.'),
  available_below: serviceTokens.optional().describe('Only accounts with less than this many service tokens available.'),
  used_since: utcDay.optional().describe('Only accounts of which a request ended on this UTC day or later, even a free one.'),
  unused_since: utcDay.optional().describe('Only accounts of which no request ended on this UTC day or later.'),
  sort: z.enum(SORTS).optional().describe('Ascending, or descending after a `-`; the default is `created`, oldest first.'),
} as const;

/** The maximum is high, because the cursor contains the value by which accounts are ordered. This value can be an address. */
export const accountCursor = z.string().max(800).optional();
