import { z } from 'zod';
import { id, instant } from '../definition/field-schemas.js';

/** A key as `GET /v1/api-keys` shows it: never with its secret. */
export const listedKey = z.strictObject({
  id: id.describe('The id of the key, `key_…`.'),
  object: z.literal('api_key').describe('The kind of object.'),
  name: z.string().nullable().describe('The name that its owner has given.'),
  hint: z.string().describe('The first and last characters of the secret.'),
  status: z.enum(['active', 'expired', 'revoked']).describe('Only an active key is served.'),
  created_at: instant.describe('When it was created.'),
  expires_at: instant.nullable().describe('When it expires; `null` for never.'),
  last_used_at: instant.nullable().describe('When it was last used, to the minute; `null` if never.'),
  revoked_at: instant.nullable().describe('When it was revoked; `null` if it was not.'),
}).meta({ id: 'ApiKey', description: 'An API key, without its secret.' });
