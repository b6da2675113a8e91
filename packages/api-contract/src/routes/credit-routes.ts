import { defineRoute } from '../definition/route-contract.js';
import { accountInPath } from '../shapes/account.js';
import { creditsLeft } from '../shapes/credit.js';

export const creditRoutes = {
  listCredits: defineRoute({ method: 'get', path: '/credits', access: 'owner', summary: 'The unused part of each credit of the account, and when it expires.', reply: creditsLeft }),
  listCreditsOfAccount: defineRoute({
    method: 'get', path: '/operator/accounts/{id}/credits', access: 'operator', summary: 'The unused part of each credit of any account.', params: accountInPath, reply: creditsLeft,
  }),
} as const;
