import { type Instant, rfc3339, type ServiceTokens } from '@tollgate/core';
import type { LiveAlert } from './live-alerts.js';
import type { LiveSecond } from './live-second.js';
import type { LatestRequest, LatestRequests } from './live-traffic.js';

interface LiveMoment {
  readonly running: number;
  /** For running generations. */
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
  /** Precedes the next tick. */
  readonly last: number;
  readonly alerts: readonly LiveAlert[];
}

/** Snapshot of the last fifteen minutes, without empty seconds. */
export function snapshotFrame(seconds: readonly LiveSecond[], { since, last, alerts }: SnapshotFrame): string {
  return frame('snapshot', { since: rfc3339(since), seconds: seconds.map(encodeSecond), alerts }, last);
}

export function requestsFrame({ requests, skipped }: LatestRequests): string {
  return frame('requests', { requests: requests.map(encodeLatest), skipped });
}

function encodeLatest({ exchange, endedAt }: LatestRequest) {
  const { requestId, endpoint, caller, outcome, refusal, res, startedAt } = exchange;
  const firstOutputAt = outcome?.ending.firstOutputAt ?? null;
  return {
    request_id: requestId, at: rfc3339(endedAt), endpoint, account_id: caller?.account.id ?? null, model: outcome?.ending.service?.servedBy ?? null,
    status: res.headersSent ? res.statusCode : null, code: refusal, end_reason: outcome?.ending.reason ?? null, svc_tokens: outcome?.settlement.charge.amount.toString() ?? null,
    duration_ms: endedAt - startedAt, first_token_ms: firstOutputAt === null ? null : firstOutputAt - startedAt,
  };
}

export function alertFrame({ kind, subject }: LiveAlert, state: 'raised' | 'ended', at: Instant): string {
  return frame('alert', { at: rfc3339(at), kind, subject, state });
}
