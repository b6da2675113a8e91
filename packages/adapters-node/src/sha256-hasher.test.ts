import { expect, it } from '@jest/globals';
import { ApiKeySecret, invariant } from '@tollgate/core';
import { Sha256Hasher } from './sha256-hasher.js';

it('the hash of a key covers its prefix too, and has 64 lower-case hexadecimal digits', () => {
  const secret = ApiKeySecret.parse(`sk-${'a'.repeat(48)}`);
  invariant(secret !== null, 'the key has the form of a key');
  // printf 'sk-aaaa…' | sha256sum
  expect(new Sha256Hasher().hash(secret)).toBe('e1aa1d5b99d61d3bbcb90f1c8ba25247157f353e9b98cb231ac60e695d9ce694');
});
