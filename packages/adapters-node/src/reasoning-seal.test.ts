import { describe, expect, it } from '@jest/globals';
import type { AccountId } from '@tollgate/core';
import { InstallationSecret } from './installation-secret.js';
import { AesReasoningSeal } from './reasoning-seal.js';

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const [ALICE, BOB] = ['acct_alice' as AccountId, 'acct_bob' as AccountId];
const TEXT = '{"model":"m","text":"\\"Grüße\\" 你好 👋","signature":null}';

function sealOf(current: Uint8Array, previous: Uint8Array | null = null): AesReasoningSeal {
  return new AesReasoningSeal(new InstallationSecret(current, previous).keysFor('response'));
}

describe('AesReasoningSeal', () => {
  const seal = sealOf(OLD);
  const sealed = seal.seal(ALICE, TEXT);
  const bytes = Buffer.from(sealed, 'base64url');

  it('opens what it sealed, on every gateway of the installation; the sealed text does not contain the reasoning', () => {
    expect(sealOf(OLD).open(ALICE, sealed)).toBe(TEXT);
    expect(sealed).toMatch(/^[\w-]+$/);
    expect(bytes.includes('model')).toBe(false);
    expect(seal.seal(ALICE, TEXT)).not.toBe(sealed);
    expect(seal.open(ALICE, seal.seal(ALICE, ''))).toBe('');
  });

  it('opens what was sealed before a rotation of the secret, until the earlier secret is removed', () => {
    expect([sealOf(NEW, OLD).open(ALICE, sealed), sealOf(NEW).open(ALICE, sealed)]).toEqual([TEXT, null]);
    expect(sealOf(NEW).open(ALICE, sealOf(NEW, OLD).seal(ALICE, TEXT))).toBe(TEXT);
  });

  it('opens nothing for another account or another purpose', () => {
    expect(seal.open(BOB, sealed)).toBeNull();
    expect(new AesReasoningSeal(new InstallationSecret(OLD, null).keysFor('factor')).open(ALICE, sealed)).toBeNull();
  });

  it('refuses a sealed text with a single changed bit in version, key id, nonce, ciphertext or tag', () => {
    const flipped = Array.from({ length: bytes.length * 8 }, (_, bit) => (
      Buffer.from(bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))).toString('base64url')));
    expect(flipped.filter((changed) => seal.open(ALICE, changed) !== null)).toEqual([]);
  });

  it('refuses a sealed text that was truncated or extended at any place', () => {
    const changed = Array.from(sealed, (_, length) => [sealed.slice(0, length), sealed.slice(length + 1), `${sealed.slice(0, length)} ${sealed.slice(length)}`]).flat();
    expect([...changed, `${sealed}A`, `${sealed}=`, `${sealed}\n`].filter((each) => seal.open(ALICE, each) !== null)).toEqual([]);
  });

  it.each([
    ['empty text', ''], ['text that is not base64url', '👋'.repeat(100)], ['reasoning sealed by another service', `gAAAAAB${'x'.repeat(5_000)}`],
    ['the header of sealed reasoning alone', sealed.slice(0, 8)], ['the header of sealed reasoning before other text', `${sealed.slice(0, 8)}${'\ud800'.repeat(200)}`],
  ])('refuses %s', (_, foreign) => {
    expect(seal.open(ALICE, foreign)).toBeNull();
  });

  it('seals 220 kB of reasoning into at most 1.34 times as many characters, and opens them', () => {
    const text = 'reasoning, '.repeat(20_000);
    const long = seal.seal(ALICE, text);
    expect(seal.open(ALICE, long)).toBe(text);
    expect(long.length).toBeLessThan(1.34 * text.length);
  });
});
