import { type Instant, rfc3339, type ServiceTokens } from '@tollgate/core';
import type { LiveAlert } from './live-alerts.js';
import type { LiveSecond } from './live-second.js';
import type { LatestRequest, LatestRequests } from './live-traffic.js';

interface LiveMoment {
  readonly running: number;
  /** Service tokens reserved for running generations. */
  readonly reserved: ServiceTokens;
}

function frame(event: string, data: unknown, id: number | null = null): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function encodeSecond({ at, requests, charged, statuses, refusals, firstToken }: LiveSecond) {
  return {
    at: rfc3339(at), requests, svc_tokens: charged.toString(), codes: Object.fromEntries(statuses), refused: Object.fromEntries(refusals),
    first_token_ms: firstToken.quantiles(),
  };
}

/** `moment` is `null` for past seconds. */
export function tickFrame(second: LiveSecond, moment: LiveMoment | null): string {
  const now = { running: moment?.running ?? null, reserved: moment?.reserved.toString() ?? null };
  return frame('tick', { ...encodeSecond(second), ...now, gateways: 1 }, second.number);
}

interface SnapshotFrame {
  /** Beginning of the counts. */
  readonly since: Instant;
  /** Number of the second before the next tick. */
  readonly last: number;
  readonly alerts: readonly LiveAlert[];
  /** Newest first. */
  readonly requests: readonly LatestRequest[];
}

/** Snapshot of the last fifteen minutes, without empty seconds. */
export function snapshotFrame(seconds: readonly LiveSecond[], { since, last, alerts, requests }: SnapshotFrame): string {
  return frame('snapshot', { since: rfc3339(since), seconds: seconds.map(encodeSecond), alerts, requests: requests.map(encodeLatest) }, last);
}

export function requestsFrame({ requests, skipped }: LatestRequests): string {
  return frame('requests', { requests: requests.map(encodeLatest), skipped });
}

function encodeLatest({ requestId, endedAt, endpoint, account, keyId, model, status, refusal, endReason, charged, milliseconds, firstTokenMilliseconds }: LatestRequest) {
  return {
    request_id: requestId, at: rfc3339(endedAt), endpoint, account_id: account, key_id: keyId, model, status, code: refusal, end_reason: endReason, svc_tokens: charged?.toString() ?? null,
    duration_ms: milliseconds, first_token_ms: firstTokenMilliseconds,
  };
}

export function alertFrame({ kind, subject }: LiveAlert, state: 'raised' | 'ended', at: Instant): string {
  return frame('alert', { at: rfc3339(at), kind, subject, state });
}
