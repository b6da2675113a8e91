import { Agent, request } from 'node:http';
import type { Goal } from './goal.js';
import type { Check, CheckSection } from './check.js';

interface DashboardAnswer {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const NANOSECONDS_PER_MILLISECOND = 1_000_000;

/** An address of the network for tests, 198.18.0.0/15 (RFC 2544). */
function clientAddress(number: number): string {
  return `198.18.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`;
}

/** Headers of a request that a page sends through a proxy. */
function pageHeaders(port: number, address: string): Readonly<Record<string, string>> {
  return { 'host': `localhost:${port}`, 'origin': `http://localhost:${port}`, 'content-type': 'application/json', 'x-forwarded-for': address };
}

/** Sends a POST on a connection of its own; measures the time until the reply is complete. */
function post(port: number, path: string, { address, body }: { readonly address: string; readonly body: object }): Promise<DashboardAnswer> {
  const text = JSON.stringify(body);
  const startedAt = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    const headers = { ...pageHeaders(port, address), 'content-length': String(Buffer.byteLength(text)) };
    const req = request({ agent, host: '127.0.0.1', port, method: 'POST', path: `/dashboard/api${path}`, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject).on('end', () => resolve({
        status: res.statusCode ?? 0,
        text: Buffer.concat(chunks).toString().replaceAll(/"req_[^"]+"/g, '"req_…"'),
        milliseconds: Number(process.hrtime.bigint() - startedAt) / NANOSECONDS_PER_MILLISECOND,
      }));
    });
    req.on('error', reject).end(text);
  });
}

interface Ranked {
  readonly value: number;
  readonly isFirst: boolean;
}

/** The error function by Abramowitz and Stegun 7.1.26, accurate to 1.5e-7. */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return 1 - series * Math.exp(-x * x);
}

/** Sum of the ranks of the first sample, and the correction of the variance for ties. Equal values share their mean rank. */
function rankSum(values: readonly Ranked[]): { readonly sum: number; readonly ties: number } {
  const sorted = values.toSorted((one, other) => one.value - other.value);
  let [sum, ties] = [0, 0];
  for (let start = 0; start < sorted.length;) {
    let end = start;
    while (end < sorted.length && sorted[end]?.value === sorted[start]?.value) end += 1;
    const count = end - start;
    const meanRank = (start + 1 + end) / 2;
    sum += meanRank * sorted.slice(start, end).filter(({ isFirst }) => isFirst).length;
    ties += count ** 3 - count;
    start = end;
  }
  return { sum, ties };
}

/** Two-sided p value of the Mann-Whitney test, by the normal approximation with correction for ties. The samples must have twenty values or more. */
export function rankTest(first: readonly number[], second: readonly number[]): number {
  const [n, m] = [first.length, second.length];
  const all = n + m;
  const { sum, ties } = rankSum([...first.map((value) => ({ value, isFirst: true })), ...second.map((value) => ({ value, isFirst: false }))]);
  const u = sum - (n * (n + 1)) / 2;
  const variance = ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)));
  if (variance === 0) return 1;
  const distance = Math.max(Math.abs(u - (n * m) / 2) - 0.5, 0) / Math.sqrt(variance);
  return 1 - errorFunction(distance / Math.SQRT2);
}

interface TimesReport {
  readonly route: string;
  readonly tries: number;
  readonly knownMedianMilliseconds: number;
  readonly unknownMedianMilliseconds: number;
  /** Two-sided p value of the hypothesis that both samples have the same distribution. */
  readonly p: number;
  /** Statuses and texts of all replies, without their request ids. */
  readonly answers: readonly string[];
}

interface Route {
  readonly path: string;
  readonly body: (email: string) => object;
}

const TRIES = 200;
const WARM_UP = 20;
const PASSWORD = 'correct horse battery';

const ROUTES: readonly Route[] = [
  { path: '/auth/sign-in', body: (email) => ({ email, password: 'wrong horse battery' }) },
  { path: '/auth/sign-up', body: (email) => ({ email, name: 'Ann Example', password: PASSWORD }) },
  { path: '/auth/reset-request', body: (email) => ({ email }) },
];

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

function knownAddress(number: number): string {
  return `known-${number}@example.com`;
}

/** Sends known and unknown addresses in turn, each from a client of its own, so that no limit makes a difference. */
async function compareRoute(port: number, { path, body }: Route, client: () => string): Promise<TimesReport> {
  const ask = (email: string): Promise<DashboardAnswer> => post(port, path, { address: client(), body: body(email) });
  const [known, unknown]: [DashboardAnswer[], DashboardAnswer[]] = [[], []];
  for (let attempt = -WARM_UP; attempt < TRIES; attempt += 1) {
    const pair = [[known, knownAddress(Math.abs(attempt))], [unknown, `unknown${path.replaceAll('/', '-')}${attempt}@example.com`]] as const;
    for (const [answers, email] of attempt % 2 === 0 ? pair : pair.toReversed()) {
      answers.push(await ask(email));
    }
  }
  for (const answers of [known, unknown]) answers.splice(0, WARM_UP);
  const [knownTimes, unknownTimes] = [known, unknown].map((answers) => answers.map(({ milliseconds }) => milliseconds)) as [number[], number[]];
  return {
    route: path, tries: TRIES, knownMedianMilliseconds: medianOf(knownTimes), unknownMedianMilliseconds: medianOf(unknownTimes),
    p: rankTest(knownTimes, unknownTimes), answers: [...new Set([...known, ...unknown].map(({ status, text }) => `${status} ${text}`))],
  };
}

async function compareTimes(port: number): Promise<readonly TimesReport[]> {
  let clients = 0;
  const client = (): string => clientAddress(clients++);
  for (let person = 0; person < TRIES; person += 1) {
    const { status, text } = await post(port, '/auth/sign-up', { address: client(), body: { email: knownAddress(person), name: 'Ann Example', password: PASSWORD } });
    if (status >= 300) throw new Error(`a sign-up returned ${status}: ${text}`);
  }
  const reports: TimesReport[] = [];
  for (const route of ROUTES) reports.push(await compareRoute(port, route, client));
  return reports;
}

const MAX_APART_MILLISECONDS = 10;
const MIN_P = 0.01;

function timesGoalsOf({ knownMedianMilliseconds: known, unknownMedianMilliseconds: unknown, p, answers }: TimesReport): readonly Goal[] {
  return [
    { what: 'one answer for all', reached: answers.length === 1 ? 'yes' : answers.join(' | '), isMet: answers.length === 1 },
    {
      what: `medians within ${MAX_APART_MILLISECONDS} ms`, reached: `known ${known.toFixed(1)} ms, unknown ${unknown.toFixed(1)} ms`,
      isMet: Math.abs(known - unknown) <= MAX_APART_MILLISECONDS,
    },
    { what: `rank test p above ${MIN_P}`, reached: p.toFixed(3), isMet: p > MIN_P },
  ];
}

function sectionOf(report: TimesReport): CheckSection {
  return { heading: `${report.route}, ${report.tries} tries each of known and unknown addresses`, goals: timesGoalsOf(report) };
}

/** Checks whether the time of a reply reveals which addresses are known. */
export const EQUAL_TIMES: Check = {
  id: 'equal-times',
  title: 'compares what known and unknown addresses are answered at sign-in, sign-up and reset, 200 tries each',
  run: async ({ start }) => {
    const { target } = await start({ SIGN_UP: 'open', TRUST_PROXY: '127.0.0.0/8' });
    return (await compareTimes(target.port)).map(sectionOf);
  },
};
