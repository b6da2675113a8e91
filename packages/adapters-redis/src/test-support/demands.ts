import { type AdmissionEnd, type AdmissionTicket, type Demand, type PlanLimits, type RateLimiter, type RequestId, tokenCount } from '@tollgate/core';
import { ALICE, WIDE_LIMITS, ticketOf } from '@tollgate/testkit';

export function demandOf(limits: Partial<PlanLimits>, tokens = 0): Demand {
  return { accountId: ALICE, requestId: 'req_1' as RequestId, limits: { ...WIDE_LIMITS, ...limits }, incident: null, kind: 'generation', tokens: tokenCount(tokens) };
}

export async function admitted(limiter: RateLimiter, limits: Partial<PlanLimits> = {}, tokens = 0): Promise<AdmissionTicket> {
  return ticketOf(await limiter.admit(demandOf(limits, tokens)));
}

/** `admitted`, or the name of the limit that refused. */
export async function answerTo(limiter: RateLimiter, limits: Partial<PlanLimits>, tokens = 0): Promise<string> {
  const admission = await limiter.admit(demandOf(limits, tokens));
  return admission.admitted ? 'admitted' : admission.limit;
}

export const served = (tokens: number): AdmissionEnd => ({ kind: 'served', tokens: tokenCount(tokens) });
