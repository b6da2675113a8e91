import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@tollgate/core';

type Row = Record<string, unknown>;

interface Reply {
  readonly status: number;
  readonly body: Row;
}

/** How the bank answers the next charge of a saved method. */
type BankAnswer = 'succeeded' | 'declined' | 'authentication_required' | 'processing';

export interface SignedNotification {
  readonly body: string;
  /** The value of the header `stripe-signature`. */
  readonly signature: string;
}

interface Signing {
  readonly secret: string;
  /** The time of the signature, in Unix seconds. */
  readonly at: number;
}

/**
 * The part of Stripe's API that the adapter calls, with its state, on a free port of this machine. Tests pay, dispute and refund checkouts by its
 * methods, and close the server in the end.
 */
export class StripeServer {
  /** Method and path of each request, in the order of arrival, also of repeated requests. */
  readonly requests: string[] = [];
  bank: BankAnswer = 'succeeded';
  /** The status of new refunds that the gateway requests. */
  refundStatus = 'succeeded';
  /** The reply to all next requests unless it is `null`. */
  failure: Reply | null = null;
  /** Fields that the server adds to every object of every reply. */
  planted: Row = {};
  /** The reply to `GET /v1/account`. */
  account: JsonObject = { id: 'acct_test', object: 'account', country: 'US', charges_enabled: true };
  /** The currencies in which the account can charge. */
  currencies: readonly string[] = ['usd', 'eur', 'jpy', 'isk', 'kwd'];
  /** The resources that the key may not read. */
  forbidden: readonly string[] = [];
  /** Customers that were deleted, or that belong to the other mode. */
  unknownCustomers: readonly string[] = [];
  /** The list that `GET /v1/webhook_endpoints` returns. */
  endpoints: readonly JsonObject[] = [];
  readonly #sessions = new Map<string, Row>();
  readonly #intents = new Map<string, Row>();
  readonly #charges = new Map<string, Row>();
  readonly #refunds: Row[] = [];
  readonly #disputes: Row[] = [];
  readonly #answers = new Map<string, Reply>();
  #count = 0;

  private constructor(readonly url: string, private readonly server: Server) {}

  static async start(): Promise<StripeServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stripe = new StripeServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
    server.on('request', (request, response) => void stripe.#serve(request, response));
    return stripe;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** The id of the checkout that was started last. */
  get lastCheckout(): string {
    const id = [...this.#sessions.keys()].at(-1);
    if (id === undefined) throw new Error('no checkout was started');
    return id;
  }

  session(id: string): Row {
    return rowOf(this.#sessions, id);
  }

  /** Pays a checkout as its customer. With `transfer`, the payment stays open until `settle`. */
  pay(id: string, { by = 'card', amount = null, currency = null }: { readonly by?: 'card' | 'transfer'; readonly amount?: number | null; readonly currency?: string | null } = {}): void {
    const session = this.session(id);
    Object.assign(session, { status: 'complete', customer: session['customer'] ?? this.#next('cus'), url: null });
    Object.assign(session, { amount_total: amount ?? session['amount_total'], currency: currency ?? session['currency'] });
    const { payment, saves } = session['hidden'] as { readonly payment: unknown; readonly saves: boolean };
    session['payment_intent'] = this.#intent({
      amount: session['amount_total'], currency: session['currency'], customer: session['customer'], metadata: { payment }, status: 'processing',
      payment_method: this.#next('pm'), setup_future_usage: saves ? 'off_session' : null,
    });
    if (by === 'card') this.settle(id);
  }

  /** Ends a payment by transfer, with success or failure. */
  settle(id: string, as: 'succeeded' | 'failed' = 'succeeded'): void {
    const session = this.session(id);
    const intent = rowOf(this.#intents, String(session['payment_intent']));
    if (as === 'failed') {
      intent['status'] = 'requires_payment_method';
      return;
    }
    session['payment_status'] = 'paid';
    this.#succeed(intent);
  }

  expire(id: string): void {
    Object.assign(this.session(id), { status: 'expired', url: null });
  }

  /** Refunds a payment as in Stripe's dashboard, without a request of the gateway. */
  refundOutside(id: string, amount: number, status = 'succeeded'): string {
    return String(this.#refund({ intent: String(this.session(id)['payment_intent']), amount, status })['id']);
  }

  /** Lets a refund fail, even one that succeeded before, as when the customer's bank returns it. */
  failRefund(id: string, status: 'failed' | 'canceled' = 'failed'): void {
    const refund = this.#refunds.find((made) => made['id'] === id);
    if (refund === undefined) throw new Error(`there is no refund ${id}`);
    const charge = rowOf(this.#charges, String(rowOf(this.#intents, String(refund['payment_intent']))['latest_charge']));
    charge['amount_refunded'] = Number(charge['amount_refunded']) - Number(refund['amount']);
    refund['status'] = status;
  }

  /** Changes the status of the payment's dispute. Opens a dispute with this status if there is none, or if `further` is passed. */
  dispute(id: string, status: string, further: { readonly amount?: number; readonly currency?: string } | null = null): void {
    const intent = rowOf(this.#intents, String(this.session(id)['payment_intent']));
    const open = further === null ? this.#disputes.find(({ payment_intent: of }) => of === intent['id']) : undefined;
    rowOf(this.#charges, String(intent['latest_charge']))['disputed'] = true;
    if (open !== undefined) open['status'] = status;
    // Stripe lists the newest first.
    else this.#disputes.unshift({ id: this.#next('dp'), object: 'dispute', amount: intent['amount'], currency: intent['currency'], ...further, payment_intent: intent['id'], status });
  }

  /** An event about a checkout or one of its objects, signed as Stripe signs it. */
  notification(type: string, id: string, signing: Signing): SignedNotification {
    const session = this.session(id);
    const object = type.startsWith('checkout.') ? { id, object: 'checkout.session' }
      : type.startsWith('payment_intent.') ? { id: session['payment_intent'], object: 'payment_intent' }
        : { id: this.#next('obj'), object: type.startsWith('refund.') ? 'refund' : 'dispute', payment_intent: session['payment_intent'] };
    return signed(JSON.stringify({ id: this.#next('evt'), object: 'event', type, created: signing.at, data: { object } }), signing);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    this.requests.push(`${request.method ?? ''} ${pathname}`);
    const body = new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
    const key = String(request.headers['idempotency-key'] ?? '');
    const reply = this.failure ?? this.#repeated(request.method === 'POST' ? key : '', () => this.#answer(request.method ?? '', pathname, request.method === 'GET' ? searchParams : body));
    // With `stripe-should-retry: false`, the library does not wait and repeat a failed request.
    response.writeHead(reply.status, { 'content-type': 'application/json', 'request-id': `req_${randomUUID()}`, 'stripe-should-retry': 'false' });
    response.end(JSON.stringify(reply.body, (name, value: unknown) => (name === 'hidden' ? undefined : isObject(value) ? { ...value, ...this.planted } : value)));
  }

  #repeated(key: string, answer: () => Reply): Reply {
    if (key === '') return answer();
    const before = this.#answers.get(key);
    if (before !== undefined) return before;
    const reply = answer();
    this.#answers.set(key, { status: reply.status, body: structuredClone(reply.body) });
    return reply;
  }

  #answer(method: string, path: string, fields: URLSearchParams): Reply {
    const [, resource = '', id = '', act = ''] = /^\/v1\/(checkout\/sessions|payment_intents|refunds|disputes|billing_portal\/sessions|webhook_endpoints|account|country_specs)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
    if (this.forbidden.includes(resource)) return refused(403, 'invalid_request_error', 'permission_denied');
    switch (`${method} ${resource}${id === '' ? '' : '/id'}${act === '' ? '' : `/${act}`}`) {
      case 'POST checkout/sessions': return this.unknownCustomers.includes(fields.get('customer') ?? '') ? refused(400, 'invalid_request_error', 'resource_missing', 'customer') : ok(this.#openSession(fields));
      case 'GET checkout/sessions': return list([...this.#sessions.values()].filter((session) => session['payment_intent'] === fields.get('payment_intent')));
      case 'GET checkout/sessions/id': return found(fields.has('expand[0]') ? this.#expanded(this.#sessions.get(id)) : this.#sessions.get(id));
      case 'POST payment_intents': return this.#charge(fields);
      case 'GET payment_intents/id': return found(this.#withCharge(this.#intents.get(id)));
      case 'POST payment_intents/id/cancel': return found(Object.assign(this.#intents.get(id) ?? {}, { status: 'canceled' }));
      case 'POST refunds': return this.#refundAsked(fields);
      case 'GET refunds': return list(this.#refunds.filter((refund) => refund['payment_intent'] === fields.get('payment_intent')));
      case 'GET disputes': return list(this.#disputes.filter((dispute) => dispute['payment_intent'] === fields.get('payment_intent')));
      case 'POST billing_portal/sessions': return ok({ id: this.#next('bps'), url: `${this.url}/portal/${fields.get('customer') ?? ''}` });
      case 'GET account': return ok({ ...this.account });
      case 'GET country_specs/id': return ok({ id, object: 'country_spec', supported_payment_currencies: this.currencies });
      case 'GET webhook_endpoints': return list(this.endpoints);
      default: return refused(404, 'invalid_request_error', 'resource_missing');
    }
  }

  #openSession(fields: URLSearchParams): Row {
    const id = this.#next('cs_test');
    const session: Row = {
      id, object: 'checkout.session', url: `${this.url}/checkout/${id}`, expires_at: 4_102_444_800, status: 'open', payment_status: 'unpaid', payment_intent: null, invoice: null,
      amount_total: Number(fields.get('line_items[0][price_data][unit_amount]')), currency: fields.get('line_items[0][price_data][currency]'),
      customer: fields.get('customer'), metadata: { payment: fields.get('metadata[payment]') },
      shown: { name: fields.get('line_items[0][price_data][product_data][name]'), description: fields.get('line_items[0][price_data][product_data][description]') },
      hidden: { payment: fields.get('payment_intent_data[metadata][payment]'), saves: fields.get('payment_intent_data[setup_future_usage]') === 'off_session' },
    };
    this.#sessions.set(id, session);
    return session;
  }

  #charge(fields: URLSearchParams): Reply {
    const id = this.#intent({
      amount: Number(fields.get('amount')), currency: fields.get('currency'), customer: fields.get('customer'), payment_method: fields.get('payment_method'),
      metadata: { payment: fields.get('metadata[payment]') }, status: 'processing', setup_future_usage: null,
    });
    const intent = rowOf(this.#intents, id);
    if (this.bank === 'succeeded') this.#succeed(intent);
    if (this.bank === 'succeeded' || this.bank === 'processing') return ok(intent);
    intent['status'] = 'requires_payment_method';
    const code = this.bank === 'declined' ? 'card_declined' : this.bank;
    return { status: 402, body: { error: { type: 'card_error', code, message: 'The card was refused.', payment_intent: intent } } };
  }

  #refundAsked(fields: URLSearchParams): Reply {
    const intent = this.#intents.get(String(fields.get('payment_intent')));
    const charge = this.#charges.get(String(intent?.['latest_charge']));
    const amount = Number(fields.get('amount'));
    if (intent === undefined || charge === undefined) return refused(400, 'invalid_request_error', 'payment_intent_unexpected_state');
    if (amount + Number(charge['amount_refunded']) > Number(intent['amount'])) return refused(400, 'invalid_request_error', 'charge_already_refunded');
    return ok(this.#refund({ intent: String(intent['id']), amount, status: this.refundStatus, metadata: { payment: fields.get('metadata[payment]'), refund: fields.get('metadata[refund]') } }));
  }

  #refund({ intent, amount, status, metadata = {} }: { readonly intent: string; readonly amount: number; readonly status: string; readonly metadata?: Row }): Row {
    const charge = rowOf(this.#charges, String(rowOf(this.#intents, intent)['latest_charge']));
    charge['amount_refunded'] = Number(charge['amount_refunded']) + amount;
    const refund = { id: this.#next('re'), object: 'refund', payment_intent: intent, amount, status, metadata };
    this.#refunds.push(refund);
    return refund;
  }

  #intent(fields: Row): string {
    const id = this.#next('pi');
    this.#intents.set(id, { id, object: 'payment_intent', latest_charge: null, ...fields });
    return id;
  }

  #succeed(intent: Row): void {
    const id = this.#next('ch');
    this.#charges.set(id, { id, object: 'charge', amount_refunded: 0, disputed: false, receipt_url: `${this.url}/receipts/${id}` });
    Object.assign(intent, { status: 'succeeded', latest_charge: id });
  }

  #expanded(session: Row | undefined): Row | undefined {
    return session === undefined ? undefined : { ...session, payment_intent: this.#withCharge(this.#intents.get(String(session['payment_intent']))) ?? null };
  }

  #withCharge(intent: Row | undefined): Row | undefined {
    return intent === undefined ? undefined : { ...intent, latest_charge: this.#charges.get(String(intent['latest_charge'])) ?? null };
  }

  #next(prefix: string): string {
    return `${prefix}_${this.#count += 1}`;
  }
}

export function signed(body: string, { secret, at }: Signing): SignedNotification {
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return { body, signature: `t=${at},v1=${signature}` };
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'object' in value;
}

function rowOf(rows: ReadonlyMap<string, Row>, id: string): Row {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`the server has no ${id}`);
  return row;
}

function ok(body: Row): Reply {
  return { status: 200, body };
}

function list(data: readonly unknown[]): Reply {
  return ok({ object: 'list', data, has_more: false });
}

function found(row: Row | undefined): Reply {
  return row === undefined ? refused(404, 'invalid_request_error', 'resource_missing') : ok(row);
}

function refused(status: number, type: string, code: string, param: string | null = null): Reply {
  return { status, body: { error: { type, code, message: 'The request was refused.', ...(param === null ? {} : { param }) } } };
}
