import { z } from 'zod';
import { id } from '../definition/field-schemas.js';

/** An account's id, or `external:` and the operator's own id for it. */
export const accountReference = z.union([id, z.string().regex(/^external:/).max(220)]);
export const accountParams = z.strictObject({ id: accountReference.describe('The id of the account, or `external:` and your own id for it.') });
