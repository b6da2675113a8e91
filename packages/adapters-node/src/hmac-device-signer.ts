import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DeviceSigner } from '@tollgate/identity';
import type { DerivedKeys } from './installation-secret.js';

const SIGNATURE_BYTES = 16;

/** Signs with the first 128 bits of an HMAC-SHA256 under the key for devices. */
export class HmacDeviceSigner implements DeviceSigner {
  constructor(private readonly keys: DerivedKeys) {}

  sign(content: string): string {
    return signatureOf(this.keys.current, content).toString('base64url');
  }

  verify(content: string, signature: string): boolean {
    const claimed = Buffer.from(signature, 'base64url');
    if (claimed.length !== SIGNATURE_BYTES) return false;
    return [this.keys.current, this.keys.previous].some((key) => key !== null && timingSafeEqual(signatureOf(key, content), claimed));
  }
}

function signatureOf(key: Uint8Array, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, SIGNATURE_BYTES);
}
