import { describe, expect, it } from '@jest/globals';
import { GOALS } from './goals.js';
import { HELP, readOptions } from './options.js';
import { added, linearityOf } from './scenarios/whole-requests.js';
import { type Measurement, type Pace, type Scenario, type ScenarioResult, Warmth } from './scenarios/scenario.js';
import { chooseScenarios } from './choose-scenarios.js';
import { growthOf, streamResults } from './scenarios/streams.js';

function chosenBy(...argv: readonly string[]): ReturnType<typeof chooseScenarios> {
  const reading = readOptions(argv);
  if (reading.outcome !== 'run') throw new Error('the options were refused');
  return chooseScenarios({ options: reading.options, context: { folder: '', upstreamPort: 0 }, root: '' });
}

describe('the choice of scenarios', () => {
  it('omits only the long scenarios, and includes them in a full run', () => {
    const usual = chosenBy().chosen.map(({ id }) => id);
    const full = chosenBy('--full').chosen.map(({ id }) => id);
    const quick = chosenBy('--quick').chosen.map(({ id }) => id);
    expect(full.filter((id) => !usual.includes(id))).toEqual(['usage', 'fresh', 'soak']);
    expect(quick).toEqual(usual);
  });

  it('accepts every name in the help, and reports unknown ones', () => {
    const names = /only these: (.*)/.exec(HELP)?.[1]?.split(', ') ?? [];
    expect(chosenBy('--only', names.join(','))).toMatchObject({ unknown: [] });
    expect(chosenBy('--full').chosen.map(({ id }) => id).toSorted()).toEqual(names.toSorted());
    expect(chosenBy('--only', 'small,smal').unknown).toEqual(['smal']);
  });

  it.each([['parsing', ['agent', 'large']], ['durable', ['latency']]] as const)('includes the pass-through “%s” only in %j', (id, expected) => {
    const secondsWith = (subjects: Pace['subjects'], scenario: Scenario): number => (
      scenario.expectedSeconds({ subjects, warmth: new Warmth(), rounds: 1, longRounds: 1, secondsFactor: 1 }));
    const takingPart = chosenBy('--full').chosen.filter((scenario) => secondsWith([{ id }], scenario) > secondsWith([], scenario));
    expect(takingPart.map((scenario) => scenario.id).toSorted()).toEqual(expected);
  });

  it('has a scenario for every goal', () => {
    const ids = chosenBy('--full').chosen.map(({ id }) => id);
    const measured = GOALS.flatMap(({ checks }) => checks.map(({ scenario }) => scenario));
    expect(measured.filter((scenario) => !ids.some((id) => scenario === id || scenario.startsWith(`${id}-`)))).toEqual([]);
  });
});

it('the overhead of a subject is its difference from the baseline of the same round', () => {
  const measured = (subject: Measurement['subject'], round: number, p50: number): Measurement => ({ subject, title: '', round, values: { p50 } });
  const measurements = [measured('direct', 1, 1), measured('tollgate', 1, 3), measured('direct', 2, 10), measured('tollgate', 2, 11)];
  expect(added(measurements).map(({ subject, values }) => [subject, values['p50']])).toEqual([['tollgate', 2], ['tollgate', 1]]);
});

it('the added time to the first token is reported only if the direct connection was measured too', () => {
  const shape = { streams: 1, events: 1, intervalMilliseconds: 1, seconds: 1 };
  const measured = (subject: Measurement['subject'], p50: number): Measurement => ({ subject, title: '', round: 1, values: { cpu: 5, p50 } });
  const told = (...subjects: readonly Measurement['subject'][]): unknown => streamResults(
    { id: 'streams', title: '', shape, subjects }, subjects.map((subject, position) => measured(subject, 10 + position)),
  ).map(({ id, measurements }) => [id, measurements.map(({ values }) => values[id === 'streams' ? 'cpu' : 'p50'])]);
  expect(told('express', 'tollgate')).toEqual([['streams', [5, 5]]]);
  expect(told('direct', 'express', 'tollgate')).toEqual([['streams', [5, 5, 5]], ['streams-first-token', [1, 2]]]);
});

describe('the growth of memory', () => {
  it.each<[string, readonly number[], number]>([
    ['zero if memory no longer grows, however much it grew before', [1, 50, 100, 100, 100, 100, 100, 100], 0],
    ['the difference between the last quarter and the second quarter', [1, 50, 100, 100, 110, 115, 120, 120], 20],
    ['zero without measurements', [], 0],
  ])('is %s', (_case, values, growth) => {
    expect(growthOf(values)).toBeCloseTo(growth);
  });
});

describe('the excess cost of 200 messages', () => {
  const costing = (messages: number, ...costs: readonly number[]): ScenarioResult => ({
    id: `messages-${messages}`, title: '', baseline: 'express', figures: [],
    measurements: costs.map((cpu, position) => ({ subject: 'tollgate', title: '', round: position + 1, values: { cpu } })),
  });
  const excessOf = (...results: readonly ScenarioResult[]): unknown => linearityOf(results).flatMap(({ measurements }) => measurements.map(({ values }) => values['excess']));

  it('is the ratio of the measured cost to the cost predicted from 10 to 100 messages in the same round', () => {
    // In the first round, a request costs 100 µs and each message 1 µs. In the second, 200 messages cost twice what that predicts.
    expect(excessOf(costing(10, 110, 110), costing(50, 150, 150), costing(100, 200, 200), costing(200, 300, 600))).toEqual([1, 2]);
  });

  it('is reported only if the costs that predict it were measured', () => {
    expect(excessOf(costing(10, 110), costing(200, 300))).toEqual([]);
  });
});
