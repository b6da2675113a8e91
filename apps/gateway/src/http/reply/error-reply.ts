import { UpstreamFailure, type UpstreamFailureReason } from '@tollgate/adapters-upstream';
import {
  GatewayError, isStoreLost, PaymentProviderFailure, type QuotaSnapshot, type RateLimiter, RefusedMachine, RefusedSignIn, type RequestId, type RequestLimitExcess, toGatewayError,
} from '@tollgate/core';
import { errorHeaders, quotaHeaders, statusOf } from '@tollgate/wire-kit';
import type { Logger } from 'pino';
import { UnsupportedEncoding } from '../body-encoding.js';
import { CutUpload } from '../body-upload.js';
import type { HttpExchange } from '../http-exchange.js';
import { SlowUpload } from '../upload-pace.js';
import type { DatabaseOutage } from './database-outage.js';
import { leaveToClient } from './leave-to-client.js';
import type { RefusalDelay } from './refusal-delay.js';
import { sendJson } from './send-json.js';

export interface RequestLimitReport {
  refused(requestId: RequestId, excess: RequestLimitExcess): void;
}

interface ErrorReplyPorts {
  readonly limiter: RateLimiter;
  readonly log: Logger;
  readonly outage: Pick<DatabaseOutage, 'failed'>;
  readonly delay: RefusalDelay;
  readonly requestLimits: RequestLimitReport;
}

/** Sends errors in the format of the request's endpoint. */
export class ErrorReply {
  constructor(private readonly ports: ErrorReplyPorts) {}

  /** Sends an error, unless the client has disconnected. Never rejects: destroys the connection if a reply has begun or the error cannot be sent. */
  async send(exchange: HttpExchange, thrown: unknown): Promise<void> {
    try {
      await this.reply(exchange, thrown);
    } catch (err) {
      this.ports.log.error({ requestId: exchange.requestId, err }, 'an error response could not be sent');
      exchange.res.destroy();
    }
  }

  private async reply(exchange: HttpExchange, thrown: unknown): Promise<void> {
    // After the client disconnected, later failures of its request are expected.
    if (exchange.clientLeft) return;
    const error = errorOf(thrown);
    exchange.refuse(error);
    leaveToClient(exchange.res);
    this.report(exchange, error);
    if (exchange.res.headersSent) {
      exchange.res.destroy();
      return;
    }
    await this.stateQuota(exchange, error);
    await this.slowDown(exchange, error);
    if (exchange.clientLeft) return;
    const status = statusFor(error);
    exchange.addHeaders(errorHeaders(error, status));
    if (error instanceof UnsupportedEncoding) exchange.addHeaders({ 'accept-encoding': error.acceptedEncodings });
    const page = exchange.refusalPage?.(error.code) ?? null;
    if (page === null) sendJson(exchange, status, exchange.errorFormat.encodeError(error, exchange.requestId));
    else exchange.writeHead(SEE_OTHER, { 'location': page, 'cache-control': 'no-store' }).end();
  }

  /** Delays further refusals of a client with much unbilled work; longer if none is left to it, and refused sign-ins during a flood. */
  private async slowDown({ req, unbilled }: HttpExchange, { code, window }: GatewayError): Promise<void> {
    if (code === 'too_many_attempts' || window !== null) await this.ports.delay.waitInFlood(req.socket);
    else if (unbilled?.isHeavy === true) await this.ports.delay.wait(req.socket);
  }

  /** Records an error that is sent as a frame of the stream. */
  noteBrokenStream(exchange: HttpExchange, error: GatewayError): void {
    exchange.refuse(error);
    this.report(exchange, error);
  }

  /** Logs private details: unexpected failures, reasons of refused sign-ins, upstream failures, and settings that caused a refusal. */
  private report({ requestId }: HttpExchange, error: GatewayError): void {
    const { code, cause, requestLimit } = error;
    if (requestLimit !== null) this.ports.requestLimits.refused(requestId, requestLimit);
    if (code === 'internal_error') this.ports.log.error({ requestId, code, err: cause }, 'a request failed unexpectedly');
    else if (code === 'service_unavailable' && cause instanceof PaymentProviderFailure) this.ports.log.warn({ requestId, code, problem: cause.problem, reason: cause.message }, 'a request to the payment provider failed');
    else if (code === 'service_unavailable' && !isStoreLost(error)) this.ports.outage.failed(cause, requestId);
    else if (cause instanceof RefusedSignIn) this.ports.log.warn({ requestId, code, reason: cause.message }, 'a sign-in was refused');
    else if (cause instanceof RefusedMachine) this.ports.log.warn({ requestId, code, reason: cause.message }, 'a machine was refused');
    else if (code === 'provider_unavailable' && !isReported(cause)) this.ports.log.warn({ requestId, code, problems: problemsOf(cause) }, 'a request could not be served');
  }

  /** Adds the headers of the limits for authenticated callers if the endpoint states them. */
  private async stateQuota(exchange: HttpExchange, error: GatewayError): Promise<void> {
    const quota = error.quota === null && exchange.statesQuota ? await this.quotaInForce(exchange) : null;
    if (quota !== null) exchange.addHeaders(quotaHeaders(quota));
  }

  private async quotaInForce({ caller, requestId }: HttpExchange): Promise<QuotaSnapshot | null> {
    if (caller === null) return null;
    try {
      return await this.ports.limiter.quota(caller.account.id, { limits: caller.plan.limits, incident: null });
    } catch (err) {
      this.ports.log.error({ requestId, err }, 'the limits of a refused request could not be read');
      return null;
    }
  }
}

/** Reasons of failures that the upstream did not cause. */
const UNREPORTED: ReadonlySet<UpstreamFailureReason> = new Set(['cancelled', 'circuit-open']);

/** True if the failure of each tried upstream was logged already. */
function isReported(failure: unknown): boolean {
  if (failure instanceof AggregateError) return failure.errors.every(isReported);
  return failure instanceof UpstreamFailure && !UNREPORTED.has(failure.reason);
}

/** Converts to a `GatewayError`; a path that cannot be decoded is 404. */
function errorOf(thrown: unknown): GatewayError {
  if (thrown instanceof URIError) return new GatewayError('not_found', 'There is nothing at this address.', { cause: thrown });
  return toGatewayError(thrown);
}

const SEE_OTHER = 303;
const REQUEST_TIMEOUT = 408;

/** Status of an error; the error code does not determine all of them. */
function statusFor(error: GatewayError): number {
  return error instanceof SlowUpload || error instanceof CutUpload ? REQUEST_TIMEOUT : statusOf(error.code);
}

/** One sentence per tried upstream. */
function problemsOf(cause: unknown): readonly string[] {
  if (cause instanceof AggregateError) return cause.errors.flatMap(problemsOf);
  return cause instanceof Error ? [cause.message] : [];
}
