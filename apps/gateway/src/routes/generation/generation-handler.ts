import {
  type Caller, type CancelSignal, type CatalogueSource, type Clock, collectGeneration, type DecodedRequest, type EncodeContext, GatewayError, type Generation, type GenerationEventBatch,
  type GenerationService, type IdempotencyClaimName, type IdGenerator, type RateLimiter, type RequestId, type StoredReply, toGatewayError, type WireFormat,
} from '@tollgate/core';
import type { ParsedJson } from '@tollgate/json-text';
import { quotaHeaders, replayHeaders, servedModelHeaders, settlementHeaders } from '@tollgate/wire-kit';
import type { HttpExchange } from '../../http/http-exchange.js';
import type { AdmissionGate } from '../../http/running-exchanges.js';
import type { ErrorReply } from '../../http/reply/error-reply.js';
import { sendJsonText } from '../../http/reply/send-json.js';
import { writeSse } from '../../http/reply/write-sse.js';
import type { EarlierReply, IdempotentRequests } from './idempotent-requests.js';
import { type CallerTerms, type KeptReplies, termsWithoutReplies } from './kept-replies.js';
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

/** A decoded request of a caller. */
interface AcceptedRequest {
  readonly exchange: HttpExchange;
  readonly caller: Caller;
  readonly decoded: DecodedRequest;
  /** Ends the generation when it is aborted. */
  readonly signal: CancelSignal;
  /** The first request of the purchase that it continues; `null` if it is one of its own. */
  readonly purchaseOf: RequestId | null;
}

/** A request whose client may send it again, with what tells it from another under the same key. */
interface Once {
  readonly claim: IdempotencyClaimName;
  readonly fingerprint: string;
}

/** A body once it is decoded. */
export interface DecodedBody {
  readonly decoded: DecodedRequest;
  /** `null` for a request that is served as often as it is sent. */
  readonly once: Pick<IdempotencyClaimName, 'key'> & Pick<Once, 'fingerprint'> | null;
}

/** A body whose references could not be resolved. */
export interface RefusedBody {
  readonly refusal: unknown;
  readonly once: NonNullable<DecodedBody['once']>;
}

/** A reply in progress. */
interface Reply extends Pick<DecodedRequest, 'delivery' | 'outputField'> {
  readonly exchange: HttpExchange;
  readonly generation: Generation;
  readonly events: AsyncIterableIterator<GenerationEventBatch, undefined>;
  readonly context: EncodeContext;
}

/** Told once a reply is complete, before it leaves; of a streamed one, that it is over. */
type OnComplete = (reply: StoredReply | null) => Promise<void>;

/** Generates in one wire format, for `/v1` and for the playground. Nothing after the decoding of the request depends on which format it is. */
export class GenerationHandler {
  /** `kept` keeps replies of a format whose requests may refer to earlier ones. */
  constructor(private readonly ports: GenerationHandlerPorts, readonly format: WireFormat, readonly kept: KeptReplies | null = null) {}

  /** At once, unless the request refers to stored replies. Rejects, or throws, with the refusal that names the field. */
  decode({ value, source }: ParsedJson, sender: Sender): DecodedRequest | Promise<DecodedRequest> {
    const { requestLimits: limits } = this.ports.catalogue.current();
    const decode = (terms: CallerTerms): DecodedRequest => this.format.decodeRequest(value, source, { limits, ...terms });
    return this.kept === null ? decode(termsWithoutReplies(sender.accountId)) : this.kept.decodeWith(sender, value, decode);
  }

  /** Releases the request once its reply starts, which may take minutes: a suspended function keeps its variables (`docs/performance.md`). */
  async handle(exchange: HttpExchange, caller: Caller, { decoded, once }: DecodedBody): Promise<void> {
    exchange.requestedModel = decoded.generation.model;
    this.ports.gate.check();
    const request = { exchange, caller, decoded, signal: exchange.signal, purchaseOf: null };
    if (once === null) return this.begin(request).then((reply) => this.deliver(reply, null));
    const claim = { accountId: caller.account.id, key: once.key, requestId: exchange.requestId };
    return this.answerOnce(request, { claim, fingerprint: once.fingerprint });
  }

  /** What a request refers to may be gone by the time its client sends it again. Its reply is not. */
  async replayRefused(exchange: HttpExchange, caller: Caller, { refusal, once }: RefusedBody): Promise<void> {
    const { idempotent } = this.ports;
    const claim = { accountId: caller.account.id, key: once.key, requestId: exchange.requestId };
    const { earlier } = await idempotent.begin(claim, once.fingerprint).catch(() => {
      throw refusal;
    });
    if (earlier === null) return this.giveBack(claim, refusal);
    return this.replay(exchange, caller, earlier);
  }

  /** Serves a request that its client may send again, unless it has been served already. */
  private async answerOnce(request: AcceptedRequest, { claim, fingerprint }: Once): Promise<void> {
    const { idempotent } = this.ports;
    const { exchange, caller, decoded } = request;
    const begun = await idempotent.begin(claim, fingerprint);
    if (begun.earlier !== null) return this.replay(exchange, caller, begun.earlier);
    // A client with a key will ask again for a whole reply, so it is completed even if the client leaves.
    const signal = decoded.delivery === 'whole' ? exchange.stopSignal : exchange.signal;
    return this.begin({ ...request, signal, purchaseOf: begun.purchaseOf }).then(
      (reply) => this.deliverOnce(reply, claim),
      (failure: unknown) => this.giveBack(claim, failure),
    );
  }

  /** What fails once a reply has begun may be charged all the same, and its key stays taken; unless its settlement failed for good, which makes it free. */
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

  /** Nothing was served, so that the request may be sent again. */
  private async giveBack(claim: IdempotencyClaimName, failure: unknown): Promise<never> {
    await this.ports.idempotent.release(claim);
    throw failure;
  }

  private async begin(request: AcceptedRequest): Promise<Reply> {
    const { exchange, caller, decoded } = request;
    const generation = await this.generate(request).catch((failure: unknown) => {
      throw overflowInWords(failure, this.format, decoded);
    });
    exchange.addHeaders(quotaHeaders(generation.quota));
    const context = this.contextOf(exchange, decoded);
    const events = this.kept?.keeping(generation.events, caller.account.id, context) ?? generation.events;
    return { exchange, generation, events, context, delivery: decoded.delivery, outputField: decoded.outputField };
  }

  private async deliver(reply: Reply, onComplete: OnComplete | null): Promise<void> {
    if (reply.delivery === 'stream') {
      await this.stream(reply);
      return onComplete?.(null);
    }
    const whole = await this.complete(reply);
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

  private async stream({ exchange, generation, events, context, outputField }: Reply): Promise<void> {
    exchange.addHeaders(servedModelHeaders(generation.servedBy));
    await writeSse({
      exchange,
      events,
      encoder: this.format.streamEncoder(context),
      keepAliveFrame: this.format.keepAliveFrame,
      errorOf: (failure) => toGatewayError(overflowInWords(failure, this.format, { outputField })),
      onFailure: (error) => this.ports.errors.noteBrokenStream(exchange, error),
    });
  }

  private async complete({ events, context }: Reply): Promise<StoredReply> {
    const completed = await collectGeneration(events);
    return {
      headers: { ...servedModelHeaders(completed.servedBy), ...settlementHeaders(completed.settlement) },
      body: this.format.encodeResponse(completed, context),
    };
  }

  /** Gives a reply again. Counts against no limit of the plan and costs nothing; the figures in it are those of the first time. */
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

/** The core says by how much a request exceeds the context, and the format in which words. Other failures stay as they are. */
export function overflowInWords(failure: unknown, format: WireFormat, { outputField }: Pick<DecodedRequest, 'outputField'>): unknown {
  if (!(failure instanceof GatewayError) || failure.overflow === null) return failure;
  return failure.inWords(format.describeOverflow(failure.overflow, outputField));
}

function sendWhole(exchange: HttpExchange, { headers, body }: StoredReply): void {
  if (exchange.clientLeft) return;
  exchange.addHeaders(headers);
  sendJsonText(exchange, 200, body);
}

/** The handlers of all formats. */
export interface Generations {
  readonly chat: GenerationHandler;
  readonly messages: GenerationHandler;
  readonly responses: GenerationHandler;
}
