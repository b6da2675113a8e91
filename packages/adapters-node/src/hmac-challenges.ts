import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Instant, instant } from '@tollgate/core';
import type { ChallengeUse, OpenChallenge, SignedChallenges } from '@tollgate/identity';
import type { DerivedKeys } from './installation-secret.js';

const TIME_BYTES = 8;
const RANDOM_BYTES = 16;
const MAC_BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{75}$/;

function mac(key: Uint8Array, label: string, bytes: Uint8Array): Buffer {
  return createHmac('sha256', key).update(label).update('\0').update(bytes).digest();
}

function labelOf({ purpose, boundTo }: ChallengeUse): string {
  return `challenge\0${purpose}\0${boundTo}`;
}

/** A challenge has 56 bytes: expiry, 128 random bits, and an HMAC-SHA256 of these, of the purpose and of what the challenge is bound to. */
export class HmacChallenges implements SignedChallenges {
  constructor(private readonly keys: DerivedKeys) {}

  issue(use: ChallengeUse, expiresAt: Instant): string {
    const content = Buffer.concat([Buffer.alloc(TIME_BYTES), randomBytes(RANDOM_BYTES)]);
    content.writeBigUInt64BE(BigInt(expiresAt));
    return Buffer.concat([content, mac(this.keys.current, labelOf(use), content)]).toString('base64url');
  }

  open(text: string, use: ChallengeUse, at: Instant): OpenChallenge | null {
    const bytes = FORM.test(text) ? Buffer.from(text, 'base64url') : null;
    // Several texts decode to the same bytes; only the issued one is accepted.
    if (bytes === null || bytes.toString('base64url') !== text) return null;
    const [content, signed] = [bytes.subarray(0, -MAC_BYTES), bytes.subarray(-MAC_BYTES)];
    const key = [this.keys.current, this.keys.previous].find((each) => each !== null && timingSafeEqual(mac(each, labelOf(use), content), signed));
    const expiresAt = instant(Number(content.readBigUInt64BE()));
    if (key === undefined || key === null || expiresAt <= at) return null;
    return { expiresAt, derive: (label) => mac(key, `derived\0${label}`, bytes).toString('base64url') };
  }
}
