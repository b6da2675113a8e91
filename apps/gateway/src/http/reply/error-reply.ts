import { UpstreamFailure, type UpstreamFailureReason } from '@tollgate/adapters-upstream';
import {
  GatewayError, isStoreLost, type QuotaSnapshot, type RateLimiter, RefusedSignIn, type RequestId, type RequestLimitExcess, toGatewayError,
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

/** Told of each request that exceeds a limit which an operator may raise. */
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

/** Sends the error of a request as a response, in the error format of its endpoint. */
export class ErrorReply {
  constructor(private readonly ports: ErrorReplyPorts) {}

  /** Never rejects: a reply that cannot even say what went wrong is cut off instead. */
  async send(exchange: HttpExchange, thrown: unknown): Promise<void> {
    try {
      await this.reply(exchange, thrown);
    } catch (err) {
      this.ports.log.error({ requestId: exchange.requestId, err }, 'an error response could not be sent');
      exchange.res.destroy();
    }
  }

  private async reply(exchange: HttpExchange, thrown: unknown): Promise<void> {
    // A client that left ends its own request; what that makes fail behind it is no failure of ours.
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
    else exchange.res.writeHead(SEE_OTHER, { 'location': page, 'cache-control': 'no-store' }).end();
  }

  /** A client that is refused again and again waits for each further refusal, and so does everyone at the ways in while too many come. */
  private async slowDown({ req, unbilled }: HttpExchange, { code, window }: GatewayError): Promise<void> {
    if (code === 'too_many_attempts') await this.ports.delay.waitInTurn(req.socket);
    else if (window !== null || unbilled?.isHeavy === true) await this.ports.delay.wait(req.socket);
  }

  /** A stream broke off after its headers left; its client has had the error frame already. */
  noteBrokenStream(exchange: HttpExchange, error: GatewayError): void {
    exchange.refuse(error);
    this.report(exchange, error);
  }

  /** Logs what only the operator may know: an unexpected failure, why a sign-in was refused, why no upstream served, or which setting refused. */
  private report({ requestId }: HttpExchange, error: GatewayError): void {
    const { code, cause, requestLimit } = error;
    if (requestLimit !== null) this.ports.requestLimits.refused(requestId, requestLimit);
    if (code === 'internal_error') this.ports.log.error({ requestId, code, err: cause }, 'a request failed unexpectedly');
    else if (code === 'service_unavailable' && !isStoreLost(error)) this.ports.outage.failed(cause, requestId);
    else if (cause instanceof RefusedSignIn) this.ports.log.warn({ requestId, code, reason: cause.message }, 'a sign-in was refused');
    else if (code === 'provider_unavailable' && !isReported(cause)) this.ports.log.warn({ requestId, code, problems: problemsOf(cause) }, 'a request could not be served');
  }

  /** States the limits in force for a known caller, on endpoints that state limits and where the refusal does not. */
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

/** A call that a client gave up, or that an open circuit refused, is no failure of the upstream. */
const UNREPORTED: ReadonlySet<UpstreamFailureReason> = new Set(['cancelled', 'circuit-open']);

/** Whether all of a failure is in the log already, a line for each upstream that was tried. */
function isReported(failure: unknown): boolean {
  if (failure instanceof AggregateError) return failure.errors.every(isReported);
  return failure instanceof UpstreamFailure && !UNREPORTED.has(failure.reason);
}

/** What a thrown value is to a client. A path whose escapes do not decode names nothing. */
function errorOf(thrown: unknown): GatewayError {
  if (thrown instanceof URIError) return new GatewayError('not_found', 'There is nothing at this address.', { cause: thrown });
  return toGatewayError(thrown);
}

const SEE_OTHER = 303;
const REQUEST_TIMEOUT = 408;

/** The code's own status, but for what is known only here. */
function statusFor(error: GatewayError): number {
  return error instanceof SlowUpload || error instanceof CutUpload ? REQUEST_TIMEOUT : statusOf(error.code);
}

/** Why no upstream served, in a sentence for each that was tried. */
function problemsOf(cause: unknown): readonly string[] {
  if (cause instanceof AggregateError) return cause.errors.flatMap(problemsOf);
  return cause instanceof Error ? [cause.message] : [];
}
