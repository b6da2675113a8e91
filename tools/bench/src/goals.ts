import type { SubjectId } from './subjects/subject.js';
import { figureOf, ratioOf } from './report.js';
import type { ScenarioResult } from './scenarios/scenario.js';

export interface GoalCheck {
  /** What the report calls the check. */
  readonly text: string;
  readonly scenario: string;
  readonly figure: string;
  readonly subject: SubjectId;
  /** The limit applies to the ratio of the figure to that of this subject in the same rounds, or to the figure alone if `itself`. */
  readonly against: SubjectId | 'itself';
  readonly comparison: 'at most' | 'at least';
  readonly limit: number;
  /** Unit of the limit; empty for ratios. */
  readonly unit: string;
  /** What is attainable: the ratio to a pass-through that does part of the gateway's work. The report shows it, but does not judge by it. */
  readonly bound?: { readonly against: SubjectId; readonly limit: number };
}

export interface Goal {
  readonly number: number;
  readonly title: string;
  readonly checks: readonly GoalCheck[];
}

export interface CheckVerdict {
  readonly goal: number;
  readonly title: string;
  readonly check: GoalCheck;
  /** Median of the figure or ratio; `null` if not measured. */
  readonly reached: number | null;
  readonly verdict: 'met' | 'missed' | 'not measured';
  /** Distance from the limit as a share of the limit: 0.1 is a tenth. 0 if the goal is met or the limit is 0. */
  readonly missedBy: number;
  /** Ratio to the subject of `bound`; `null` without a bound, or if not measured. */
  readonly besideBound: number | null;
}

type Ratio = Pick<GoalCheck, 'scenario' | 'figure' | 'subject' | 'against'>;

function reachedIn(results: readonly ScenarioResult[], { scenario, figure, subject, against }: Ratio): number | null {
  const result = results.find(({ id }) => id === scenario);
  if (result === undefined) return null;
  const spread = against === 'itself' ? figureOf(result, subject, figure) : ratioOf(result, { figure, subject, to: against });
  return spread?.median ?? null;
}

function verdictOf(check: GoalCheck, reached: number | null): Pick<CheckVerdict, 'verdict' | 'missedBy'> {
  if (reached === null) return { verdict: 'not measured', missedBy: 0 };
  const excess = check.comparison === 'at most' ? reached - check.limit : check.limit - reached;
  if (excess <= 0) return { verdict: 'met', missedBy: 0 };
  return { verdict: 'missed', missedBy: check.limit === 0 ? 0 : excess / check.limit };
}

export function evaluateGoals(goals: readonly Goal[], results: readonly ScenarioResult[]): readonly CheckVerdict[] {
  return goals.flatMap(({ number, title, checks }) => checks.map((check) => {
    const reached = reachedIn(results, check);
    const besideBound = check.bound === undefined ? null : reachedIn(results, { ...check, against: check.bound.against });
    return { goal: number, title, check, reached, besideBound, ...verdictOf(check, reached) };
  }));
}

/**
 * Figures of commit 1e4dd089 from which the cost goals derive: the better of two runs of `npm run bench -- --peers --bounds` on two cores on
 * 2026-11-24 (docs/benchmarks.md).
 */
const REACHED = {
  small: 3.59,
  smallThroughput: 0.297,
  smallBesidePeer: 0.313,
  event: 1.48,
  agent: 4.09,
  firstTokenP50: 1.65,
  firstTokenP99: 8.95,
  latencyP50: 0.837,
  latencyP99: 5.24,
};

/** Multiple of its figure in `REACHED` that a request may cost. */
const REQUEST_ALLOWANCE = 1.08;
const EVENT_ALLOWANCE = 1.15;

function withAllowance(reached: number, allowance = REQUEST_ALLOWANCE): number {
  return Number((reached * allowance).toPrecision(3));
}

type Terms = Pick<GoalCheck, 'text' | 'scenario' | 'figure' | 'comparison' | 'limit'> & Pick<Partial<GoalCheck>, 'bound'>;

function ratioToExpress(terms: Terms): GoalCheck {
  return { ...terms, subject: 'tollgate', against: 'express', unit: '×' };
}

function itself(terms: Terms & { readonly unit: string }): GoalCheck {
  return { ...terms, subject: 'tollgate', against: 'itself' };
}

function besideFewRecords([figure, text]: readonly [figure: string, text: string], limit = 1.5): GoalCheck {
  const comparison = limit > 1 ? 'at most' : 'at least';
  return { text, scenario: 'usage', figure, comparison, limit, subject: 'tollgate-full', against: 'tollgate', unit: '×' };
}

const READINGS = [
  ['owner', 'page of an account'], ['operator', 'page of all accounts'], ['summary', 'summary of 30 days'], ['year', 'year by week and model'],
  ['totals', 'month of all accounts'], ['memory', 'memory of an export'],
] as const;

const REQUESTS: readonly Goal[] = [
  {
    number: 1,
    title: 'Whole request, small, embedded, durable',
    checks: [
      ratioToExpress({ text: 'CPU per request', scenario: 'small', figure: 'cpu', comparison: 'at most', limit: withAllowance(REACHED.small), bound: { against: 'express', limit: 2 } }),
      ratioToExpress({ text: 'throughput', scenario: 'small', figure: 'throughput', comparison: 'at least', limit: withAllowance(REACHED.smallThroughput, 1 / REQUEST_ALLOWANCE) }),
      {
        ...ratioToExpress({ text: 'CPU beside a gateway without billing', scenario: 'small', figure: 'cpu', comparison: 'at most', limit: withAllowance(REACHED.smallBesidePeer) }),
        against: 'portkey',
      },
    ],
  },
  {
    number: 2,
    title: 'Streamed, 100 streams',
    checks: [
      ratioToExpress({
        text: 'CPU per event', scenario: 'streams', figure: 'cpu', comparison: 'at most', limit: withAllowance(REACHED.event, EVENT_ALLOWANCE),
        bound: { against: 'node', limit: 1.4 },
      }),
      itself({ text: 'added time to first token, p50', scenario: 'streams-first-token', figure: 'p50', comparison: 'at most', limit: withAllowance(REACHED.firstTokenP50), unit: 'ms' }),
      itself({ text: 'added time to first token, p99', scenario: 'streams-first-token', figure: 'p99', comparison: 'at most', limit: withAllowance(REACHED.firstTokenP99), unit: 'ms' }),
    ],
  },
  {
    number: 3,
    title: '500 requests a second',
    checks: [
      itself({
        text: 'added latency, p50', scenario: 'latency-500', figure: 'p50', comparison: 'at most', limit: withAllowance(REACHED.latencyP50), unit: 'ms',
        bound: { against: 'durable', limit: 1.5 },
      }),
      itself({ text: 'added latency, p99', scenario: 'latency-500', figure: 'p99', comparison: 'at most', limit: withAllowance(REACHED.latencyP99), unit: 'ms' }),
    ],
  },
  {
    number: 4,
    title: 'Larger requests',
    checks: [
      ratioToExpress({
        text: 'CPU per request of 60 KB', scenario: 'agent', figure: 'cpu', comparison: 'at most', limit: withAllowance(REACHED.agent), bound: { against: 'parsing', limit: 1.4 },
      }),
      itself({ text: 'longest stall at 1.5 MB', scenario: 'large', figure: 'stall', comparison: 'at most', limit: 25, unit: 'ms' }),
    ],
  },
];

const OPERATION: readonly Goal[] = [
  {
    number: 5,
    title: '1,000 streams × 20 events/s for three minutes',
    checks: [
      itself({ text: 'broken streams', scenario: 'soak', figure: 'broken', comparison: 'at most', limit: 0, unit: '' }),
      itself({ text: 'loop delay p99', scenario: 'soak', figure: 'loop', comparison: 'at most', limit: 25, unit: 'ms' }),
      itself({ text: 'memory', scenario: 'soak', figure: 'memory', comparison: 'at most', limit: 350, unit: 'MiB' }),
      itself({ text: 'growth of memory in the second half', scenario: 'soak', figure: 'growth', comparison: 'at most', limit: 10, unit: '%' }),
    ],
  },
  {
    number: 6,
    title: 'PostgreSQL and Redis on this machine, one hot account',
    checks: [
      { ...ratioToExpress({ text: 'CPU per request', scenario: 'shared', figure: 'cpu', comparison: 'at most', limit: 3.3 }), subject: 'shared' },
      { ...itself({ text: 'throughput', scenario: 'shared', figure: 'throughput', comparison: 'at least', limit: 500, unit: '/s' }), subject: 'shared' },
    ],
  },
  {
    number: 7,
    title: 'Token estimator',
    checks: ['prose', 'code', 'chinese', 'letter', 'brackets'].map((figure) => (
      itself({ text: figure, scenario: 'estimator', figure, comparison: 'at least', limit: 150, unit: 'MB/s' }))),
  },
  {
    number: 8,
    title: 'Flat growth',
    checks: [
      { ...ratioToExpress({ text: 'CPU with a full database beside an empty one', scenario: 'growth', figure: 'cpu', comparison: 'at most', limit: 1.15 }), subject: 'tollgate-full', against: 'tollgate' },
      // The limit of 1.1 tolerates the tenth by which two figures of one round differ at random.
      itself({ text: '200 messages beside the linear cost', scenario: 'messages-linear', figure: 'excess', comparison: 'at most', limit: 1.1, unit: '×' }),
    ],
  },
  {
    number: 9,
    title: 'Start and idle memory',
    checks: [
      itself({ text: 'ready', scenario: 'start', figure: 'ready', comparison: 'at most', limit: 1500, unit: 'ms' }),
      itself({ text: 'idle memory', scenario: 'start', figure: 'idle', comparison: 'at most', limit: 120, unit: 'MiB' }),
    ],
  },
  {
    number: 10,
    title: '10 million usage records beside 100 thousand',
    checks: [
      ...READINGS.map((reading) => besideFewRecords(reading)),
      { ...itself({ text: 'longest block of the event loop by a summary', scenario: 'usage', figure: 'block', comparison: 'at most', limit: 20, unit: 'ms' }), subject: 'tollgate-full' },
      besideFewRecords(['exported', 'records exported in a second'], 0.67),
    ],
  },
  {
    number: 11,
    title: 'Responses beside chat completions',
    checks: [['formats-whole', 'whole request'], ['formats-event', 'event']].flatMap(([scenario = '', text = '']) => [
      itself({ text: `${text}, store: false`, scenario, figure: 'unkept', comparison: 'at most', limit: 1.1, unit: '×' }),
    ]),
  },
];

export const GOALS: readonly Goal[] = [...REQUESTS, ...OPERATION];
