import { describe, expect, it } from '@jest/globals';
import { instant, later } from '@tollgate/core';
import type { ChallengeUse } from '@tollgate/identity';
import { HmacChallenges } from './hmac-challenges.js';
import { InstallationSecret } from './installation-secret.js';

const NOON = instant(Date.UTC(2026, 10, 18, 12));
const END = later(NOON, 60_000);
const USE: ChallengeUse = { purpose: 'passkey-registration', boundTo: 'session_1' };
const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

function challengesOf(secret: Uint8Array, previous: Uint8Array | null = null): HmacChallenges {
  return new HmacChallenges(new InstallationSecret(secret, previous).keysFor('challenge'));
}

describe('HmacChallenges', () => {
  it('opens a challenge until it expires, on every gateway with the same secret', () => {
    const challenge = challengesOf(OLD).issue(USE, END);
    expect(challengesOf(OLD).open(challenge, USE, later(END, -1))).toMatchObject({ expiresAt: END });
    expect(challengesOf(OLD).open(challenge, USE, END)).toBeNull();
    expect(challengesOf(NEW).open(challenge, USE, NOON)).toBeNull();
  });

  it('opens a challenge only for its purpose and its session', () => {
    const challenge = challengesOf(OLD).issue(USE, END);
    expect(challengesOf(OLD).open(challenge, { ...USE, boundTo: 'session_2' }, NOON)).toBeNull();
    expect(challengesOf(OLD).open(challenge, { ...USE, purpose: 'passkey-sign-in' }, NOON)).toBeNull();
  });

  it('opens only an unmodified challenge', () => {
    const challenge = challengesOf(OLD).issue(USE, END);
    const bytes = Buffer.from(challenge, 'base64url');
    const changed = Array.from(bytes, (byte, position) => Buffer.from(bytes.with(position, byte < 128 ? byte + 1 : byte - 1)).toString('base64url'));
    // Decoders ignore two bits of the last character.
    const twin = challenge.slice(0, -1) + String.fromCodePoint((challenge.codePointAt(challenge.length - 1) ?? 0) + 1);
    const opened = [...changed, twin, '', `${challenge}A`, 'x'.repeat(100_000)].map((text) => challengesOf(OLD).open(text, USE, NOON));
    expect(opened.filter((open) => open !== null)).toEqual([]);
  });

  it('derives one text per challenge and label, the same on every gateway and during a rotation of the secret', () => {
    const [first, second] = [challengesOf(OLD).issue(USE, END), challengesOf(OLD).issue(USE, END)];
    const derive = (challenges: HmacChallenges, challenge: string, label: string) => challenges.open(challenge, USE, NOON)?.derive(label);
    const state = derive(challengesOf(OLD), first, 'state');
    expect(state).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(derive(challengesOf(NEW, OLD), first, 'state')).toBe(state);
    expect(new Set([state, derive(challengesOf(OLD), first, 'nonce'), derive(challengesOf(OLD), second, 'state')]).size).toBe(3);
  });
});
