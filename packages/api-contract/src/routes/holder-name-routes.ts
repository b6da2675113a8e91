import { z } from 'zod';
import { id, listOf } from '../definition/field-schemas.js';
import { defineRoute } from '../definition/route-contract.js';
import { idList } from './key-name-routes.js';

const holderName = z.strictObject({
  id: id.describe('The id of the account or person.'),
  object: z.literal('holder_name').describe('The kind of object.'),
  name: z.string().describe('The name of the account or person.'),
  email: z.string().describe('The e-mail address.'),
});

export const holderNameRoutes = {
  nameHolders: defineRoute({
    method: 'get', path: '/operator/names', access: 'operator', summary: 'Names and e-mail addresses of accounts and people.',
    query: z.strictObject({ ids: idList.describe('Ids of accounts and people, separated by commas; deleted and unknown ones are left out.') }), reply: listOf(holderName),
  }),
} as const;
