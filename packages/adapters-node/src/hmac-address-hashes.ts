import { createHmac } from 'node:crypto';
import type { AddressHashes } from '@tollgate/identity';
import type { DerivedKeys } from './installation-secret.js';

/** HMAC-SHA256 under the key for sign-up credits. */
export class HmacAddressHashes implements AddressHashes {
  constructor(private readonly keys: DerivedKeys) {}

  of(email: string): readonly string[] {
    return [this.keys.current, this.keys.previous].flatMap((key) => (key === null ? [] : createHmac('sha256', key).update(email).digest('hex')));
  }
}
