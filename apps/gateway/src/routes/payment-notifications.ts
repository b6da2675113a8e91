import type { RequestHandler } from 'express';
import { GatewayError, type PaymentDesk, PaymentProviderFailure } from '@tollgate/core';
import { answer, exchangeOf } from '../http/middleware/answer.js';
import { refuseOtherMethods } from '../http/middleware/refuse-unknown.js';
import type { HttpExchange } from '../http/http-exchange.js';
import { pathOf } from '../http/request-target.js';
import type { UnbilledLimits } from '../http/unbilled-limits.js';

const PREFIX = '/payments/notifications/';
const refuseReads = refuseOtherMethods('POST');
/** Maximum size of a notification; those of providers have a few kilobytes. */
const MAX_BYTES = 262_144;

interface NotificationPorts {
  readonly desk: PaymentDesk;
  readonly unbilled: UnbilledLimits;
}

/**
 * `POST /payments/notifications/{provider}`. A notification only says which payment to ask the provider about. Answers 204 once the provider was
 * asked, and 400 if it did not sign the notification. If the provider does not answer, the reply is 503, so that it notifies again. No answer says
 * anything about payments.
 */
export function paymentNotificationsRoute({ desk, unbilled }: NotificationPorts): RequestHandler {
  const reply = answer(async (exchange) => {
    exchange.reach(`${PREFIX}:provider`);
    unbilled.countStranger(exchange);
    await notify(await bodyOf(exchange), (name) => headerOf(exchange.req.headers[name]), desk);
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

/** The body as it was sent, because the signature covers these bytes. */
async function bodyOf({ req }: HttpExchange): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new GatewayError('payload_too_large', `The body has more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
