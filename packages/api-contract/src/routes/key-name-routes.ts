import { z } from 'zod';
import { id, listOf, text } from '../definition/field-schemas.js';
import { defineRoute } from '../definition/route-contract.js';

/** Maximum number of ids in one call. */
const MAX_NAMED_IDS = 100;

/** The name and hint by which pages show a key. */
const keyName = z.strictObject({
  id: id.describe('The id of the key.'),
  object: z.literal('key_name').describe('The kind of object.'),
  name: z.string().nullable().describe('The name that its owner has given.'),
  hint: z.string().nullable().describe('The first and last characters of the secret; `null` for the key of the playground, which has none.'),
});

const ID = '[a-z]+_[A-Za-z0-9_-]{1,64}';
export const idList = z.string().regex(new RegExp(`^${ID}(?:,${ID}){0,${MAX_NAMED_IDS - 1}}$`), `must be at most ${MAX_NAMED_IDS} ids, separated by commas`)
  .describe('Ids, separated by commas; unknown ones are left out.');
const ids = idList.describe('Ids of keys, separated by commas; unknown ones are left out.');

export const keyNameRoutes = {
  nameKeys: defineRoute({
    method: 'get', path: '/key-names', access: 'owner', summary: 'Names and hints of keys of the account, revoked ones and the key of the playground included.', query: z.strictObject({ ids }), reply: listOf(keyName),
  }),
  findKeys: defineRoute({
    method: 'get', path: '/key-names/search', access: 'owner', summary: 'The newest keys of the account whose name or hint contains a text, revoked ones included.',
    query: z.strictObject({ q: text(200).default('').describe('A part of the name or of the hint, in any case; empty for all keys.') }), reply: listOf(keyName),
  }),
  findAnyKeys: defineRoute({
    method: 'get', path: '/operator/key-names/search', access: 'operator', summary: 'The newest keys whose name or hint contains a text, of one account or of all, revoked ones included.',
    query: z.strictObject({ q: text(200).default('').describe('A part of the name or of the hint, in any case; empty for all keys.'), account: id.optional().describe('Only keys of this account.') }), reply: listOf(keyName),
  }),
  nameAnyKeys: defineRoute({
    method: 'get', path: '/operator/key-names', access: 'operator', summary: 'Names and hints of keys of any account.', query: z.strictObject({ ids }), reply: listOf(keyName),
  }),
} as const;
