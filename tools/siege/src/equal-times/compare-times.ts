import { clientAddress, type DashboardAnswer, post } from './dashboard-client.js';
import { rankTest } from './rank-test.js';

/** How a route answers known addresses and unknown ones. */
export interface TimesReport {
  readonly route: string;
  readonly tries: number;
  readonly knownMedianMilliseconds: number;
  readonly unknownMedianMilliseconds: number;
  /** Two-sided, that both come from one distribution. */
  readonly p: number;
  /** All answers, as status and text without the request's id. */
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

/** Tries known and unknown addresses in turns, each from a client and with an address of its own, so that no limit tells them apart. */
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

/** Signs people up, and compares how the routes answer to their addresses and to others. */
export async function compareTimes(port: number): Promise<readonly TimesReport[]> {
  let clients = 0;
  const client = (): string => clientAddress(clients++);
  for (let person = 0; person < TRIES; person += 1) {
    const { status, text } = await post(port, '/auth/sign-up', { address: client(), body: { email: knownAddress(person), name: 'Ann Example', password: PASSWORD } });
    if (status >= 300) throw new Error(`a sign-up was answered ${status} ${text}`);
  }
  const reports: TimesReport[] = [];
  for (const route of ROUTES) reports.push(await compareRoute(port, route, client));
  return reports;
}
