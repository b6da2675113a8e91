import { foldEmail } from '@tollgate/core';
import type { AddressHashes } from './address-hashes.js';
import { mailboxNameOf } from './mailbox.js';

/** One hash per key of the installation's secret, equal for all addresses known to reach one mailbox; as for sign-up credits. */
export function mailboxHashesOf(email: string, hashes: AddressHashes): readonly string[] {
  return [...new Set(hashes.of(mailboxNameOf(foldEmail(email))))];
}
