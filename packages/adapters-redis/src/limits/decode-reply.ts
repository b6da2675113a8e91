import { instant, type LimitName, type QuotaReading, type ExceededLimit, type WindowCounts } from '@tollgate/core';
import type { AdmitReply, QuotaReply } from './limiter-commands.js';

const INCIDENT_STATUS = 'incident:';

export function decodeQuotaReply([now, startedAt, requests, tokens, incidentStartedAt, incidentRequests, incidentTokens]: QuotaReply): QuotaReading {
  return {
    now: instant(now),
    plan: windowCounts(startedAt, requests, tokens),
    incident: windowCounts(incidentStartedAt, incidentRequests, incidentTokens),
  };
}

/** An account's counts at the instant Redis looked at them. */
export function decodeReading([, now, startedAt, requests, tokens, , ...incident]: AdmitReply): QuotaReading {
  return decodeQuotaReply([now, startedAt, requests, tokens, ...incident]);
}

/** The limit that the status of a refused demand names. */
export function decodeExceeded([status]: AdmitReply): ExceededLimit {
  return status.startsWith(INCIDENT_STATUS)
    ? { limit: status.slice(INCIDENT_STATUS.length) as LimitName, owner: 'incident' }
    : { limit: status as LimitName, owner: 'plan' };
}

function windowCounts(startedAt: number, requests: number, tokens: number): WindowCounts {
  return { startedAt: startedAt < 0 ? null : instant(startedAt), requests, tokens };
}
