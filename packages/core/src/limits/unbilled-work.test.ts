import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { SharedCount } from './shared-counter.js';
import { BYTES_PER_UNIT, HEAVY_UNITS, MAX_NAMES, type UnbilledBound, type UnbilledClaim, UnbilledWork } from './unbilled-work.js';

const LIMIT = 10;

let clock: ManualClock;
let work: UnbilledWork;
let unitsPerMinute: number;

function limited(add: ((name: string, units: number) => Promise<SharedCount>) | null = null): UnbilledWork {
  return new UnbilledWork({ clock, shared: add === null ? null : { add } }, 'Too much.');
}

function boundOf(name: string, times = 1): UnbilledBound {
  return { name, unitsPerMinute: unitsPerMinute * times, heavyUnits: HEAVY_UNITS * times };
}

function ask(name: string, atOnce = 0): UnbilledClaim {
  return work.ask([boundOf(name)], atOnce);
}

function count(name = 'alice'): UnbilledClaim {
  return work.count([boundOf(name)]);
}

function use(times: number, name = 'alice'): void {
  for (let used = 0; used < times; used += 1) count(name);
}

beforeEach(() => {
  clock = new ManualClock();
  work = limited();
  unitsPerMinute = LIMIT;
});

describe('unbilled work', () => {
  it('is refused at the limit of one client, with a retry delay, and still allowed for other clients', () => {
    use(LIMIT);
    clock.advance(20_000);
    expect(() => ask('alice', 4)).toThrow(expect.objectContaining({
      code: 'rate_limit_exceeded', retryAfterSeconds: 40, window: { limit: LIMIT, resetSeconds: 40 }, message: 'Too much. This does not count against the limits of a plan.',
    }));
    use(1, 'bob');
    expect(work.names).toBe(2);
  });

  it('is allowed again when the window of a minute is over', () => {
    use(LIMIT);
    clock.advance(59_999);
    expect(() => use(1)).toThrow('Too much.');
    clock.advance(1);
    use(LIMIT);
    expect(() => use(1)).toThrow('Too much.');
  });

  it('does not include admitted requests', () => {
    for (let times = 0; times < 3 * LIMIT; times += 1) {
      const claim = ask('alice', 4);
      claim.take(10 * BYTES_PER_UNIT);
      claim.giveBack();
      claim.end();
    }
    use(LIMIT);
    expect(() => use(1)).toThrow('Too much.');
  });

  it('above 60 units per window makes the client heavy; requests that return their units do not', () => {
    unitsPerMinute = 1_000;
    const admitted = ask('alice', 4);
    use(HEAVY_UNITS);
    expect(count().isHeavy).toBe(true);
    expect([admitted.isHeavy, count('bob').isHeavy]).toEqual([true, false]);
    admitted.giveBack();
    admitted.end();
    expect(admitted.isHeavy).toBe(false);
    clock.advance(60_000);
    expect(count().isHeavy).toBe(false);
  });

  it('costs one unit, and one more per 64 KiB of body', () => {
    const claim = ask('alice', 0);
    for (let chunk = 0; chunk < 8; chunk += 1) claim.take(BYTES_PER_UNIT);
    claim.check();
    claim.take(BYTES_PER_UNIT - 1);
    claim.end();
    use(1);
    expect(() => use(1)).toThrow('Too much.');
  });

  it('is refused once the received body exceeds the remaining units', () => {
    const claim = ask('alice', 4);
    claim.take((LIMIT - 1) * BYTES_PER_UNIT);
    claim.check();
    claim.take(BYTES_PER_UNIT);
    expect(() => claim.check()).toThrow('Too much.');
    claim.end();
    expect(() => use(1)).toThrow('Too much.');
  });

  it('is refused if more requests start at once than the limit plus the plan’s concurrency', () => {
    const claims = Array.from({ length: LIMIT + 4 }, () => ask('alice', 4));
    expect(() => ask('alice', 4)).toThrow('Too much.');
    claims[0]?.giveBack();
    ask('alice', 4);
    for (const claim of claims) claim.end();
    expect(() => ask('alice', 4)).toThrow('Too much.');
  });

  it('is counted once, in the window in which it ends', () => {
    const claim = ask('alice', 0);
    clock.advance(60_000);
    use(LIMIT - 2);
    claim.end();
    claim.end();
    use(1);
    expect(() => use(1)).toThrow('Too much.');
  });

  it('is unlimited if the limit is 0', () => {
    unitsPerMinute = 0;
    use(1000);
    expect(work.names).toBe(0);
  });
});

describe('a request that counts for several networks', () => {
  const NETWORKS = [boundsOf('a', 1), boundsOf('b', 1), boundsOf('c', 2)] as const;

  function boundsOf(name: string, part: number): () => readonly UnbilledBound[] {
    return () => [boundOf(`/64 ${name}`), boundOf(`/56 ${part}`, 2), boundOf('/48', 4)];
  }

  function sendUntilRefused(bounds: () => readonly UnbilledBound[]): number {
    for (let sent = 0; sent < 100 * LIMIT; sent += 1) {
      try {
        work.count(bounds());
      } catch {
        return sent;
      }
    }
    return Number.POSITIVE_INFINITY;
  }

  it('takes a unit from each network', () => {
    const [first, second, third] = NETWORKS;
    expect([sendUntilRefused(first), sendUntilRefused(second), sendUntilRefused(boundsOf('d', 1))]).toEqual([LIMIT, LIMIT, 0]);
    expect([sendUntilRefused(third), sendUntilRefused(boundsOf('e', 2)), sendUntilRefused(boundsOf('f', 3))]).toEqual([LIMIT, LIMIT, 0]);
  });

  it('takes no unit if one of the networks has none left', () => {
    const [first, second] = NETWORKS;
    sendUntilRefused(first);
    for (let sent = 0; sent < 3 * LIMIT; sent += 1) expect(() => work.count(first())).toThrow('Too much.');
    expect(sendUntilRefused(second)).toBe(LIMIT);
  });

  it('that is refused adds no network to the table, so that refused requests cannot fill it', () => {
    for (let part = 0; part < 4 * LIMIT; part += 1) work.count(boundsOf(`${part}`, part)());
    const names = work.names;
    for (let part = 0; part < 100; part += 1) expect(() => work.count(boundsOf(`other ${part}`, 1000 + part)())).toThrow('Too much.');
    expect(work.names).toBe(names);
  });

  it('that is refused states the limit and the reset of the network with the longest wait', () => {
    const [first] = NETWORKS;
    for (let sent = 0; sent < 3 * LIMIT; sent += 1) work.count(boundsOf(`earlier ${sent}`, 10 + sent)());
    clock.advance(20_000);
    expect(sendUntilRefused(first)).toBe(LIMIT);
    expect(() => work.count(first())).toThrow(expect.objectContaining({ window: { limit: LIMIT, resetSeconds: 60 } }));
    expect(() => work.count(boundsOf('another', 9)())).toThrow(expect.objectContaining({ window: { limit: 4 * LIMIT, resetSeconds: 40 } }));
  });

  it('counts as heavy if one of the networks exceeds its threshold', () => {
    unitsPerMinute = 1_000;
    const [first, second, third] = NETWORKS;
    for (let sent = 0; sent < HEAVY_UNITS; sent += 1) expect(work.count(first()).isHeavy).toBe(false);
    expect(work.count(first()).isHeavy).toBe(true);
    for (let sent = 0; sent < HEAVY_UNITS - 1; sent += 1) expect(work.count(second()).isHeavy).toBe(false);
    expect([work.count(second()).isHeavy, work.count(third()).isHeavy]).toEqual([true, false]);
  });
});

describe('the names of counted clients', () => {
  it('are dropped when their window expires', () => {
    for (let name = 0; name < 100; name += 1) use(1, `name ${name}`);
    clock.advance(60_000);
    use(1);
    expect(work.names).toBe(1);
  });

  it('are bounded in number; the one with the oldest window is dropped first', () => {
    use(LIMIT, 'oldest');
    use(LIMIT, 'second');
    for (let name = 0; name < MAX_NAMES - 1; name += 1) use(1, `name ${name}`);
    expect(work.names).toBe(MAX_NAMES);
    expect(() => use(1, 'second')).toThrow('Too much.');
    use(1, 'oldest');
  });

  it('begin a new window if another name of the same request displaced them', () => {
    use(1, 'oldest');
    for (let name = 0; name < MAX_NAMES - 1; name += 1) use(1, `name ${name}`);
    work.count([boundOf('new'), boundOf('oldest')]);
    use(LIMIT - 1, 'oldest');
    expect(() => use(1, 'oldest')).toThrow('Too much.');
  });
});

describe('several gateways', () => {
  const settled = (): Promise<void> => new Promise((resolve) => {
    setImmediate(resolve);
  });

  it('add up their counts and agree on the end of the window', async () => {
    const added: unknown[] = [];
    work = limited((name, units) => {
      added.push([name, units]);
      return Promise.resolve({ total: LIMIT, endsInMilliseconds: 5000 });
    });
    ask('alice', 0).giveBack();
    use(1);
    await settled();
    expect(added).toEqual([['alice', 1]]);
    expect(() => use(1)).toThrow(expect.objectContaining({ retryAfterSeconds: 5 }));
    clock.advance(5000);
    use(1);
  });

  it('count separately while the shared counter is unreachable', async () => {
    work = limited(() => Promise.reject(new Error('away')));
    use(LIMIT);
    await settled();
    expect(() => use(1)).toThrow('Too much.');
  });
});
