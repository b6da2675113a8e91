import type { ServedModel } from '../billing/usage-record.js';
import { contextExceeded, GatewayError, type GatewayErrorDetails } from '../errors/gateway-error.js';
import type { Model } from '../models/catalogue.js';
import { type ContextDemand, refusedContext, roomForOutput } from '../models/context.js';
import { STANDARD_PRICES } from '../models/price-list.js';
import type { CancelSignal } from '../primitives/cancel-signal.js';
import type { Clock } from '../primitives/clock.js';
import { type TokenCount, tokenCount } from '../primitives/token-count.js';
import type { Candidate } from './candidates.js';
import { beforeHeaders } from './early-headers.js';
import type { GenerationObserver } from './generation-observer.js';
import type { GenerationRequest, ThinkingDisplay } from './generation-request.js';
import type { HeldRequest } from './held-request.js';
import { type MeteredBatch, MeteredStream } from './metered-stream.js';
import { type ModelProvider, ProviderFailure, type ProviderStream } from './model-provider.js';
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
  /** `stream` for a whole response too, if its output may outgrow the reservation. */
  readonly upstreamDelivery: 'whole' | 'stream';
  /**
   * Maximum time for which a stream's headers wait for the first output; three times as long while another candidate remains. Then they are sent
   * without output, and no other candidate may serve any more. `null` for no limit.
   */
  readonly earlyHeadersMilliseconds: number | null;
  readonly signal: CancelSignal;
}

/** The batches read so far, and the remaining stream. */
export interface OpenedGeneration {
  readonly batches: readonly MeteredBatch[];
  /** The first batch of a stream whose headers precede it; `null` if it is in `batches`. Rejects with the `GatewayError` that ends the stream. */
  readonly awaited: Promise<MeteredBatch> | null;
  readonly stream: MeteredStream;
  readonly thinking: ThinkingDisplay;
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

/** Thinking is shown for models declared as reasoning, unless the request turns reasoning off. */
export function thinkingDisplay({ reasoning }: GenerationRequest, model: Model): ThinkingDisplay {
  return model.reasoning && reasoning !== 'off' ? 'shown' : 'withheld';
}

/** `null` if another candidate may serve. */
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
  /** The last candidate's response is delivered even if empty. */
  readonly isLast: boolean;
}

/** Reads to a stream's first output, to the time limit for its headers, or to the end of a whole response. Until then another candidate may serve. */
async function tryCandidate({ candidate, demand, isLast }: Trial, ports: OpenPorts): Promise<OpenedGeneration> {
  const { held, request, prompt, upstreamDelivery, signal } = demand;
  const { model, target } = candidate;
  const context = contextDemandOf(demand, model);
  const maxOutputTokens = tokenCount(Math.min(demand.maxOutputTokens, roomForOutput(context, model)));
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
  const meter = new UsageMeter(ports.estimator, { source, promptTokens: context.promptTokens, largestPromptTokens, maxOutputTokens, thinking });
  held.accept(serviceOf(source, candidate, demand), meter);
  const stream = new MeteredStream({
    source, meter, held, largestPromptTokens, maxOutputTokens, enforcesMaxTokens: model.enforcesMaxTokens,
    onImplausible: (reported, counted) => ports.observer.usageImplausible({ requestId: held.facts.requestId, ...candidate, reported, counted }),
  });
  const { upstreamModel } = target;
  try {
    const first = stream.next();
    const begun = await beforeHeaders(first, ports.clock, { milliseconds: source.isEventStream === true ? demand.earlyHeadersMilliseconds : null, isLast });
    if (begun === null) return { batches: [], awaited: afterHeaders(first, { candidate, demand, observer: ports.observer }), stream, thinking, upstreamModel };
    const batches: MeteredBatch[] = [begun];
    while (!held.facts.streamed && batches.at(-1)?.end === null) batches.push(await stream.next());
    if (!isLast && batches.at(-1)?.end?.reason === 'empty') throw new ProviderFailure('unavailable', 'the upstream sent an empty reply');
    return { batches, awaited: null, stream, thinking, upstreamModel };
  } catch (failure) {
    stream.close();
    throw failure;
  }
}

function serviceOf(stream: ProviderStream, { model, target: { upstreamId } }: Candidate, { request, requestedModel }: OpenDemand): ServedModel {
  const { slug: servedBy, price, priceVersion = STANDARD_PRICES } = model;
  const service = { servedBy, upstreamId, fallbackUsed: servedBy !== requestedModel.slug, price, priceVersion };
  const omitted = [...new Set([...request.omitted ?? [], ...stream.omitted ?? []])];
  return omitted.length === 0 ? service : { ...service, omitted };
}

/** After the headers, a failure ends the request, because no other candidate may serve any more. */
function afterHeaders(first: Promise<MeteredBatch>, attempt: Attempt): Promise<MeteredBatch> {
  const awaited = first.catch((failure: unknown) => {
    tolerate(failure, attempt);
    throw unavailable([failure]);
  });
  // Prevents an unhandled rejection after the client has disconnected.
  awaited.catch(() => undefined);
  return awaited;
}

/** Records a failure if the next candidate may be tried; throws if the request is over. */
function tolerate(failure: unknown, attempt: Attempt): void {
  const { candidate, demand: { held, signal }, observer } = attempt;
  if (signal.aborted) throw unavailable([failure]);
  held.abandon();
  const refusal = refusalOf(failure, attempt);
  if (refusal !== null) throw refusal;
  observer.candidateFailed({ requestId: held.facts.requestId, ...candidate, failure });
}

/** The shortest wait if all candidates stated how long they refuse calls; otherwise unknown. */
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
 * The first candidate with output serves, or the candidate whose output is awaited when the headers are due; the last candidate serves even without
 * output. Throws the refusal of a request that is invalid or too long, and the error of a ledger that fails; otherwise `provider_unavailable`. After
 * an abort, the candidate that accepted the request stays recorded, because its prompt is charged if the client disconnected.
 */
export async function openWithFallback(demand: OpenDemand, ports: OpenPorts): Promise<OpenedGeneration> {
  const failures: unknown[] = [];
  for (const candidate of demand.candidates) {
    if (demand.signal.aborted) break;
    try {
      return await tryCandidate({ candidate, demand, isLast: candidate === demand.candidates.at(-1) }, ports);
    } catch (failure) {
      tolerate(failure, { candidate, demand, observer: ports.observer });
      failures.push(failure);
    }
  }
  throw unavailable(failures);
}
