import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { InstallationSecret, type KeyPurpose } from './installation-secret.js';

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const PURPOSES: readonly KeyPurpose[] = ['response', 'challenge', 'factor', 'signup-credit', 'device', 'webhook'];

const hex = (bytes: Uint8Array | null): string | null => (bytes === null ? null : Buffer.from(bytes).toString('hex'));

describe('InstallationSecret', () => {
  it('derives the same keys from a secret in every process and release', () => {
    // By OpenSSL: openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt hexkey:0101… -kdfopt info:tollgate/1/key/factor HKDF
    expect(hex(new InstallationSecret(OLD, null).keysFor('factor').current)).toBe('9181bb6d9139a2ea380b37c73a553acf64f96ea35b9e537bab5831b34d359cac');
    expect(new InstallationSecret(OLD, null).fingerprints().current).toBe('0f98070235e1941047fab1615167d0baaaa952ca0342d1cec277f35738e6f6d2');
  });

  it('derives a different key of 32 bytes for each purpose and from each secret', () => {
    const keys = [OLD, NEW].flatMap((secret) => PURPOSES.map((purpose) => new InstallationSecret(secret, null).keysFor(purpose).current));
    expect(keys).toHaveLength(2 * PURPOSES.length);
    expect(keys.map(({ length }) => length)).toEqual(keys.map(() => 32));
    const fingerprint = new InstallationSecret(OLD, null).fingerprints().current;
    expect(new Set([...keys.map(hex), hex(OLD), hex(NEW), fingerprint]).size).toBe(keys.length + 3);
  });

  it('provides the keys and the fingerprint of the previous secret during a rotation', () => {
    const before = new InstallationSecret(OLD, null);
    const rotated = new InstallationSecret(NEW, OLD);
    expect(before.keysFor('device').previous).toBeNull();
    expect(rotated.keysFor('device').previous).toEqual(before.keysFor('device').current);
    expect(rotated.fingerprints()).toEqual({
      current: new InstallationSecret(NEW, null).fingerprints().current, previous: before.fingerprints().current,
    });
  });

  it('is not revealed by printing or logging', () => {
    const secret = new InstallationSecret(NEW, OLD);
    expect([inspect(secret, { showHidden: true, depth: 5 }), JSON.stringify(secret)]).toEqual(['InstallationSecret {}', '{}']);
  });
});
