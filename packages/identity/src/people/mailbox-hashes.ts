import { foldEmail } from '@tollgate/core';
import type { AddressHashes } from './address-hashes.js';
import { mailboxNameOf } from './mailbox.js';

/**
 * One hash per key of the installation's secret. Addresses with the same `mailboxNameOf` have the same hashes; sign-up credits use these hashes too.
 */
export function mailboxHashesOf(email: string, hashes: AddressHashes): readonly string[] {
  return [...new Set(hashes.of(mailboxNameOf(foldEmail(email))))];
}
