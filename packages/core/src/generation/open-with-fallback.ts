import { contextExceeded, GatewayError, type GatewayErrorDetails } from '../errors/gateway-error.js';
import type { Model } from '../models/catalogue.js';
import { type ContextDemand, refusedContext, roomForOutput } from '../models/context.js';
import type { CancelSignal } from '../primitives/cancel-signal.js';
import type { Clock } from '../primitives/clock.js';
import { type TokenCount, tokenCount } from '../primitives/primitives.js';
import type { Candidate } from './candidates.js';
import { beforeHeaders } from './early-headers.js';
import type { GenerationObserver } from './generation-observer.js';
import type { GenerationRequest, ThinkingDisplay } from './generation-request.js';
import type { HeldRequest } from './held-request.js';
import { type MeteredBatch, MeteredStream } from './metered-stream.js';
import { type ModelProvider, ProviderFailure } from './model-provider.js';
import type { PromptEstimate } from './prompt-estimate.js';
import { readableBy } from './signature.js';
import type { TokenEstimator } from './token-estimator.js';
import { UsageMeter } from './usage-meter.js';

export interface OpenPorts {
  readonly provider: ModelProvider;
  readonly estimator: TokenEstimator;
  readonly observer: GenerationObserver;
  readonly clock: Clock;
}

export interface OpenDemand {
  readonly held: HeldRequest;
  readonly request: GenerationRequest;
  readonly requestedModel: Model;
  readonly candidates: readonly Candidate[];
  readonly prompt: PromptEstimate;
  readonly maxOutputTokens: TokenCount;
  /** How the upstream is read. A whole reply is read as a stream too when its output may outgrow the reservation. */
  readonly upstreamDelivery: 'whole' | 'stream';
  /** How long the headers of a stream wait for its first output, once the upstream has accepted the request; `null`: as long as it takes. */
  readonly earlyHeadersMilliseconds: number | null;
  readonly signal: CancelSignal;
}

/** A candidate that has begun to serve: what it sent so far, and the rest to come. */
export interface OpenedGeneration {
  readonly batches: readonly MeteredBatch[];
  /** The first batch of a stream whose headers leave before it; `null` where `batches` has it. Rejects with the `GatewayError` that ends the stream. */
  readonly awaited: Promise<MeteredBatch> | null;
  readonly stream: MeteredStream;
  readonly thinking: ThinkingDisplay;
  /** The upstream's own name of the model. */
  readonly upstreamModel: string;
}

interface Attempt {
  readonly candidate: Candidate;
  readonly demand: OpenDemand;
  readonly observer: GenerationObserver;
}

function contextDemandOf({ prompt, request }: OpenDemand, model: Model): ContextDemand {
  return { promptTokens: prompt.tokensFor(model), requestedOutputTokens: request.maxOutputTokens };
}

/** Thinking is shown where the request left it on and the model is declared as reasoning. */
export function thinkingDisplay({ reasoning }: GenerationRequest, model: Model): ThinkingDisplay {
  return model.reasoning && reasoning !== 'off' ? 'shown' : 'withheld';
}

/** What ends the request at once; `null` when another candidate may serve. */
function refusalOf(failure: unknown, { candidate: { model }, demand }: Attempt): GatewayError | null {
  if (failure instanceof GatewayError) return failure;
  if (!(failure instanceof ProviderFailure)) return null;
  switch (failure.kind) {
    case 'unavailable':
    case 'out-of-time': return null;
    case 'rejected': return new GatewayError('invalid_request', 'The model does not accept this request.', { cause: failure });
    case 'too-long': return contextExceeded(refusedContext(contextDemandOf(demand, model), model), failure);
  }
}

interface Trial {
  readonly candidate: Candidate;
  readonly demand: OpenDemand;
  /** No other one is left, so that an empty reply is served. */
  readonly isLast: boolean;
}

/**
 * Opens a candidate and reads until a stream has shown its first output or has been silent for too long, or a whole reply is complete: until then
 * another candidate may serve.
 */
async function tryCandidate({ candidate, demand, isLast }: Trial, ports: OpenPorts): Promise<OpenedGeneration> {
  const { held, request, requestedModel, prompt, upstreamDelivery, signal } = demand;
  const { model, target } = candidate;
  const maxOutputTokens = tokenCount(Math.min(demand.maxOutputTokens, roomForOutput(contextDemandOf(demand, model), model)));
  const largestPromptTokens = tokenCount(Math.min(prompt.largestCredibleFor(model), model.contextWindowTokens));
  const thinking = thinkingDisplay(request, model);
  const source = await ports.provider.open({
    requestId: held.facts.requestId,
    accountId: held.facts.accountId,
    model,
    target,
    request: readableBy(target.upstreamModel, request),
    maxOutputTokens,
    delivery: upstreamDelivery,
    signal,
  });
  const meter = new UsageMeter(ports.estimator, { source, promptTokens: prompt.tokensFor(model), largestPromptTokens, maxOutputTokens, thinking });
  const { omitted = [] } = source;
  held.accept({
    servedBy: model.slug, upstreamId: target.upstreamId, fallbackUsed: model.slug !== requestedModel.slug, price: model.price,
    ...(omitted.length === 0 ? {} : { omitted }),
  }, meter);
  const stream = new MeteredStream({
    source, meter, held, largestPromptTokens, maxOutputTokens, enforcesMaxTokens: model.enforcesMaxTokens,
    onDisbelieved: (reported, counted) => ports.observer.usageDisbelieved({ requestId: held.facts.requestId, ...candidate, reported, counted }),
  });
  const opened = { stream, thinking, upstreamModel: target.upstreamModel };
  try {
    const first = stream.next();
    const begun = await beforeHeaders(first, ports.clock, { milliseconds: source.isEventStream === true ? demand.earlyHeadersMilliseconds : null, isLast });
    if (begun === null) return { ...opened, batches: [], awaited: afterHeaders(first, { candidate, demand, observer: ports.observer }) };
    const batches: MeteredBatch[] = [begun];
    while (!held.facts.streamed && batches.at(-1)?.end === null) batches.push(await stream.next());
    if (!isLast && batches.at(-1)?.end?.reason === 'empty') throw new ProviderFailure('unavailable', 'the upstream sent an empty reply');
    return { ...opened, batches, awaited: null };
  } catch (failure) {
    stream.close();
    throw failure;
  }
}

/** The first output of a stream that has begun without it. What it fails with ends the request: no other candidate may serve. */
function afterHeaders(first: Promise<MeteredBatch>, attempt: Attempt): Promise<MeteredBatch> {
  const awaited = first.catch((failure: unknown) => {
    tolerate(failure, attempt);
    throw unavailable([failure]);
  });
  // A client that leaves waits for it no longer.
  awaited.catch(() => undefined);
  return awaited;
}

/** Takes note of a failure after which the next candidate may be tried; throws when the request is over. */
function tolerate(failure: unknown, attempt: Attempt): void {
  const { candidate, demand: { held, signal }, observer } = attempt;
  if (signal.aborted) throw unavailable([failure]);
  held.abandon();
  const refusal = refusalOf(failure, attempt);
  if (refusal !== null) throw refusal;
  observer.candidateFailed({ requestId: held.facts.requestId, ...candidate, failure });
}

/** Every candidate is closed for a while: the wait until the first one opens. Otherwise one may serve at any time, and nothing is known. */
function waitOf(failures: readonly unknown[]): Pick<GatewayErrorDetails, 'retryAfterSeconds'> {
  const waits = failures.flatMap((failure) => (failure instanceof ProviderFailure ? failure.retryAfterSeconds ?? [] : []));
  return waits.length === 0 || waits.length < failures.length ? {} : { retryAfterSeconds: Math.min(...waits) };
}

function unavailable(failures: readonly unknown[]): GatewayError {
  return new GatewayError('provider_unavailable', 'The model is not available at the moment. Please try again later.', {
    ...waitOf(failures),
    cause: new AggregateError(failures, 'no candidate served the request'),
  });
}

/**
 * The first candidate that produces output wins. Throws the refusal when the request is at fault, else `provider_unavailable`.
 * After an abort the candidate that had accepted the request stays on record, since a client that left pays for it.
 */
export async function openWithFallback(demand: OpenDemand, ports: OpenPorts): Promise<OpenedGeneration> {
  const failures: unknown[] = [];
  for (const [index, candidate] of demand.candidates.entries()) {
    if (demand.signal.aborted) break;
    try {
      return await tryCandidate({ candidate, demand, isLast: index === demand.candidates.length - 1 }, ports);
    } catch (failure) {
      tolerate(failure, { candidate, demand, observer: ports.observer });
      failures.push(failure);
    }
  }
  throw unavailable(failures);
}
