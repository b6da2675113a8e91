import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { anApiKey } from '@tollgate/testkit';
import { instant } from '../primitives/time.js';
import { API_KEY_ALPHABET, API_KEY_RANDOM_LENGTH, ApiKeySecret } from './api-key-secret.js';
import { apiKeyState } from './api-key.js';

const RANDOM = API_KEY_ALPHABET.slice(0, API_KEY_RANDOM_LENGTH);
const TEXT = `sk-${RANDOM}`;

describe('the state of a key', () => {
  it.each<readonly [name: string, expiresAt: number | null, revokedAt: number | null, state: string]>([
    ['is active without an expiry or a revocation', null, null, 'active'],
    ['is active a millisecond before the expiry', 101, null, 'active'],
    ['is expired at the expiry', 100, null, 'expired'],
    ['is expired after the expiry', 99, null, 'expired'],
    ['is revoked if the key is both revoked and expired', 99, 50, 'revoked'],
    ['is revoked if the key is revoked and not yet expired', 101, 50, 'revoked'],
    ['is revoked from the moment of the revocation', null, 100, 'revoked'],
  ])('%s', (_name, ...[expiresAt, revokedAt, state]) => {
    const key = anApiKey({ expiresAt: expiresAt === null ? null : instant(expiresAt), revokedAt: revokedAt === null ? null : instant(revokedAt) });
    expect(apiKeyState(key, instant(100))).toBe(state);
  });
});

describe('the secret of a key', () => {
  it.each([
    ['', null], ['sk-', null], [RANDOM, null], [`sk-${RANDOM.slice(1)}`, null], [`sk-${RANDOM}A`, null], [`SK-${RANDOM}`, null], [` ${TEXT}`, null],
    [`${TEXT}\n`, null], [`sk-${RANDOM.slice(1)}_`, null], [`sk-${RANDOM.slice(1)}é`, null],
  ])('is not parsed from %j', (text, expected) => {
    expect(ApiKeySecret.parse(text)).toBe(expected);
  });

  it('is revealed only by `reveal`, and identified by its hint', () => {
    const secret = ApiKeySecret.parse(TEXT);
    expect(secret?.reveal()).toBe(TEXT);
    expect(secret?.hint()).toBe(`sk-AB…${TEXT.slice(-4)}`);
  });

  it.each<readonly [name: string, print: (secret: ApiKeySecret) => string]>([
    ['JSON', (secret) => JSON.stringify({ secret })],
    ['conversion to a string', (secret) => String(secret)],
    ['joining', (secret) => [secret].join(',')],
    ['inspection', (secret) => inspect(secret, { showHidden: true, depth: 10 })],
    ['inspection of an object that holds it', (secret) => inspect({ issued: { secret } }, { depth: 10 })],
    ['the list of its properties', (secret) => JSON.stringify([Object.entries(secret), Reflect.ownKeys(secret).map(String)])],
    ['an error that carries it', (secret) => inspect(new Error('failed', { cause: secret }), { depth: 10 })],
    ['a copy of it', (secret) => JSON.stringify(Object.assign({}, secret))],
  ])('is not printed by %s', (_name, print) => {
    const secret = ApiKeySecret.parse(TEXT);
    expect(secret === null ? TEXT : print(secret)).not.toContain(RANDOM.slice(6, 20));
  });
});
