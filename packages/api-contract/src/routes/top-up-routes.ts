import { z } from 'zod';
import { defineRoute } from '../definition/route-contract.js';
import { accountInPath } from '../shapes/account.js';
import { automaticTopUp, topUpSettings } from '../shapes/automatic-top-up.js';

const portal = z.strictObject({
  object: z.literal('payment_portal').describe('The kind of object.'),
  url: z.string().describe('The page of the payment provider, for the owner alone.'),
});

export const topUpRoutes = {
  readAutomaticTopUp: defineRoute({ method: 'get', path: '/automatic-top-up', access: 'owner', summary: 'Automatic top-up of the account: settings, the last charge and what it waits for.', reply: automaticTopUp }),
  enableAutomaticTopUp: defineRoute({
    method: 'put', path: '/automatic-top-up', access: 'owner', fresh: true, summary: 'Switches automatic top-up on, or changes its settings. Needs a saved payment method.', body: topUpSettings, reply: automaticTopUp,
  }),
  disableAutomaticTopUp: defineRoute({
    method: 'delete', path: '/automatic-top-up', access: 'owner', summary: 'Switches automatic top-up off. A charge in progress is still booked.', reply: automaticTopUp,
  }),
  openPaymentPortal: defineRoute({
    method: 'post', path: '/payment-methods/portal', access: 'owner', fresh: true, summary: 'Opens the page of the payment provider where the owner manages saved methods and invoices.', reply: portal,
  }),
  readAutomaticTopUpOfAccount: defineRoute({
    method: 'get', path: '/operator/accounts/{id}/automatic-top-up', access: 'operator', summary: 'Automatic top-up of any account.', params: accountInPath, reply: automaticTopUp,
  }),
} as const;
