import { describe, expect, it } from '@jest/globals';
import { type AccountId, type Demand, instant, type RequestId, tokenCount, type TokensUsed } from '@tollgate/core';
import { rateLimiterContract, WIDE_LIMITS } from '@tollgate/testkit';
import { limiterInMemory } from './test-support/limiter-in-memory.js';
import { ManualClock } from './manual-clock.js';
import { MemoryRateLimiter } from './memory-rate-limiter.js';

rateLimiterContract('memory', limiterInMemory);

const NOTHING_USED: TokensUsed = { day: tokenCount(0), month: tokenCount(0) };

function demandOf(account: number, tokensPerDay: number | null = null): Demand {
  return {
    accountId: `acct_${account}` as AccountId,
    requestId: 'req_1' as RequestId,
    limits: { ...WIDE_LIMITS, requestsPerMinute: 2, tokensPerDay: tokensPerDay === null ? null : tokenCount(tokensPerDay) },
    incident: null,
    kind: 'generation',
    tokens: tokenCount(10),
  };
}

describe('MemoryRateLimiter', () => {
  it('forgets accounts that were idle for two minutes, but not those with a running request', async () => {
    const clock = new ManualClock();
    const limiter = new MemoryRateLimiter({ clock, usage: { tokensUsed: () => Promise.resolve(NOTHING_USED) } });
    for (let account = 0; account < 1_000; account += 1) {
      const admission = await limiter.admit(demandOf(account));
      if (admission.admitted && account > 0) await limiter.release(admission.ticket, { kind: 'served', tokens: tokenCount(1) });
    }
    expect(limiter.rememberedEntries).toBeGreaterThanOrEqual(1_000);
    for (let minute = 0; minute < 2; minute += 1) {
      clock.advance(60_000);
      await limiter.admit(demandOf(5_000 + minute));
    }
    clock.advance(60_000);
    await limiter.admit(demandOf(6_000));
    expect(limiter.rememberedEntries).toBeLessThan(10);
    const limits = { ...demandOf(0).limits, concurrentRequests: 1 };
    expect(await limiter.admit({ ...demandOf(0), limits })).toMatchObject({ admitted: false, limit: 'concurrent-requests' });
  });

  it('reads an account’s usage once for many simultaneous first requests, and again on a new day', async () => {
    const clock = new ManualClock();
    let reads = 0;
    const usage = {
      tokensUsed: () => {
        reads += 1;
        return Promise.resolve(NOTHING_USED);
      },
    };
    const limiter = new MemoryRateLimiter({ clock, usage });
    await Promise.all(Array.from({ length: 20 }, () => limiter.admit(demandOf(1, 1_000))));
    expect(reads).toBe(1);
    clock.advance(30_000);
    await limiter.admit(demandOf(1, 1_000));
    expect(reads).toBe(1);
    clock.advance(86_400_000);
    await limiter.admit(demandOf(1, 1_000));
    expect(reads).toBe(2);
  });

  it('reads the usage of the new day if midnight passes while it reads that of the old day', async () => {
    const clock = new ManualClock(instant(Date.UTC(2026, 10, 18, 23, 59, 59, 999)));
    const answers: Array<(used: TokensUsed) => void> = [];
    const usage = { tokensUsed: () => new Promise<TokensUsed>((resolve) => { answers.push(resolve); }) };
    const limiter = new MemoryRateLimiter({ clock, usage });
    const waiting = limiter.admit(demandOf(1, 100));
    clock.advance(1);
    answers[0]?.({ day: tokenCount(100), month: tokenCount(100) });
    await clock.advanceAsync(0);
    answers[1]?.({ day: tokenCount(90), month: tokenCount(100) });
    expect(await waiting).toMatchObject({ admitted: true });
  });

  it('counts a request that ended while the account’s usage was being read', async () => {
    const clock = new ManualClock();
    let answer: ((used: TokensUsed) => void) | null = null;
    const usage = { tokensUsed: () => new Promise<TokensUsed>((resolve) => { answer = resolve; }) };
    const limiter = new MemoryRateLimiter({ clock, usage });
    const uncapped = await limiter.admit(demandOf(1));
    const waiting = limiter.admit(demandOf(1, 100));
    if (uncapped.admitted) await limiter.release(uncapped.ticket, { kind: 'served', tokens: tokenCount(95) });
    (answer as ((used: TokensUsed) => void) | null)?.(NOTHING_USED);
    expect(await waiting).toMatchObject({ admitted: false, limit: 'tokens-per-day' });
  });

  it('starts a new window after the clock was set back by more than a minute', async () => {
    const clock = new ManualClock();
    const limiter = new MemoryRateLimiter({ clock, usage: { tokensUsed: () => Promise.resolve(NOTHING_USED) } });
    for (let request = 0; request < 2; request += 1) await limiter.admit(demandOf(1));
    expect(await limiter.admit(demandOf(1))).toMatchObject({ admitted: false });
    clock.set(instant(clock.now() - 3_600_000));
    expect(await limiter.admit(demandOf(1))).toMatchObject({ admitted: true });
  });
});
