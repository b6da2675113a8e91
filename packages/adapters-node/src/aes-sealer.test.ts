import { describe, expect, it } from '@jest/globals';
import { AesSealer } from './aes-sealer.js';
import { InstallationSecret } from './installation-secret.js';

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const SECRET = Buffer.from('twenty bytes of key!');
const ALICE = 'person_alice';

function sealerOf(current: Uint8Array, previous: Uint8Array | null = null): AesSealer {
  return new AesSealer(new InstallationSecret(current, previous).keysFor('factor'));
}

describe('AesSealer', () => {
  it('opens what it sealed; the sealed text differs each time and does not contain the secret', () => {
    const sealed = sealerOf(OLD).seal(SECRET, ALICE);
    expect(sealerOf(OLD).open(sealed, ALICE)).toEqual({ secret: SECRET, outdated: false });
    expect(Buffer.from(sealed.slice(2), 'base64url').includes(SECRET)).toBe(false);
    expect(sealerOf(OLD).seal(SECRET, ALICE)).not.toBe(sealed);
  });

  it('opens what was sealed before a rotation of the secret, and reports it as outdated', () => {
    const sealed = sealerOf(OLD).seal(SECRET, ALICE);
    expect(sealerOf(NEW, OLD).open(sealed, ALICE)).toEqual({ secret: SECRET, outdated: true });
    expect(sealerOf(NEW).open(sealed, ALICE)).toBeNull();
  });

  it('refuses another owner, another purpose, and changed, truncated or forged text', () => {
    const sealer = sealerOf(OLD);
    const sealed = sealer.seal(SECRET, ALICE);
    const bytes = Buffer.from(sealed.slice(2), 'base64url');
    const flipped = Array.from(bytes.keys(), (index) => `1.${Buffer.from(bytes.map((byte, at) => (at === index ? byte ^ 1 : byte))).toString('base64url')}`);
    expect([...flipped, sealed.slice(0, -2), '', '1.', `2${sealed.slice(1)}`, '1.AAAA'].map((each) => sealer.open(each, ALICE)).filter((opened) => opened !== null)).toEqual([]);
    expect(sealer.open(sealed, 'person_bob')).toBeNull();
    expect(new AesSealer(new InstallationSecret(OLD, null).keysFor('webhook')).open(sealed, ALICE)).toBeNull();
  });
});
