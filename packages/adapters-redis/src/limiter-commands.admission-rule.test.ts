import { beforeEach, expect, it } from '@jest/globals';
import {
  type AccountId, type AdmissionDecision, CALENDAR_LIFETIME_MILLISECONDS, type CalendarCounts, dayNumberOf, decideAdmission, type Demand,
  type Instant, instant, isWindowOpen, later, type LimitCounts, type MinuteCounts, type ModelSlug, NOTHING_COUNTED, type RequestId,
  tokenCount, type WindowCounts,
} from '@tollgate/core';
import * as fc from 'fast-check';
import type { RedisConnection } from './redis-connection.js';
import { redisFixture } from './test-support/redis-fixture.js';
import { commandKeys } from './limiter-keys.js';
import { type AdmitReply, type AskedDemand, decodeReading, defineLimiterCommands, demandArguments, seedArguments } from './limiter-commands.js';
import type { Seed } from './redis-rate-limiter.js';

const NOW = instant(20 * 86_400_000 + 3_600_000);
const TODAY = dayNumberOf(NOW);
const ACCOUNT = 'acct_1' as AccountId;

interface Slot {
  readonly tokens: number;
  readonly expiresAt: Instant;
}

interface Counter {
  readonly window: WindowCounts;
  readonly slots: readonly Slot[];
}

interface Calendar extends Pick<CalendarCounts, 'dayNumber' | 'day' | 'month'> {
  readonly seededAt: Instant;
}

/** Contents of Redis before a command. */
interface State {
  readonly plan: Counter;
  readonly incident: Counter;
  readonly calendar: Calendar | null;
}

interface Command {
  readonly state: State;
  readonly demands: readonly Demand[];
  readonly seed: Seed | null;
}

const few = fc.nat(4);
const tokens = fc.oneof(fc.constantFrom(0, 1, 10), fc.nat(40)).map(tokenCount);
const window: fc.Arbitrary<WindowCounts> = fc.oneof(
  fc.constant(NOTHING_COUNTED),
  fc.record({ startedAt: fc.constantFrom(0, -1, -30_000, -59_999, -60_000, 59_999, 60_000).map((milliseconds) => later(NOW, milliseconds)), requests: few, tokens }),
);
const slot: fc.Arbitrary<Slot> = fc.record({ tokens, expiresAt: fc.constantFrom(-1, 0, 1, 20_000).map((milliseconds) => later(NOW, milliseconds)) });
const counter: fc.Arbitrary<Counter> = fc.record({ window, slots: fc.array(slot, { maxLength: 3 }) });
const calendar: fc.Arbitrary<Calendar | null> = fc.option(fc.record({
  dayNumber: fc.constantFrom(TODAY, TODAY, TODAY, TODAY - 1), day: tokens, month: tokens,
  seededAt: fc.constantFrom(0, 9_999, 10_000, 299_999, 300_000, -9_999, -10_000).map((age) => later(NOW, -age)),
}));
/** A request limit that is often large, so that the other limits are reached too. */
const requestLimit = fc.oneof(fc.constant(100), fc.nat(6));
const tokenLimit = fc.oneof(fc.constant(tokenCount(1_000)), fc.nat(90).map(tokenCount));
const cap = fc.option(fc.nat(140).map(tokenCount));
const limits = fc.record({
  requestsPerMinute: requestLimit, tokensPerMinute: tokenLimit, concurrentRequests: requestLimit, maxContextTokens: fc.constant(tokenCount(1_000)), activeKeys: fc.constant(1),
  tokensPerDay: cap, tokensPerMonth: cap,
});
const incident = fc.record({
  model: fc.constant('small' as ModelSlug), setAt: fc.constant(instant(1)), expiresAt: fc.constant(null),
  requestsPerMinute: fc.option(requestLimit), tokensPerMinute: fc.option(tokenLimit), concurrentRequests: fc.option(requestLimit),
});
const demand: fc.Arbitrary<Demand> = fc.record({
  accountId: fc.constant(ACCOUNT), requestId: fc.constant('req_1' as RequestId), limits, incident: fc.option(incident),
  kind: fc.constantFrom<Demand['kind'][]>('generation', 'generation', 'generation', 'count'), tokens,
});
const seed: fc.Arbitrary<Seed | null> = fc.option(fc.record({
  dayNumber: fc.constantFrom(TODAY, TODAY, TODAY - 1), day: fc.nat(90), month: fc.nat(90), generation: fc.constant(''),
}));
const command: fc.Arbitrary<Command> = fc.record({ state: fc.record({ plan: counter, incident: counter, calendar }), demands: fc.array(demand, { minLength: 1, maxLength: 4 }), seed });

const redis = redisFixture();
let connection: RedisConnection;

beforeEach(async () => {
  connection = await redis.connect();
  defineLimiterCommands(connection);
});

async function write(counted: Counter, [windowKey, slotsKey]: readonly [string, string]): Promise<void> {
  const { startedAt, requests, tokens: used } = counted.window;
  await Promise.all([
    startedAt === null ? null : connection.hset(windowKey, { startedAt, requests, tokens: used }),
    ...counted.slots.map((held, index) => connection.zadd(slotsKey, held.expiresAt, `held-${index}:${held.tokens}`)),
  ]);
}

async function answersOf({ state, demands, seed: known }: Command): Promise<readonly AdmitReply[]> {
  const anyIncident = demands.find((one) => one.incident !== null)?.incident ?? null;
  const keys = commandKeys({ prefix: redis.prefix(), accountId: ACCOUNT }, [anyIncident]);
  const [planWindow = '', planSlots = '', caps = '', incidentWindow, incidentSlots] = keys.all;
  await write(state.plan, [planWindow, planSlots]);
  if (incidentWindow !== undefined && incidentSlots !== undefined) await write(state.incident, [incidentWindow, incidentSlots]);
  if (state.calendar !== null) await connection.hset(caps, { ...state.calendar });
  const asked = demands.map((one, index): AskedDemand => ({ demand: one, member: `asked-${index}:${one.tokens}` }));
  return connection.tollgateAdmit(keys.all.length, ...keys.all, NOW, ...seedArguments(known), ...demandArguments(asked, keys));
}

function minuteCounts({ window: counted, slots }: Counter): MinuteCounts {
  return { window: counted, slots: slots.filter(({ expiresAt }) => expiresAt > NOW).length };
}

function countsOf({ plan, incident: ofModel, calendar: known }: State): LimitCounts {
  const inForce = plan.slots.filter(({ expiresAt }) => expiresAt > NOW);
  return {
    plan: minuteCounts(plan), incident: minuteCounts(ofModel), tokensInFlight: inForce.reduce((sum, held) => sum + held.tokens, 0),
    calendar: known === null ? null : { ...known, ageMilliseconds: Math.abs(NOW - known.seededAt) },
  };
}

function withRequest({ window: counted, slots }: Counter, one: Demand): Counter {
  const open = isWindowOpen(counted, NOW) ? counted : { startedAt: NOW, requests: 0, tokens: 0 };
  if (one.kind === 'count') return { window: { ...open, requests: open.requests + 1 }, slots };
  return { window: { ...open, requests: open.requests + 1, tokens: open.tokens + one.tokens }, slots: [...slots, { tokens: one.tokens, expiresAt: later(NOW, 1) }] };
}

function isUsable(known: Calendar | null): boolean {
  return known !== null && known.dayNumber === TODAY && Math.abs(NOW - known.seededAt) < CALENDAR_LIFETIME_MILLISECONDS;
}

function statusOf(decision: AdmissionDecision): string {
  switch (decision.decision) {
    case 'admit': return 'admitted';
    case 'read-calendar': return 'unseeded';
    case 'refuse': return `${decision.exceeded.owner === 'incident' ? 'incident:' : ''}${decision.exceeded.limit}`;
  }
}

/** Applies the decisions of the core one after another. Returns them with the resulting counts. */
function decided({ state: first, demands, seed: known }: Command): readonly (readonly [status: string, used: number, plan: WindowCounts, incident: WindowCounts])[] {
  let state = first;
  return demands.map((one) => {
    let decision = decideAdmission(one, countsOf(state), NOW);
    if (decision.decision === 'read-calendar' && !isUsable(state.calendar) && known?.dayNumber === TODAY) {
      state = { ...state, calendar: { dayNumber: TODAY, day: known.day, month: known.month, seededAt: NOW } };
      decision = decideAdmission(one, countsOf(state), NOW);
    }
    if (decision.decision === 'read-calendar') state = { ...state, calendar: null };
    if (decision.decision === 'admit') {
      const counts = one.incident !== null && one.kind === 'generation';
      state = { ...state, plan: withRequest(state.plan, one), incident: counts ? withRequest(state.incident, one) : state.incident };
    }
    const shown = (counted: Counter): WindowCounts => (isWindowOpen(counted.window, NOW) ? counted.window : NOTHING_COUNTED);
    return [statusOf(decision), decision.decision === 'refuse' ? decision.exceeded.used : -1, shown(state.plan), one.incident === null ? NOTHING_COUNTED : shown(state.incident)];
  });
}

it('the script in Redis decides and counts as the core does, for all generated counts and demands', async () => {
  const seen = new Set<string>();
  await fc.assert(fc.asyncProperty(command, async (asked) => {
    const expected = decided(asked);
    for (const [status] of expected) seen.add(status);
    const answers = await answersOf(asked);
    expect(answers.map((reply) => {
      const { plan, incident: ofModel } = decodeReading(reply);
      return [reply[0], reply[9], plan, ofModel];
    })).toEqual(expected);
  }), { numRuns: 2_000 });
  expect([...seen].toSorted()).toEqual([
    'admitted', 'concurrent-requests', 'incident:concurrent-requests', 'incident:requests-per-minute', 'incident:tokens-per-minute', 'requests-per-minute', 'tokens-per-day',
    'tokens-per-minute', 'tokens-per-month', 'unseeded',
  ]);
});
