import { createHash } from 'node:crypto';

/** The same for the same bytes at the same address, different for anything else. */
export function requestFingerprint(path: string, body: Uint8Array): string {
  return createHash('sha256').update(path).update('\n').update(body).digest('base64url');
}
