import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, MemoryCounter } from '@tollgate/adapters-memory';
import { RandomSecretTokens } from '@tollgate/adapters-node';
import { instant, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, type PersonId } from '@tollgate/core';
import { afterWrongProof, AttemptLimits, type AttemptSubject, NO_ATTEMPTS } from '@tollgate/identity';

const ALICE = 'alice@example.test';
const HERE = '203.0.113.7';
const ELSEWHERE = '203.0.113.8';

let clock: ManualClock;
let limits: AttemptLimits;

function about(email: string): AttemptSubject {
  return { kind: 'email', email };
}

async function admitted(tries: number, attempt: (number: number) => { readonly address: string; readonly subject: AttemptSubject }): Promise<number> {
  let count = 0;
  for (let number = 0; number < tries; number += 1) await limits.admit(attempt(number)).then(() => (count += 1), () => undefined);
  return count;
}

beforeEach(() => {
  clock = new ManualClock();
  limits = new AttemptLimits({ own: new MemoryCounter(clock), shared: null, tokens: new RandomSecretTokens() });
});

describe('attempts for an e-mail address from one network', () => {
  it('are limited to 5 a minute, with a retry delay', async () => {
    expect(await admitted(5, () => ({ address: HERE, subject: about(ALICE) }))).toBe(5);
    clock.advance(20_000);
    await expect(limits.admit({ address: HERE, subject: about('ALICE@example.test') })).rejects.toMatchObject({ code: 'too_many_attempts', retryAfterSeconds: 40 });
    clock.advance(40_000);
    expect(await admitted(6, () => ({ address: HERE, subject: about(ALICE) }))).toBe(5);
  });

  it('are limited to 20 an hour; refused attempts are not counted', async () => {
    let count = 0;
    for (let minute = 0; minute < 10; minute += 1) {
      count += await admitted(10, () => ({ address: HERE, subject: about(ALICE) }));
      clock.advance(MILLISECONDS_PER_MINUTE);
    }
    expect(count).toBe(20);
    clock.advance(50 * MILLISECONDS_PER_MINUTE);
    expect(await admitted(1, () => ({ address: HERE, subject: about(ALICE) }))).toBe(1);
  });

  it('do not lock the owner out on other networks', async () => {
    await admitted(10, () => ({ address: HERE, subject: about(ALICE) }));
    expect(await admitted(1, () => ({ address: ELSEWHERE, subject: about(ALICE) }))).toBe(1);
  });
});

it('attempts from one network are limited to 20 a minute and 100 an hour', async () => {
  expect(await admitted(30, (number) => ({ address: HERE, subject: about(`person${number}@example.test`) }))).toBe(20);
  let count = 20;
  for (let minute = 1; minute < 10; minute += 1) {
    clock.advance(MILLISECONDS_PER_MINUTE);
    count += await admitted(20, (number) => ({ address: HERE, subject: about(`person${minute}.${number}@example.test`) }));
  }
  expect(count).toBe(100);
  expect(await admitted(1, () => ({ address: ELSEWHERE, subject: about(ALICE) }))).toBe(1);
});

describe('attempts from IPv6', () => {
  const from = (group: number, host: number) => `2001:db8:0:${group.toString(16)}::${host}`;

  it('are counted for the /64, the /56 and the /48, each with twice the limit of the one before', async () => {
    const newPerson = (number: number) => about(`person${number}@example.test`);
    // A /56 contains 256 networks of /64.
    expect(await admitted(30, (number) => ({ address: from(0, number), subject: newPerson(number) }))).toBe(20);
    expect(await admitted(256, (number) => ({ address: from(number, 1), subject: newPerson(1000 + number) }))).toBe(20);
    expect(await admitted(256, (number) => ({ address: from(0x100 * (1 + number % 255), 1), subject: newPerson(2000 + number) }))).toBe(40);
    expect(await admitted(1, () => ({ address: '2001:db8:1::1', subject: newPerson(3000) }))).toBe(1);
  });

  it('for one e-mail address are counted for the /64, the /56 and the /48, too', async () => {
    expect(await admitted(8, (number) => ({ address: from(0, number), subject: about(ALICE) }))).toBe(5);
    expect(await admitted(15, (number) => ({ address: from(1 + number, 1), subject: about(ALICE) }))).toBe(5);
    expect(await admitted(20, (number) => ({ address: from(0x100 * (1 + number), 1), subject: about(ALICE) }))).toBe(10);
    expect(await admitted(1, () => ({ address: '2001:db8:1::1', subject: about(ALICE) }))).toBe(1);
  });

  it('that succeed are not counted for any of these networks', async () => {
    for (let number = 0; number < 100; number += 1) await (await limits.admit({ address: from(number, 1), subject: about(ALICE) })).giveBack();
    expect(await admitted(6, (number) => ({ address: from(number, 1), subject: about(ALICE) }))).toBe(6);
  });
});

it.each<AttemptSubject>([{ kind: 'token', token: 'A'.repeat(43) }, { kind: 'person', id: 'person_1' as PersonId }])('attempts for one $kind are limited to 5 a minute over all networks', async (subject) => {
  expect(await admitted(10, (number) => ({ address: `203.0.113.${number}`, subject }))).toBe(5);
});

it('a successful attempt is not counted', async () => {
  for (let number = 0; number < 200; number += 1) await (await limits.admit({ address: HERE, subject: about(ALICE) })).giveBack();
  expect(await admitted(6, () => ({ address: HERE, subject: about(ALICE) }))).toBe(5);
});

it('sign-ins for an e-mail address are delayed after ten failures in an hour, by at most 2 s', async () => {
  const delays: number[] = [];
  for (let number = 0; number < 25; number += 1) delays.push((await limits.delaySignIn(ALICE)).milliseconds);
  expect(delays).toEqual([...Array.from({ length: 11 }, () => 0), 200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2000, 2000, 2000, 2000]);
  expect((await limits.delaySignIn('bob@example.test')).milliseconds).toBe(0);
  clock.advance(MILLISECONDS_PER_HOUR);
  expect((await limits.delaySignIn(ALICE)).milliseconds).toBe(0);
});

it('an e-mail address gets at most five messages of a kind per hour', async () => {
  const sent: boolean[] = [];
  for (let number = 0; number < 7; number += 1) sent.push(await limits.mayMail('reset', ALICE));
  expect(sent).toEqual([true, true, true, true, true, false, false]);
  expect([await limits.mayMail('verification', ALICE), await limits.mayMail('reset', 'bob@example.test')]).toEqual([true, true]);
});

it('gateways count attempts together, and separately while the shared counter is unreachable', async () => {
  const shared = new MemoryCounter(clock);
  let isAway = false;
  const counter = { add: (...args: Parameters<MemoryCounter['add']>) => (isAway ? Promise.reject(new Error('away')) : shared.add(...args)) };
  const gateways = [1, 2].map(() => new AttemptLimits({ own: new MemoryCounter(clock), shared: counter, tokens: new RandomSecretTokens() }));
  const attempt = { address: HERE, subject: about(ALICE) };
  for (let number = 0; number < 5; number += 1) await gateways[number % 2]?.admit(attempt);
  await expect(gateways[1]?.admit(attempt)).rejects.toMatchObject({ code: 'too_many_attempts' });
  isAway = true;
  await gateways[0]?.admit(attempt);
  await gateways[0]?.admit(attempt);
  await expect(gateways[0]?.admit(attempt)).rejects.toMatchObject({ code: 'too_many_attempts' });
});

it('each consecutive lock after wrong proofs lasts twice as long as the one before, up to a day', () => {
  const minutes: number[] = [];
  let attempts = NO_ATTEMPTS;
  for (let wrong = 1; wrong <= 90; wrong += 1) {
    const at = instant(wrong);
    attempts = afterWrongProof(attempts, at);
    if (wrong % 10 === 0) minutes.push(((attempts.lockedUntil ?? at) - at) / MILLISECONDS_PER_MINUTE);
  }
  expect(minutes).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440]);
});

it('no counter holds an e-mail address or a token in plain text', async () => {
  const names: string[] = [];
  const own = { add: (name: string) => Promise.resolve({ total: names.push(name), endsInMilliseconds: 1 }) };
  const watched = new AttemptLimits({ own, shared: null, tokens: new RandomSecretTokens() });
  await Promise.allSettled([watched.admit({ address: HERE, subject: about(ALICE) }), watched.delaySignIn(ALICE), watched.mayMail('reset', ALICE), watched.admit({ address: HERE, subject: { kind: 'token', token: 'secret' } })]);
  expect(names.length).toBeGreaterThan(6);
  expect(names.filter((name) => name.includes('alice') || name.includes('secret'))).toEqual([]);
});
