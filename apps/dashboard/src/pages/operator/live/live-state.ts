import type { LiveAlert, LiveRequest, LiveSecond, LiveTick } from '../../../api/live';
import { microUnits } from '../../../format/amount';

/** Length of the feed: as far back as the gateway remembers. */
const WINDOW_SECONDS = 900;
const MAX_REQUESTS = 100;
const SECOND = 1_000;

/** A second of the feed, with its time in milliseconds. */
export interface Second extends LiveSecond {
  readonly time: number;
}

export interface LiveState {
  /** Last fifteen minutes, oldest first; without empty seconds. */
  readonly seconds: readonly Second[];
  readonly alerts: readonly LiveAlert[];
  /** Newest first. */
  readonly requests: readonly LiveRequest[];
  readonly last: LiveTick | null;
  /** Number of requests that the gateway left out of the feed. */
  readonly skipped: number;
}

export const NOTHING_YET: LiveState = { seconds: [], alerts: [], requests: [], last: null, skipped: 0 };

export type LiveEvent =
  | { readonly type: 'snapshot'; readonly data: { readonly since: string; readonly seconds: readonly LiveSecond[]; readonly alerts: readonly LiveAlert[]; readonly requests: readonly LiveRequest[] } }
  | { readonly type: 'tick'; readonly data: LiveTick }
  | { readonly type: 'requests'; readonly data: { readonly requests: readonly LiveRequest[]; readonly skipped: number } }
  | { readonly type: 'alert'; readonly data: LiveAlert & { readonly state: 'raised' | 'ended' } };

function withTime(second: LiveSecond): Second {
  return { ...second, time: Date.parse(second.at) };
}

function isSameAlert(one: LiveAlert, other: LiveAlert): boolean {
  return one.kind === other.kind && one.subject === other.subject;
}

function addTick(state: LiveState, tick: LiveTick): LiveState {
  const newest = withTime(tick);
  const kept = state.seconds.filter(({ time }) => time > newest.time - WINDOW_SECONDS * SECOND && time !== newest.time);
  return { ...state, last: tick, seconds: newest.requests === 0 ? kept : [...kept, newest] };
}

/** After a restart the gateway has no earlier data, so the page keeps what it has. */
function afterSnapshot(state: LiveState, { since, seconds, alerts, requests }: Extract<LiveEvent, { type: 'snapshot' }>['data']): LiveState {
  const remembered = state.seconds.filter(({ time }) => time < Date.parse(since));
  const listed = state.requests.filter(({ at }) => Date.parse(at) < Date.parse(since));
  return { ...state, seconds: [...remembered, ...seconds.map(withTime)], alerts, requests: [...requests, ...listed].slice(0, MAX_REQUESTS) };
}

/** Time of the newest second in milliseconds; 0 before the first. */
export function newestOf({ seconds, last }: LiveState): number {
  return Math.max(last === null ? 0 : Date.parse(last.at), seconds.at(-1)?.time ?? 0);
}

export function afterEvent(state: LiveState, event: LiveEvent): LiveState {
  switch (event.type) {
    case 'snapshot':
      return afterSnapshot(state, event.data);
    case 'tick':
      return addTick(state, event.data);
    case 'requests':
      return { ...state, requests: [...event.data.requests, ...state.requests].slice(0, MAX_REQUESTS), skipped: state.skipped + event.data.skipped };
    case 'alert': {
      const others = state.alerts.filter((alert) => !isSameAlert(alert, event.data));
      return { ...state, alerts: event.data.state === 'raised' ? [...others, { kind: event.data.kind, subject: event.data.subject }] : others };
    }
  }
}

export interface LiveSums {
  readonly requests: number;
  /** Maximum number of requests in a second. */
  readonly peak: number;
  /** Micro-units of service tokens. */
  readonly charged: bigint;
  /** Number of requests by error code or HTTP status, the most frequent first. */
  readonly codes: readonly (readonly [code: string, requests: number])[];
}

function addCounts(sums: Map<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count);
}

/** Failed requests are grouped by error code, others by HTTP status. */
export function sumSeconds(seconds: readonly LiveSecond[]): LiveSums {
  const refused = new Map<string, number>();
  const answered = new Map<string, number>();
  for (const second of seconds) {
    addCounts(refused, second.refused);
    addCounts(answered, second.codes);
  }
  return {
    requests: seconds.reduce((sum, { requests }) => sum + requests, 0),
    peak: seconds.reduce((most, { requests }) => Math.max(most, requests), 0),
    charged: seconds.reduce((sum, second) => sum + microUnits(second.svc_tokens), 0n),
    codes: [...answered, ...refused].toSorted(([, one], [, other]) => other - one),
  };
}

/** Number of requests in each second of the window that ends at `end`, oldest first. */
export function requestsBySecond(seconds: readonly Second[], end: number): readonly number[] {
  const counts = Array.from({ length: WINDOW_SECONDS }, () => 0);
  for (const { time, requests } of seconds) {
    const index = WINDOW_SECONDS - 1 - Math.floor((end - time) / SECOND);
    if (index >= 0 && index < WINDOW_SECONDS) counts[index] = requests;
  }
  return counts;
}

interface AccountActivity {
  readonly id: string;
  readonly requests: number;
  readonly charged: bigint;
  readonly refused: number;
}

/** The accounts with the most requests. */
export function busiestAccounts(requests: readonly LiveRequest[], most = 5): readonly AccountActivity[] {
  const accounts = new Map<string, AccountActivity>();
  for (const { account_id: id, svc_tokens, code } of requests) {
    if (id === null) continue;
    const { requests: before, charged, refused } = accounts.get(id) ?? { requests: 0, charged: 0n, refused: 0 };
    accounts.set(id, { id, requests: before + 1, charged: charged + (svc_tokens === null ? 0n : microUnits(svc_tokens)), refused: refused + (code === null ? 0 : 1) });
  }
  return [...accounts.values()].toSorted((one, other) => other.requests - one.requests).slice(0, most);
}
