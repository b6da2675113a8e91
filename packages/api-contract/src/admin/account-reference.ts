import { z } from 'zod';
import { id } from '../definition/field-schemas.js';

/** An account's id, or `external:` followed by the operator's own id for the account. */
export const accountReference = z.union([id, z.string().regex(/^external:/).max(220)], { error: 'must be the id of an account, or external: and your own id for it' });
/** A filter by account. An unknown `external:` id is refused, since an empty answer would look like an account without anything. */
export function ofAccount(what: string) {
  return accountReference.optional().describe(`Only ${what} of the account with this id, or with this id of yours after \`external:\`.`);
}

export const accountParams = z.strictObject({ id: accountReference.describe('The id of the account, or `external:` and your own id for it.') });
