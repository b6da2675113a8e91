import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountId } from '@tollgate/core';
import { ManualClock } from '@tollgate/adapters-memory';
import { BodyBudget } from './body-budget.js';
import type { BodyHolder } from './body-holders.js';
import type { BodyRoom, BodyUpload } from './body-upload.js';
import { MAX_WAITING, MAX_WAITING_OF_HOLDER, MAX_WAITING_UNFUNDED } from './waiting-requests.js';

const KIBIBYTE = 1_024;
const MEBIBYTE = 1_048_576;
const LARGEST = 2 * MEBIBYTE;

let clock: ManualClock;
let funded: Set<string>;
let asked: string[];
let cut: number;
let refused: string[];
let budget: BodyBudget;

/** Balances of accounts in `funded` are known; those of others need a read. */
function budgetOf(bytes: number): BodyBudget {
  return new BodyBudget(bytes, {
    clock,
    funds: {
      known: (id) => (funded.has(id) ? true : null),
      ask: (id, answered) => {
        asked.push(id);
        answered(id.startsWith('rich'));
      },
    },
    report: { refusedBody: (bound) => void refused.push(bound), cutUpload: () => void (cut += 1) },
  });
}

beforeEach(() => {
  clock = new ManualClock();
  [funded, asked, refused, cut] = [new Set(), [], [], 0];
  budget = budgetOf(8 * MEBIBYTE);
});

function account(name: string): BodyHolder {
  return { accountId: name as AccountId };
}

function take(name: string, bytes = LARGEST, signal = new AbortController().signal): BodyRoom | Promise<BodyRoom> {
  return budget.take({ holder: account(name), bytes, signal });
}

/** Begins an upload for which there must be room. */
function begin(name: string, declaredBytes: number | null = LARGEST): BodyUpload {
  const upload = budget.begin({ holder: account(name), declaredBytes, signal: new AbortController().signal });
  if (upload instanceof Promise) throw new Error('the test leaves room for a first byte');
  return upload;
}

/** An upload, possibly waiting. */
class Arrival {
  /** `null` while it waits for room for its first byte. */
  upload: BodyUpload | null = null;
  /** `null` if there is room. */
  room: Promise<void> | null = null;
  /** Error code and `Retry-After` seconds with which the upload was cut off; `null` if it was not. */
  ended: string | null = null;

  constructor(holder: BodyHolder, bytes: number, declaredBytes: number | null) {
    const begun = budget.begin({ holder, declaredBytes, signal: new AbortController().signal });
    this.room = begun instanceof Promise ? begun.then(async (upload) => this.#take(upload, bytes)?.then()) : this.#take(begun, bytes);
    this.room?.catch(() => undefined);
  }

  get hasEnded(): boolean {
    return this.upload?.isOpen === false;
  }

  /** More bytes arrive, unless the upload waits; a complete body returns its room. */
  goOn(bytes: number): void {
    const { upload } = this;
    if (upload === null || this.isWaiting || this.hasEnded) return;
    if (upload.arrivedBytes < LARGEST) upload.arrived(Math.min(bytes, LARGEST - upload.arrivedBytes))?.catch(() => undefined);
    else upload.giveBack();
  }

  get isWaiting(): boolean {
    return this.upload === null || this.upload.waiting !== null;
  }

  #take(upload: BodyUpload, bytes: number): Promise<void> | null {
    this.upload = upload;
    upload.watch(({ code, retryAfterSeconds }) => {
      this.ended = `${code} ${retryAfterSeconds}`;
    });
    return upload.arrived(bytes);
  }
}

function arrive(holder: BodyHolder | string, bytes: number, declaredBytes: number | null = LARGEST): Arrival {
  return new Arrival(typeof holder === 'string' ? account(holder) : holder, bytes, declaredBytes);
}

async function stateOf(demand: unknown): Promise<string> {
  const waits = new Promise<string>((resolve) => {
    setImmediate(() => resolve('waits'));
  });
  return Promise.race([Promise.resolve(demand).then(() => 'has room', (error: { code: string }) => error.code), waits]);
}

async function fill(name: string, times: number): Promise<readonly BodyRoom[]> {
  return Promise.all(Array.from({ length: times }, async () => take(name)));
}

describe('the room for bodies of one account', () => {
  it.each([[64, 8], [8, 4], [32, 4], [40, 5], [4, 4]])('in a gateway with %i MiB of room is %i MiB', (process, bytes) => {
    expect(budgetOf(process * MEBIBYTE).accountBytes).toBe(bytes * MEBIBYTE);
  });

  it('when full, refuses another body after a second, while other accounts are served immediately', async () => {
    await fill('alice', 2);
    const more = take('alice', 1);
    expect(await stateOf(take('bob'))).toBe('has room');
    clock.advance(999);
    expect(await stateOf(more)).toBe('waits');
    clock.advance(1);
    await expect(more).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 1, message: expect.stringContaining('limits of your plan') });
    expect(refused).toEqual(['account']);
  });

  it('is given to a waiting body as soon as another body returns it', async () => {
    const [first] = await fill('alice', 2);
    const more = take('alice');
    first?.giveBack();
    expect(await stateOf(more)).toBe('has room');
    expect(budget.used.large).toBe(2 * LARGEST);
  });

  it('when full, refuses another body at once if the maximum number of bodies is already waiting', async () => {
    await fill('alice', 2);
    const waiting = Array.from({ length: MAX_WAITING_OF_HOLDER }, async () => take('alice', 1));
    expect(() => take('alice', 1)).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
    expect(await stateOf(take('bob'))).toBe('has room');
    clock.advance(1000);
    await Promise.allSettled(waiting);
    expect(budget.waiting).toBe(0);
  });

  it('when full, does not delay small bodies, which have a separate room', async () => {
    await fill('alice', 2);
    expect(arrive('alice', 60_000, 60_000).room).toBe(null);
  });

  it('is enough for 20 bodies that arrive together: all are served in turn, none is refused', async () => {
    const arrivals = Array.from({ length: 20 }, () => arrive('rich', 200 * KIBIBYTE));
    for (let turns = 0; turns < 1000 && arrivals.some(({ hasEnded }) => !hasEnded); turns += 1) {
      for (const arrival of arrivals) arrival.goOn(100 * KIBIBYTE);
      await stateOf(null);
    }
    expect([arrivals.filter(({ hasEnded }) => hasEnded).length, refused, budget.used]).toEqual([20, [], { small: 0, large: 0, arriving: 0 }]);
  });
});

describe('the room for bodies of all accounts', () => {
  beforeEach(async () => {
    funded.add('alice').add('bob');
    await fill('alice', 2);
    await fill('bob', 2);
  });

  it('when full, refuses another body after a second', async () => {
    const more = take('carol', 1);
    expect(budget.isFull).toBe(false);
    clock.advance(1000);
    await expect(more).rejects.toMatchObject({ code: 'server_busy', retryAfterSeconds: 1 });
    expect([budget.waiting, budget.isFull, refused]).toEqual([0, true, ['gateway']]);
    clock.advance(10_000);
    expect(budget.isFull).toBe(false);
  });

  it('when full, lets a limited number of bodies wait, and keeps some of the places for funded accounts', async () => {
    const waiting = Array.from({ length: MAX_WAITING_UNFUNDED }, async (_, index) => take(`poor ${index}`, 1));
    await expect(take('poor', 1)).rejects.toMatchObject({ code: 'server_busy' });
    expect(await stateOf(take('rich but unread', 1))).toBe('waits');
    for (let more = MAX_WAITING_UNFUNDED + 1; more < MAX_WAITING; more += 1) {
      funded.add(`rich ${more}`);
      waiting.push(Promise.resolve(take(`rich ${more}`, 1)));
    }
    funded.add('rich');
    expect(() => take('rich', 1)).toThrow(expect.objectContaining({ code: 'server_busy' }));
    clock.advance(1000);
    await Promise.allSettled(waiting);
  });
});

it('a body larger than its account’s whole room is admitted if the account has no other body', async () => {
  expect(await stateOf(take('alice', 9 * MEBIBYTE))).toBe('has room');
  expect(await stateOf(take('alice', 1))).toBe('waits');
  clock.advance(1000);
});

describe('a body', () => {
  it('takes room for the received bytes, and for its full length once half of it has arrived', () => {
    const upload = begin('alice', MEBIBYTE);
    expect(budget.used).toEqual({ small: 0, large: 1, arriving: 1 });
    void upload.arrived(MEBIBYTE / 2 - 1);
    expect(budget.used).toEqual({ small: 0, large: MEBIBYTE / 2 - 1, arriving: MEBIBYTE / 2 - 1 });
    void upload.arrived(1);
    expect(budget.used).toEqual({ small: 0, large: MEBIBYTE, arriving: 0 });
    upload.giveBack();
    expect(budget.used).toEqual({ small: 0, large: 0, arriving: 0 });
  });

  it('of at most 64 KiB takes room for the received bytes, in a separate pool', () => {
    const upload = begin('alice', 65_536);
    void upload.arrived(60_000);
    expect(budget.used).toEqual({ small: 60_000, large: 0, arriving: 0 });
  });

  it('of undeclared length takes room for the largest body once it exceeds 64 KiB', () => {
    const upload = begin('alice', null);
    void upload.arrived(65_536);
    expect(budget.used).toEqual({ small: 65_536, large: 0, arriving: 0 });
    void upload.arrived(1);
    expect(budget.used).toEqual({ small: 0, large: LARGEST, arriving: 0 });
  });

  it('shares half of the gateway’s room with other bodies until half of it has arrived', () => {
    budget = budgetOf(64 * MEBIBYTE);
    const rich = Array.from({ length: 40 }, (_, index) => `rich ${index}`);
    for (const name of rich) funded.add(name);
    const rooms = rich.map((name) => arrive(name, MEBIBYTE - 1).room);
    expect(rooms.filter((room) => room === null).length).toBe(31);
    expect(budget.used.arriving).toBeLessThanOrEqual(32 * MEBIBYTE);
    expect(arrive('rich 0', MEBIBYTE, MEBIBYTE).room).toBe(null);
  });
});

describe('clients without a balance', () => {
  it('leave a quarter of the room to funded accounts', async () => {
    await fill('alice', 2);
    await fill('bob', 1);
    expect(await stateOf(take('carol'))).toBe('waits');
    expect(asked).toContain('carol');
    expect(await stateOf(take('rich'))).toBe('has room');
    clock.advance(1000);
  });

  it('fill at most three quarters of the room for small bodies, even if they come from many networks', async () => {
    const rooms = Array.from({ length: 200 }, (_, index) => arrive({ address: `2001:db8:${index.toString(16)}::1` }, 65_535, 65_536).room);
    expect(rooms.filter((room) => room === null).length).toBe(95);
    expect(await stateOf(arrive('rich', 65_536, 65_536).room)).toBe('has room');
    clock.advance(1000);
  });

  it('are limited by their IPv6 networks: per /64, per /56 and per /48', () => {
    budget = budgetOf(64 * MEBIBYTE);
    const arrivedFrom = (address: string): number => {
      for (let count = 0; ; count += 1) if (arrive({ address }, 65_535, 65_536).isWaiting) return count;
    };
    const arrived = (addresses: readonly string[]): number => addresses.map(arrivedFrom).reduce((sum, count) => sum + count);
    expect(arrived(['2001:db8::1'])).toBe(127);
    expect(arrived(['2001:db8:0:1::1', '2001:db8:0:2::1'])).toBe(128);
    expect(arrived(['2001:db8:0:100::1', '2001:db8:0:200::1', '2001:db8:0:300::1'])).toBe(256);
    clock.advance(1000);
  });

  it('still count towards their /48 after the first client of that network has returned its room', async () => {
    budget = budgetOf(64 * MEBIBYTE);
    const load = (subnet: string, bytes: number): BodyRoom | Promise<BodyRoom> =>
      budget.take({ holder: { address: `2001:db8:0:${subnet}::1` }, bytes, signal: new AbortController().signal });
    const first = await load('1', 1);
    for (const subnet of ['100', '200', '300']) await load(subnet, 8 * MEBIBYTE);
    first.giveBack();
    expect(await stateOf(load('400', 8 * MEBIBYTE))).toBe('has room');
    expect(await stateOf(load('500', 1))).toBe('waits');
  });
});

describe('the gateway, when there is no room after a second,', () => {
  /** Fills the share of clients without a balance with small bodies. */
  function fillSmall(holders: readonly BodyHolder[]): readonly Arrival[] {
    const arrivals: Arrival[] = [];
    for (let number = 0; ; number += 1) {
      const arrival = arrive(holders[number % holders.length] ?? account('alice'), 60_000, 65_536);
      if (arrival.room !== null) {
        arrival.upload?.giveBack();
        return arrivals;
      }
      arrivals.push(arrival);
    }
  }

  const networks = Array.from({ length: 16 }, (_, index) => ({ address: `192.0.2.${index}` }));

  it('cuts off uploads older than five seconds, the slowest first, and spares younger ones', async () => {
    const [slow, ...others] = fillSmall(networks);
    for (const { upload } of others) void upload?.arrived(100);
    clock.advance(1000);
    await stateOf(null);
    const young = arrive({ address: '192.0.2.99' }, 60_000, 65_536);
    clock.advance(1000);
    await expect(young.room).rejects.toMatchObject({ code: 'server_busy' });
    clock.advance(2001);
    const more = arrive({ address: '192.0.2.98' }, 60_000, 65_536);
    clock.advance(1000);
    expect(await stateOf(more.room)).toBe('has room');
    expect([slow?.ended, others.filter(({ ended }) => ended !== null).length, cut]).toEqual(['invalid_request 1', 0, 1]);
  });

  it("cuts off uploads of strangers before those of unfunded accounts", async () => {
    const arrivals = fillSmall([account('poor one'), account('poor two'), ...networks]);
    clock.advance(4500);
    const rooms = Array.from({ length: 3 }, () => arrive('poor three', 60_000, 65_536).room);
    clock.advance(1000);
    expect(await Promise.all(rooms.map(stateOf))).toEqual(['has room', 'has room', 'has room']);
    const ended = arrivals.filter(({ ended: end }) => end !== null).map(({ upload }) => upload?.holder.standing);
    expect(ended).toEqual(ended.map(() => 'stranger'));
    expect(cut).toBe(ended.length);
  });

  it('cuts off funded accounts’ uploads only for another funded account, those of the largest holder first', async () => {
    budget = budgetOf(64 * MEBIBYTE);
    for (let number = 0; number < 12; number += 1) funded.add(`rich ${number}`);
    const most = Array.from({ length: 4 }, () => arrive('rich 0', MEBIBYTE));
    for (let number = 1; number < 11; number += 1) for (let times = 0; times < (number < 10 ? 3 : 1); times += 1) arrive(`rich ${number}`, MEBIBYTE);
    clock.advance(4500);
    const poor = arrive({ address: '192.0.2.1' }, 100_000, 1_000_000);
    const rich = arrive('rich 11', MEBIBYTE);
    clock.advance(1000);
    await expect(poor.room).rejects.toMatchObject({ code: 'server_busy' });
    expect(await stateOf(rich.room)).toBe('has room');
    expect([most.filter(({ ended }) => ended !== null).length, cut]).toEqual([1, 1]);
  });

  it('never cuts off a fully received body', async () => {
    const arrivals = fillSmall(networks);
    for (const { upload } of arrivals) upload?.finish();
    clock.advance(5000);
    arrive({ address: '192.0.2.99' }, 60_000, 65_536);
    const more = arrive({ address: '192.0.2.98' }, 60_000, 65_536);
    clock.advance(1000);
    await expect(more.room).rejects.toMatchObject({ code: 'server_busy' });
    expect(cut).toBe(0);
  });

  it('cuts off at most a hundred uploads at once, however many requests and uploads there are', async () => {
    budget = budgetOf(64 * MEBIBYTE);
    for (let number = 0; number < 10_000; number += 1) arrive({ address: `10.0.${number >> 8}.${number & 255}` }, 4_900 + (number % 100), 65_536);
    clock.advance(4500);
    const waiting = Array.from({ length: 100 }, (_, index) => arrive(`poor ${index}`, 60_000, 65_536).room);
    clock.advance(1000);
    expect(cut).toBe(100);
    const states = await Promise.all(waiting.map(stateOf));
    expect([states.indexOf('server_busy') > 7, new Set(states)]).toEqual([true, new Set(['has room', 'server_busy'])]);
    const more = arrive('poor', 60_000, 65_536);
    clock.advance(1000);
    expect([await stateOf(more.room), cut > 100]).toEqual(['has room', true]);
  });
});

describe('waiting requests', () => {
  it('are served in order of arrival, so that a later small body does not overtake a large one', async () => {
    funded.add('alice').add('bob').add('carol').add('dave');
    const [first] = await fill('alice', 2);
    const [second] = await fill('bob', 2);
    const [large, small] = [take('carol'), take('dave', 1)];
    first?.giveBack();
    expect([await stateOf(large), await stateOf(small)]).toEqual(['has room', 'waits']);
    second?.giveBack();
    expect(await stateOf(small)).toBe('has room');
  });

  it('are overtaken by those of other accounts while their own account has no room', async () => {
    for (const name of ['alice', 'bob', 'carol', 'dave']) funded.add(name);
    await fill('alice', 2);
    const waiting = take('alice');
    const flood = Array.from({ length: 19 }, async () => take('alice'));
    const [first] = await fill('bob', 2);
    const [carol, dave] = [take('carol'), take('dave')];
    first?.giveBack();
    expect([await stateOf(carol), await stateOf(dave), await stateOf(waiting)]).toEqual(['has room', 'waits', 'waits']);
    clock.advance(1000);
    await Promise.allSettled([...flood, Promise.resolve(waiting), Promise.resolve(dave)]);
  });

  it('let the next one in line proceed when they time out', async () => {
    for (const name of ['alice', 'bob', 'carol', 'dave']) funded.add(name);
    await fill('alice', 2);
    await fill('bob', 1);
    await take('bob', LARGEST - 1);
    const large = take('carol');
    clock.advance(500);
    const small = take('dave', 1);
    expect(await stateOf(small)).toBe('waits');
    clock.advance(500);
    await expect(large).rejects.toMatchObject({ code: 'server_busy' });
    expect(await stateOf(small)).toBe('has room');
  });

  it('lose their place when the client disconnects', async () => {
    await fill('alice', 2);
    const client = new AbortController();
    const left = take('alice', 1, client.signal);
    client.abort('left');
    await expect(left).rejects.toThrow('too many large requests');
    expect([budget.waiting, clock.pendingTasks]).toEqual([0, 0]);
  });
});

it('room that is returned twice counts once', async () => {
  const [room] = await fill('alice', 1);
  room?.giveBack();
  room?.giveBack();
  expect(budget.used.large).toBe(0);
});
