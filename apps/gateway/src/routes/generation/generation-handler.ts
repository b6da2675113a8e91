import {
  type Caller, type CancelSignal, type CatalogueSource, type Clock, collectGeneration, type CompletedGeneration, type DecodedRequest, type EncodeContext, GatewayError, type Generation, type GenerationEventBatch,
  type GenerationService, type IdempotencyClaimName, type IdGenerator, type RateLimiter, type RequestId, type StoredReply, toGatewayError, type WireFormat,
} from '@tollgate/core';
import type { ParsedJson } from '@tollgate/json-text';
import { quotaHeaders, replayHeaders, servedModelHeaders, wholeReplyHeaders } from '@tollgate/wire-kit';
import type { HttpExchange } from '../../http/http-exchange.js';
import type { AdmissionGate } from '../../http/admission-gate.js';
import type { ErrorReply } from '../../http/reply/error-reply.js';
import { sendJsonText } from '../../http/reply/send-json.js';
import { writeSse } from '../../http/reply/write-sse.js';
import type { EarlierReply, IdempotentRequests } from './idempotent-requests.js';
import { type CallerTerms, type KeptReplies, termsWithoutReplies } from './kept-replies.js';
import { requestModel } from './request-model.js';
import type { Sender, StoredLoads } from './stored-loads.js';

interface GenerationHandlerPorts {
  readonly generations: GenerationService;
  readonly gate: AdmissionGate;
  readonly errors: ErrorReply;
  readonly idempotent: IdempotentRequests;
  readonly loads: StoredLoads;
  readonly limiter: RateLimiter;
  readonly catalogue: CatalogueSource;
  readonly ids: IdGenerator;
  readonly clock: Clock;
}

interface AcceptedRequest {
  readonly exchange: HttpExchange;
  readonly caller: Caller;
  readonly decoded: DecodedRequest;
  readonly signal: CancelSignal;
  /** The first request of the purchase that this request joins; `null` for a new purchase. */
  readonly purchaseOf: RequestId | null;
}

interface Once {
  readonly claim: IdempotencyClaimName;
  readonly fingerprint: string;
}

export interface DecodedBody {
  readonly decoded: DecodedRequest;
  /** `null` without an idempotency key. */
  readonly once: Pick<IdempotencyClaimName, 'key'> & Pick<Once, 'fingerprint'> | null;
}

/** A body with an idempotency key whose references could not be resolved. */
export interface RefusedBody {
  readonly refusal: unknown;
  readonly once: NonNullable<DecodedBody['once']>;
}

interface Reply extends Pick<DecodedRequest, 'delivery' | 'outputField'> {
  readonly exchange: HttpExchange;
  readonly generation: Generation;
  readonly events: AsyncIterableIterator<GenerationEventBatch, undefined>;
  readonly context: EncodeContext;
}

/** Called with a whole reply before it is sent; with `null` after a stream, and after a failure. */
type OnComplete = (reply: StoredReply | null) => Promise<void>;

/** Serves requests of `/v1` and the playground, in the same way for every format once they are decoded. */
export class GenerationHandler {
  /** `kept` stores replies for later references. */
  constructor(private readonly ports: GenerationHandlerPorts, readonly format: WireFormat, readonly kept: KeptReplies | null = null) {}

  /** Decodes a body, synchronously unless it has references. Throws or rejects with an error that names the field. */
  decode({ value, source }: ParsedJson, sender: Sender): DecodedRequest | Promise<DecodedRequest> {
    const { requestLimits: limits } = this.ports.catalogue.current();
    const decode = (terms: CallerTerms): DecodedRequest => this.format.decodeRequest(value, source, { ...terms, limits });
    return this.kept === null ? decode(termsWithoutReplies(sender.accountId)) : this.kept.decodeWith(sender, value, decode);
  }

  /**
   * Serves a request. Does not retain the request while its reply is sent, which may take minutes: suspended functions keep their variables
   * (`docs/performance.md`).
   */
  handle(exchange: HttpExchange, caller: Caller, { decoded, once }: DecodedBody): Promise<void> {
    requestModel(exchange, decoded.generation.model, this.ports.catalogue);
    this.ports.gate.check();
    const request = { exchange, caller, decoded, signal: exchange.signal, purchaseOf: null };
    if (once === null) return this.begin(request).then((reply) => this.deliver(reply, null));
    const claim = { accountId: caller.account.id, key: once.key, requestId: exchange.requestId };
    return this.answerOnce(request, { claim, fingerprint: once.fingerprint });
  }

  /**
   * Replays the earlier reply, which may exist although the responses that the request refers to are gone. Throws the refusal if there is no earlier
   * reply.
   */
  async replayRefused(exchange: HttpExchange, caller: Caller, { refusal, once }: RefusedBody): Promise<void> {
    const { idempotent } = this.ports;
    const claim = { accountId: caller.account.id, key: once.key, requestId: exchange.requestId };
    const { earlier } = await idempotent.begin(claim, once.fingerprint).catch(() => {
      throw refusal;
    });
    if (earlier === null) return this.giveBack(claim, refusal);
    return this.replay(exchange, caller, earlier);
  }

  private async answerOnce(request: AcceptedRequest, { claim, fingerprint }: Once): Promise<void> {
    const { idempotent } = this.ports;
    const { exchange, caller, decoded } = request;
    const begun = await idempotent.begin(claim, fingerprint);
    if (begun.earlier !== null) return this.replay(exchange, caller, begun.earlier);
    // A client with an idempotency key will repeat the request for the whole reply, so the reply is completed even if the client disconnects.
    const signal = decoded.delivery === 'whole' ? exchange.stopSignal : exchange.signal;
    return this.begin({ ...request, signal, purchaseOf: begun.purchaseOf }).then(
      (reply) => this.deliverOnce(reply, claim),
      (failure: unknown) => this.giveBack(claim, failure),
    );
  }

  /**
   * A failure after the reply has begun may be charged, so the key stays taken. It is released if the settlement was refused permanently, because the
   * request is then free.
   */
  private async deliverOnce(reply: Reply, claim: IdempotencyClaimName): Promise<void> {
    const { idempotent } = this.ports;
    const end: OnComplete = (whole) => (reply.generation.events.isUncharged ? idempotent.release(claim) : idempotent.finish(claim, whole));
    try {
      await this.deliver(reply, end);
    } catch (failure) {
      await end(null);
      throw failure;
    }
  }

  /** Releases the key, since nothing was served and the request may be repeated. */
  private async giveBack(claim: IdempotencyClaimName, failure: unknown): Promise<never> {
    await this.ports.idempotent.release(claim);
    throw failure;
  }

  private async begin(request: AcceptedRequest): Promise<Reply> {
    const { exchange, caller, decoded } = request;
    try {
      const generation = await this.generate(request);
      exchange.addHeaders(quotaHeaders(generation.quota));
      const context = this.contextOf(exchange, decoded);
      const events = this.kept?.keeping(generation.events, caller.account.id, context) ?? generation.events;
      return { exchange, generation, events, context, delivery: decoded.delivery, outputField: decoded.outputField };
    } catch (failure) {
      throw overflowInWords(failure, this.format, decoded);
    }
  }

  private async deliver(reply: Reply, onComplete: OnComplete | null): Promise<void> {
    if (reply.delivery === 'stream') {
      await this.stream(reply);
      return onComplete?.(null);
    }
    const whole = this.wholeOf(await collectGeneration(reply.events), reply.context);
    if (onComplete !== null) await onComplete(whole);
    sendWhole(reply.exchange, whole);
  }

  private generate({ exchange, caller, decoded, signal, purchaseOf }: AcceptedRequest): Promise<Generation> {
    const { requestId, startedAt, unbilled } = exchange;
    return this.ports.generations.generate({
      caller, requestId, request: decoded.generation, format: this.format.name, delivery: decoded.delivery, signal, startedAt, unbilled, purchaseOf,
    });
  }

  private contextOf({ requestId }: HttpExchange, { includeUsage, echo }: DecodedRequest): EncodeContext {
    const { ids, clock } = this.ports;
    return { responseId: ids.responseId(this.format.responseIdPrefix), createdAt: clock.now(), requestId, includeUsage, echo };
  }

  private stream({ exchange, generation, events, context, outputField }: Reply): Promise<void> {
    exchange.addHeaders(servedModelHeaders(generation.servedBy));
    return writeSse({
      exchange,
      events,
      encoder: this.format.streamEncoder(context),
      keepAliveFrame: this.format.keepAliveFrame,
      errorOf: (failure) => toGatewayError(overflowInWords(failure, this.format, { outputField })),
      onFailure: (error) => this.ports.errors.noteBrokenStream(exchange, error),
    });
  }

  private wholeOf(completed: CompletedGeneration, context: EncodeContext): StoredReply {
    return { headers: wholeReplyHeaders(completed.servedBy, completed.settlement), body: this.format.encodeResponse(completed, context) };
  }

  /** Replays a reply with its original figures. A replay is not charged, and counts against no limit of the plan. */
  private async replay(exchange: HttpExchange, { account, plan }: Caller, earlier: EarlierReply): Promise<void> {
    const { loads, limiter, idempotent } = this.ports;
    const { unbilled, signal } = exchange;
    exchange.addHeaders(quotaHeaders(await limiter.quota(account.id, { limits: plan.limits, incident: null })));
    exchange.addHeaders(replayHeaders(earlier.requestId));
    await loads.send({ accountId: account.id, unbilled, signal, body: null }, exchange.res, {
      sizeOf: async () => earlier.bytes,
      send: async () => sendWhole(exchange, await idempotent.read(earlier)),
    });
  }
}

/** Gives a context overflow the message of the format; other failures are unchanged. */
export function overflowInWords(failure: unknown, format: WireFormat, { outputField }: Pick<DecodedRequest, 'outputField'>): unknown {
  if (!(failure instanceof GatewayError) || failure.overflow === null) return failure;
  return failure.inWords(format.describeOverflow(failure.overflow, outputField));
}

function sendWhole(exchange: HttpExchange, { headers, body }: StoredReply): void {
  if (exchange.clientLeft) return;
  exchange.addHeaders(headers);
  sendJsonText(exchange, 200, body);
}

export interface Generations {
  readonly chat: GenerationHandler;
  readonly messages: GenerationHandler;
  readonly responses: GenerationHandler;
}
