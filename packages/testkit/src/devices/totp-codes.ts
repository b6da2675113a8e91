import { createHmac } from 'node:crypto';
import type { Instant } from '@tollgate/core';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MILLISECONDS = 30_000;

function bytesOfBase32(text: string): Buffer {
  const bits = Array.from(text, (character) => BASE32.indexOf(character).toString(2).padStart(5, '0')).join('');
  return Buffer.from(Array.from({ length: Math.floor(bits.length / 8) }, (_, index) => Number.parseInt(bits.slice(8 * index, 8 * index + 8), 2)));
}

/** The TOTP code (RFC 6238) at an instant, computed without the library that the gateway uses. */
export function totpCodeAt(secret: string, at: Instant): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MILLISECONDS)));
  const mac = createHmac('sha1', bytesOfBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** Six digits that are not the code at `at`, one step before or one step after. Each attempt has other digits. */
export function wrongTotpCode(secret: string, at: Instant, attempt = 0): string {
  const right = new Set([-1, 0, 1].map((step) => totpCodeAt(secret, (at + step * STEP_MILLISECONDS) as Instant)));
  const candidates = Array.from({ length: 4 }, (_, number) => String(100_000 + 10 * attempt + number));
  return candidates.find((candidate) => !right.has(candidate)) ?? '';
}
