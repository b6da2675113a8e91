import { type Instant, instant, MILLISECONDS_PER_SECOND, ServiceTokens } from '@tollgate/core';
import type { HttpExchange } from '../http/http-exchange.js';
import { FirstTokenTimes } from '../observability/first-token-times.js';

/** Counted for a client that disconnected before its reply. Never sent. */
const CLIENT_LEFT_STATUS = 499;

function statusOf(res: HttpExchange['res']): number {
  return res.headersSent ? res.statusCode : CLIENT_LEFT_STATUS;
}

/** Requests to model routes that ended in one second, and charges booked in it. */
export class LiveSecond {
  requests = 0;
  charged = ServiceTokens.ZERO;
  /** Requests without an error, by HTTP status. */
  readonly statuses = new Map<number, number>();
  /** Refused requests, by error code. */
  readonly refusals = new Map<string, number>();
  readonly firstToken = new FirstTokenTimes();

  /** Whole seconds since 1970. */
  constructor(readonly number: number) {}

  get at(): Instant {
    return instant(this.number * MILLISECONDS_PER_SECOND);
  }

  add({ res, refusal, outcome, startedAt }: HttpExchange): void {
    this.requests += 1;
    if (refusal === null) this.statuses.set(statusOf(res), (this.statuses.get(statusOf(res)) ?? 0) + 1);
    else this.refusals.set(refusal, (this.refusals.get(refusal) ?? 0) + 1);
    if (outcome === null) return;
    const { firstOutputAt } = outcome.ending;
    if (firstOutputAt !== null) this.firstToken.add(firstOutputAt - startedAt);
  }

  addCharge(amount: ServiceTokens): void {
    this.charged = this.charged.plus(amount);
  }
}
