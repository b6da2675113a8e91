import type { Caller } from '../accounts/account.js';
import { expectedOutput, reservationAmount } from '../billing/reservation-amount.js';
import type { RequestFacts, WireFormatName } from '../billing/usage-record.js';
import { GatewayError } from '../errors/gateway-error.js';
import { type ModelSlug, type ProcessId, type RequestId, type TokenCount, tokenCount } from '../ids.js';
import type { Admission } from '../limits/admission.js';
import { effectiveLimits } from '../limits/effective-limits.js';
import { limitRefusal } from '../limits/limit-refusal.js';
import type { QuotaSnapshot } from '../limits/quota-snapshot.js';
import type { Catalogue } from '../models/catalogue.js';
import { checkContext } from '../models/check-context.js';
import type { Model } from '../models/model.js';
import { permitModel } from '../models/permit-model.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { PlanLimits } from '../plans/plan.js';
import type { CatalogueSource } from '../ports/catalogue-source.js';
import type { Clock } from '../ports/clock.js';
import type { GenerationObserver } from '../ports/generation-observer.js';
import type { IdGenerator } from '../ports/id-generator.js';
import type { Ledger } from '../ports/ledger.js';
import type { CancelSignal, ModelProvider } from '../ports/model-provider.js';
import type { PlatformState } from '../ports/platform-state.js';
import type { RateLimiter } from '../ports/rate-limiter.js';
import type { TokenEstimator } from '../ports/token-estimator.js';
import { type Instant, later } from '../time/instant.js';
import type { GenerationEventBatch } from './generation-event.js';
import type { GenerationRequest } from './generation-request.js';
import { HeldRequest } from './held-request.js';
import { openWithFallback } from './open-with-fallback.js';
import { routeCandidates, routeModels } from './route-candidates.js';
import type { RunningGenerations } from './running-generations.js';
import { abortReasonOf, SettlingStream } from './settling-stream.js';
import { NO_USAGE } from './usage.js';

export interface GenerationPorts {
  readonly catalogue: CatalogueSource;
  readonly platform: PlatformState;
  readonly estimator: TokenEstimator;
  readonly limiter: RateLimiter;
  readonly ledger: Ledger;
  readonly provider: ModelProvider;
  readonly running: RunningGenerations;
  readonly observer: GenerationObserver;
  readonly ids: IdGenerator;
  readonly clock: Clock;
}

export interface GenerationSettings {
  readonly processId: ProcessId;
  /** Longer than any generation may last; after it the sweeper ends a reservation whoever holds it. */
  readonly reservationLifetimeMilliseconds: number;
}

export interface GenerateCommand {
  readonly caller: Caller;
  readonly requestId: RequestId;
  readonly request: GenerationRequest;
  readonly format: WireFormatName;
  readonly delivery: 'whole' | 'stream';
  /** Aborted with the reason `shutdown` when the service stops, with any other when the client left. */
  readonly signal: CancelSignal;
  readonly startedAt: Instant;
}

/** A generation that has begun. Whoever gets it reads `events` to their end or calls their `return()`. */
export interface Generation {
  readonly quota: QuotaSnapshot;
  readonly servedBy: ModelSlug;
  readonly fallbackUsed: boolean;
  readonly events: SettlingStream;
}

/** What a request needs, worked out before anything is taken. */
interface PreparedRequest {
  readonly command: GenerateCommand;
  readonly catalogue: Catalogue;
  readonly model: Model;
  readonly models: readonly Model[];
  readonly limits: PlanLimits;
  readonly promptTokens: TokenCount;
  readonly maxOutputTokens: TokenCount;
  readonly expectedOutputTokens: TokenCount;
}

type Admitted = Extract<Admission, { admitted: true }>;

/** Serves one request: choose, check, admit, reserve, open, stream, settle. Throws every refusal as `GatewayError`. */
export class GenerationService {
  constructor(private readonly ports: GenerationPorts, private readonly settings: GenerationSettings) {}

  async generate(command: GenerateCommand): Promise<Generation> {
    const prepared = this.prepare(command);
    const admission = await this.admit(prepared);
    const held = await this.reserve(prepared, admission);
    try {
      const opened = await openWithFallback({
        held,
        request: command.request,
        requestedModel: prepared.model,
        candidates: routeCandidates(prepared.models),
        promptTokens: prepared.promptTokens,
        maxOutputTokens: prepared.maxOutputTokens,
        upstreamDelivery: command.delivery === 'stream' || !held.covers(prepared.maxOutputTokens) ? 'stream' : 'whole',
        signal: command.signal,
      }, this.ports);
      const events = new SettlingStream({ opened, held, signal: command.signal, clock: this.ports.clock });
      return { quota: admission.quota, ...events.service, events };
    } catch (failure) {
      await this.endUnopened(held, command.signal, failure);
      throw withQuota(failure, admission.quota);
    }
  }

  private prepare(command: GenerateCommand): PreparedRequest {
    const { caller, request } = command;
    const catalogue = this.ports.catalogue.current();
    const model = permitModel(request.model, catalogue, caller.plan);
    const promptTokens = this.ports.estimator.estimatePrompt(request);
    const context = { promptTokens, requestedOutputTokens: request.maxOutputTokens };
    const maxOutputTokens = checkContext(context, model, caller.plan.limits);
    const incident = this.ports.platform.current().incidentLimits.get(model.slug) ?? null;
    return {
      command,
      catalogue,
      model,
      models: routeModels({ model, plan: caller.plan, ...context }, catalogue),
      limits: effectiveLimits(caller.plan.limits, incident, this.ports.clock.now()),
      promptTokens,
      maxOutputTokens,
      expectedOutputTokens: expectedOutput(maxOutputTokens),
    };
  }

  private async admit({ command, limits, promptTokens, expectedOutputTokens }: PreparedRequest): Promise<Admitted> {
    const admission = await this.ports.limiter.admit({
      accountId: command.caller.account.id,
      requestId: command.requestId,
      limits,
      kind: 'generation',
      tokens: tokenCount(promptTokens + expectedOutputTokens),
    });
    if (!admission.admitted) throw limitRefusal(admission);
    return admission;
  }

  private async reserve(prepared: PreparedRequest, { ticket }: Admitted): Promise<HeldRequest> {
    const { ledger, limiter, ids } = this.ports;
    const reservationId = ids.reservationId();
    const facts = factsOf(prepared);
    const amount = this.amountFor(prepared);
    try {
      const reserved = await ledger.reserve({
        reservationId,
        ownerId: this.settings.processId,
        amount,
        facts,
        expiresAt: later(facts.startedAt, this.settings.reservationLifetimeMilliseconds),
      });
      if (reserved.outcome === 'insufficient') throw insufficientBalance(amount, reserved.available);
    } catch (failure) {
      await limiter.release(ticket, { kind: 'undone' });
      throw withQuota(failure, await limiter.quota(facts.accountId, prepared.limits));
    }
    return new HeldRequest(this.ports, { reservationId, ticket, facts, coveredOutputTokens: prepared.expectedOutputTokens });
  }

  private amountFor({ promptTokens, expectedOutputTokens, models, catalogue }: PreparedRequest): ServiceTokens {
    return reservationAmount({
      promptTokens,
      outputTokens: expectedOutputTokens,
      candidates: models,
      minimum: catalogue.minimumReservation,
    });
  }

  /** Ends a request that never got as far as its first output. */
  private async endUnopened(held: HeldRequest, signal: CancelSignal, failure: unknown): Promise<void> {
    const rejected = failure instanceof GatewayError && failure.code !== 'provider_unavailable';
    const unserved = rejected ? 'request_rejected' : 'provider_unavailable';
    await held.end({
      reason: signal.aborted ? abortReasonOf(signal) : unserved,
      service: signal.aborted ? held.service : null,
      usage: signal.aborted ? held.usageIfCutShort() : NO_USAGE,
      firstOutputAt: null,
      endedAt: this.ports.clock.now(),
    });
  }
}

function factsOf({ command, catalogue }: PreparedRequest): RequestFacts {
  return {
    requestId: command.requestId,
    accountId: command.caller.account.id,
    keyId: command.caller.keyId,
    format: command.format,
    streamed: command.delivery === 'stream',
    requestedModel: command.request.model,
    attribution: command.request.attribution,
    usdPerServiceToken: catalogue.usdPerServiceToken,
    startedAt: command.startedAt,
  };
}

function insufficientBalance(needed: ServiceTokens, available: ServiceTokens): GatewayError {
  return new GatewayError(
    'insufficient_balance',
    `This request needs ${needed} service tokens set aside, but only ${available} are available.`,
  );
}

/** Adds the caller's limits to a refusal that does not know them yet. */
function withQuota(failure: unknown, quota: QuotaSnapshot): unknown {
  if (!(failure instanceof GatewayError) || failure.quota !== null) return failure;
  return new GatewayError(failure.code, failure.message, {
    ...(failure.param === null ? {} : { param: failure.param }),
    ...(failure.retryAfterSeconds === null ? {} : { retryAfterSeconds: failure.retryAfterSeconds }),
    quota,
    cause: failure.cause,
  });
}
