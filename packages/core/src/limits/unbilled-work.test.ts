import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { SharedCount } from '../ports/rate-limiter.js';
import { BYTES_PER_UNIT, HEAVY_UNITS, MOST_NAMES, UnbilledWork } from './unbilled-work.js';

const LIMIT = 10;

let clock: ManualClock;
let work: UnbilledWork;

function limited(unitsPerMinute: number, add: ((name: string, units: number) => Promise<SharedCount>) | null = null): UnbilledWork {
  return new UnbilledWork({ clock, shared: add === null ? null : { add } }, { unitsPerMinute, message: 'Too much.' });
}

function use(times: number, name = 'alice'): void {
  for (let used = 0; used < times; used += 1) work.count(name);
}

beforeEach(() => {
  clock = new ManualClock();
  work = limited(LIMIT);
});

describe('work that is not billed', () => {
  it('is refused once the limit is used up, with when to come back, and no other name with it', () => {
    use(LIMIT);
    clock.advance(20_000);
    expect(() => work.ask('alice', 4)).toThrow(expect.objectContaining({
      code: 'rate_limit_exceeded', retryAfterSeconds: 40, window: { limit: LIMIT, resetSeconds: 40 }, message: 'Too much. No limit of a plan was touched.',
    }));
    use(1, 'bob');
    expect(work.names).toBe(2);
  });

  it('starts anew when the window of a minute is over', () => {
    use(LIMIT);
    clock.advance(59_999);
    expect(() => use(1)).toThrow('Too much.');
    clock.advance(1);
    use(LIMIT);
    expect(() => use(1)).toThrow('Too much.');
  });

  it('is none that was admitted', () => {
    for (let times = 0; times < 3 * LIMIT; times += 1) {
      const claim = work.ask('alice', 4);
      claim.take(10 * BYTES_PER_UNIT);
      claim.giveBack();
      claim.end();
    }
    use(LIMIT);
    expect(() => use(1)).toThrow('Too much.');
  });

  it('makes a client heavy beyond 60 units in a window, but for requests that are admitted', () => {
    work = limited(1_000);
    const admitted = work.ask('alice', 4);
    use(HEAVY_UNITS);
    expect(work.count('alice').isHeavy).toBe(true);
    expect([admitted.isHeavy, work.count('bob').isHeavy]).toEqual([true, false]);
    admitted.giveBack();
    admitted.end();
    expect(admitted.isHeavy).toBe(false);
    clock.advance(60_000);
    expect(work.count('alice').isHeavy).toBe(false);
  });

  it('counts a unit for each 64 KiB of a body', () => {
    const claim = work.ask('alice', 0);
    for (let chunk = 0; chunk < 8; chunk += 1) claim.take(BYTES_PER_UNIT);
    claim.check();
    claim.take(BYTES_PER_UNIT - 1);
    claim.end();
    use(1);
    expect(() => use(1)).toThrow('Too much.');
  });

  it('of a body is refused before it is parsed when it takes more than is left', () => {
    const claim = work.ask('alice', 4);
    claim.take((LIMIT - 1) * BYTES_PER_UNIT);
    claim.check();
    claim.take(BYTES_PER_UNIT);
    expect(() => claim.check()).toThrow('Too much.');
    claim.end();
    expect(() => use(1)).toThrow('Too much.');
  });

  it('may run beyond the limit by as many requests as a plan serves at once, which may yet be admitted', () => {
    const claims = Array.from({ length: LIMIT + 4 }, () => work.ask('alice', 4));
    expect(() => work.ask('alice', 4)).toThrow('Too much.');
    claims[0]?.giveBack();
    work.ask('alice', 4);
    for (const claim of claims) claim.end();
    expect(() => work.ask('alice', 4)).toThrow('Too much.');
  });

  it('that ends in a later window counts there', () => {
    const claim = work.ask('alice', 0);
    clock.advance(60_000);
    use(LIMIT - 2);
    claim.end();
    claim.end();
    use(1);
    expect(() => use(1)).toThrow('Too much.');
  });

  it('has no limit of 0', () => {
    work = limited(0);
    use(1000);
    expect(work.names).toBe(0);
  });
});

describe('names', () => {
  it('are forgotten when their window is over', () => {
    for (let name = 0; name < 100; name += 1) use(1, `name ${name}`);
    clock.advance(60_000);
    use(1);
    expect(work.names).toBe(1);
  });

  it('are at most so many at the same time; the oldest window is forgotten first', () => {
    use(LIMIT, 'oldest');
    use(LIMIT, 'second');
    for (let name = 0; name < MOST_NAMES - 1; name += 1) use(1, `name ${name}`);
    expect(work.names).toBe(MOST_NAMES);
    expect(() => use(1, 'second')).toThrow('Too much.');
    use(1, 'oldest');
  });
});

describe('several gateways', () => {
  const settled = (): Promise<void> => new Promise((resolve) => {
    setImmediate(resolve);
  });

  it('add up what each of them counts, and agree on when the window ends', async () => {
    const added: unknown[] = [];
    work = limited(LIMIT, (name, units) => {
      added.push([name, units]);
      return Promise.resolve({ total: LIMIT, endsInMilliseconds: 5000 });
    });
    work.ask('alice', 0).giveBack();
    use(1);
    await settled();
    expect(added).toEqual([['alice', 1]]);
    expect(() => use(1)).toThrow(expect.objectContaining({ retryAfterSeconds: 5 }));
    clock.advance(5000);
    use(1);
  });

  it('count alone while they cannot reach each other', async () => {
    work = limited(LIMIT, () => Promise.reject(new Error('away')));
    use(LIMIT);
    await settled();
    expect(() => use(1)).toThrow('Too much.');
  });
});
