import type { RequestHandler } from 'express';
import { GatewayError, type PaymentDesk, PaymentProviderFailure } from '@tollgate/core';
import { answer, exchangeOf } from '../http/middleware/answer.js';
import { refuseOtherMethods } from '../http/middleware/refuse-unknown.js';
import { type SentBodyPorts, useSentBody } from '../http/receive-body.js';
import { pathOf } from '../http/request-target.js';
import type { UnbilledLimits } from '../http/unbilled-limits.js';

const PREFIX = '/payments/notifications/';
const refuseReads = refuseOtherMethods('POST');
/** Maximum size of a notification; those of providers have a few kilobytes. */
const MAX_BYTES = 262_144;

interface NotificationPorts extends SentBodyPorts {
  readonly desk: PaymentDesk;
  readonly unbilled: UnbilledLimits;
}

/**
 * `POST /payments/notifications/{provider}`. A notification only says which payment to ask the provider about. Answers 204 once the provider was
 * asked, and 400 if it did not sign the notification. If the provider does not answer, the reply is 503, so that it notifies again. No answer says
 * anything about payments.
 */
export function paymentNotificationsRoute({ desk, unbilled, ...ports }: NotificationPorts): RequestHandler {
  const reply = answer(async (exchange) => {
    exchange.reach(`${PREFIX}:provider`);
    unbilled.countStranger(exchange);
    await useSentBody(exchange, { maximumBytes: MAX_BYTES, ...ports }, (body) => notify(body, (name) => headerOf(exchange.req.headers[name]), desk));
    exchange.writeHead(204, { 'cache-control': 'no-store' }).end();
  });
  return (req, res, next) => {
    if (desk.provider === null || pathOf(req.url) !== PREFIX + desk.provider.id) return next();
    if (req.method === 'POST') return reply(req, res, next);
    unbilled.countStranger(exchangeOf(res));
    return refuseReads(req, res, next);
  };
}

function headerOf(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

async function notify(body: Uint8Array, header: (name: string) => string | null, desk: PaymentDesk): Promise<void> {
  try {
    await desk.notified(body, header);
  } catch (cause) {
    if (!(cause instanceof PaymentProviderFailure)) throw cause;
    if (cause.problem === 'invalid-notification') throw new GatewayError('invalid_request', 'The notification is not signed by the payment provider.', { cause });
    throw new GatewayError('service_unavailable', 'The payment could not be checked.', { cause });
  }
}
