import { describe, expect, it } from '@jest/globals';
import { readRecoveryCode, type RecoveryCode, writeRecoveryCode } from '@tollgate/identity';
import { AesSealer, InstallationSecret, RandomRecoveryCodes } from './installation-secret.js';

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const SECRET = Buffer.from('twenty bytes of key!');
const ALICE = 'person_alice';

function sealerOf(current: Uint8Array, previous: Uint8Array | null = null): AesSealer {
  return new AesSealer(new InstallationSecret(current, previous).keysFor('factor'));
}

describe('AesSealer', () => {
  it('opens what it sealed, and shows nothing of it', () => {
    const sealed = sealerOf(OLD).seal(SECRET, ALICE);
    expect(sealerOf(OLD).open(sealed, ALICE)).toEqual({ secret: SECRET, outdated: false });
    expect(Buffer.from(sealed.slice(2), 'base64url').includes(SECRET)).toBe(false);
    expect(sealerOf(OLD).seal(SECRET, ALICE)).not.toBe(sealed);
  });

  it('opens what was sealed before a rotation, and says that it is outdated', () => {
    const sealed = sealerOf(OLD).seal(SECRET, ALICE);
    expect(sealerOf(NEW, OLD).open(sealed, ALICE)).toEqual({ secret: SECRET, outdated: true });
    expect(sealerOf(NEW).open(sealed, ALICE)).toBeNull();
  });

  it('opens nothing for another owner, under another purpose, changed, cut or made up', () => {
    const sealer = sealerOf(OLD);
    const sealed = sealer.seal(SECRET, ALICE);
    const bytes = Buffer.from(sealed.slice(2), 'base64url');
    const flipped = Array.from(bytes.keys(), (index) => `1.${Buffer.from(bytes.map((byte, at) => (at === index ? byte ^ 1 : byte))).toString('base64url')}`);
    expect([...flipped, sealed.slice(0, -2), '', '1.', `2${sealed.slice(1)}`, '1.AAAA'].map((each) => sealer.open(each, ALICE)).filter((opened) => opened !== null)).toEqual([]);
    expect(sealer.open(sealed, 'person_bob')).toBeNull();
    expect(new AesSealer(new InstallationSecret(OLD, null).keysFor('token')).open(sealed, ALICE)).toBeNull();
  });
});

const codes = new RandomRecoveryCodes();
const [ONE, OTHER] = [new Uint8Array(20).fill(1), new Uint8Array(20).fill(2)];

describe('RandomRecoveryCodes', () => {
  it('makes codes that read back as they are shown, and however a person writes them', () => {
    const issued = Array.from({ length: 200 }, () => codes.issue());
    expect(new Set(issued).size).toBe(200);
    expect(new Set(issued.join('')).size).toBe(32);
    for (const code of issued) {
      const shown = writeRecoveryCode(code);
      expect(shown).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
      expect([shown, shown.toUpperCase(), ` ${shown.replace('-', '')} `].map(readRecoveryCode)).toEqual([code, code, code]);
    }
  });

  it('hashes a code by the secret of its person', () => {
    const code = '0123456789' as RecoveryCode;
    expect(codes.hash(ONE, code)).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([codes.hash(ONE, code), codes.hash(OTHER, code), codes.hash(ONE, 'abcdefghjk' as RecoveryCode)]).size).toBe(3);
  });
});

it.each([['OIL00-00000', '0110000000'], ['abcde-fghj', null], ['abcde-fghjkm', null], ['abcdu-fghjk', null], ['', null], ['a'.repeat(1000), null]])('reads %j as %j', (typed, code) => {
  expect(readRecoveryCode(typed)).toBe(code);
});
