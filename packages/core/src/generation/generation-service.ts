import type { Caller } from '../accounts/account.js';
import { releaseDoubtful } from '../billing/charge.js';
import { budgetAt, keyLimitRefusal } from '../billing/key-limit.js';
import type { Ledger } from '../billing/ledger.js';
import type { WireFormatName } from '../billing/usage-record.js';
import { GatewayError } from '../errors/gateway-error.js';
import type { QuotaSnapshot } from '../errors/refusal-details.js';
import { type AdmissionTicket, type Demand, limitRefusal } from '../limits/admission.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { UnbilledClaim } from '../limits/unbilled-work.js';
import type { CatalogueSource } from '../models/catalogue-source.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { PlatformState } from '../platform/platform-snapshot.js';
import type { CancelSignal } from '../primitives/cancel-signal.js';
import type { Clock } from '../primitives/clock.js';
import type { IdGenerator } from '../primitives/id-generator.js';
import { invariant } from '../primitives/invariant.js';
import type { ModelSlug, ProcessId, RequestId } from '../primitives/ids.js';
import { tokenCount } from '../primitives/token-count.js';
import { type Instant, later } from '../primitives/time.js';
import { routeCandidates } from './candidates.js';
import { endingWithoutOutput } from './ending-without-output.js';
import type { GenerationObserver } from './generation-observer.js';
import type { GenerationRequest } from './generation-request.js';
import { HeldRequest } from './held-request.js';
import type { ModelProvider } from './model-provider.js';
import { openWithFallback } from './open-with-fallback.js';
import { type PreparedRequest, prepareRequest } from './prepare-request.js';
import { releaseAdmission } from './release-admission.js';
import type { RunningGenerations } from './running-generations.js';
import { SettlingStream } from './settling-stream.js';
import type { TokenEstimator } from './token-estimator.js';

export interface GenerateCommand {
  readonly caller: Caller;
  readonly requestId: RequestId;
  readonly request: GenerationRequest;
  readonly format: WireFormatName;
  readonly delivery: 'whole' | 'stream';
  /** Aborted with the reason `SHUTDOWN` if the service stops, and with any other reason if the client disconnects. */
  readonly signal: CancelSignal;
  readonly startedAt: Instant;
  /** First request of the purchase that this one continues; default none. */
  readonly purchaseOf?: RequestId | null;
  /** Units of unbilled work that are returned once the request has been admitted and reserved. */
  readonly unbilled?: UnbilledClaim | null;
}

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
  /** Age at which the sweeper ends a reservation, even if its owner is alive. For a longer generation, the owner prolongs the reservation. */
  readonly reservationLifetimeMilliseconds: number;
  /**
   * Maximum time for which a stream's headers wait for the first output; three times as long while another candidate remains. Then they are sent
   * without output, and no other candidate may serve any more. `null` for no limit.
   */
  readonly earlyHeadersMilliseconds?: number | null;
  /** Advice on how to get credit, added to a refusal for a low balance; `null` for none. */
  readonly creditAdvice?: () => string | null;
}

/** The caller must read `events` to the end, or call their `return()`. */
export interface Generation {
  readonly quota: QuotaSnapshot;
  readonly servedBy: ModelSlug;
  readonly fallbackUsed: boolean;
  readonly events: SettlingStream;
}

/** Routes, checks, admits, reserves, opens, streams and settles one request. Refusals are `GatewayError`s. */
export class GenerationService {
  constructor(private readonly ports: GenerationPorts, private readonly settings: GenerationSettings) {}

  async generate(command: GenerateCommand): Promise<Generation> {
    const prepared = prepareRequest(command, this.ports);
    const admission = await this.ports.limiter.admit(demandOf(prepared));
    if (!admission.admitted) throw limitRefusal(admission);
    const held = await this.reserve(prepared, admission.ticket, command.purchaseOf ?? null);
    command.unbilled?.giveBack();
    try {
      const opened = await openWithFallback({
        held,
        request: command.request,
        requestedModel: prepared.model,
        candidates: routeCandidates(prepared.models),
        prompt: prepared.prompt,
        maxOutputTokens: prepared.maxOutputTokens,
        upstreamDelivery: command.delivery === 'stream' || prepared.maxOutputTokens > held.coveredOutputTokens ? 'stream' : 'whole',
        earlyHeadersMilliseconds: command.delivery === 'stream' ? this.settings.earlyHeadersMilliseconds ?? null : null,
        signal: command.signal,
      }, this.ports);
      const events = new SettlingStream({ opened, held, signal: command.signal, clock: this.ports.clock });
      const { servedBy, fallbackUsed } = events.service;
      return { quota: admission.quota, servedBy, fallbackUsed, events };
    } catch (failure) {
      await this.endUnopened(held, command.signal, failure);
      throw await this.withQuota(failure, prepared);
    }
  }

  private async reserve(prepared: PreparedRequest, ticket: AdmissionTicket, purchaseOf: RequestId | null): Promise<HeldRequest> {
    const { facts, reserve, keyLimit, largestPromptTokens: promptTokens, models: candidates } = prepared;
    const { ledger, ids, clock } = this.ports;
    const now = clock.now();
    const reservationId = ids.reservationId();
    const budget = keyLimit === null ? null : budgetAt(keyLimit, now);
    try {
      const reserved = await ledger.reserve({
        reservationId,
        ownerId: this.settings.processId,
        ...reserve,
        facts,
        at: now,
        purchaseOf,
        budget,
        expiresAt: later(now, this.settings.reservationLifetimeMilliseconds),
      });
      if (reserved.outcome === 'insufficient') throw this.insufficientBalance(reserve.floor, reserved.available);
      if (reserved.outcome === 'key-limit') throw overLimit(prepared, reserved.left, now);
      return new HeldRequest(this.ports, { reservationId, ticket, facts, budget, setAside: { amount: reserved.amount, promptTokens, candidates } });
    } catch (failure) {
      // Not awaited: a failing ledger may take long to fail again, and the client is waiting.
      if (!(failure instanceof GatewayError)) void releaseDoubtful({ ledger, reservationId, now: clock.now() });
      await releaseAdmission({ requestId: facts.requestId, ticket }, { kind: 'undone' }, this.ports);
      throw await this.withQuota(failure, prepared);
    }
  }

  private insufficientBalance(needed: ServiceTokens, available: ServiceTokens): GatewayError {
    const advice = this.settings.creditAdvice?.() ?? null;
    const message = `This request needs at least ${needed.toString()} service tokens set aside, but only ${available.toString()} are available.`;
    return new GatewayError('insufficient_balance', advice === null ? message : `${message} ${advice}`);
  }

  private async endUnopened(held: HeldRequest, signal: CancelSignal, failure: unknown): Promise<void> {
    await held.tryEnd(endingWithoutOutput(held, { signal, failure, endedAt: this.ports.clock.now() }));
  }

  /** Adds the current quota to a refusal that has none. */
  private async withQuota(failure: unknown, { facts, binding }: PreparedRequest): Promise<unknown> {
    if (!(failure instanceof GatewayError) || failure.quota !== null) return failure;
    return failure.withQuota(await this.ports.limiter.quota(facts.accountId, binding));
  }
}

function demandOf({ facts, binding, promptTokens, expectedOutputTokens }: PreparedRequest): Demand {
  return {
    accountId: facts.accountId,
    requestId: facts.requestId,
    limits: binding.limits,
    incident: binding.incident,
    kind: 'generation',
    tokens: tokenCount(promptTokens + expectedOutputTokens),
  };
}

function overLimit({ keyLimit, reserve }: PreparedRequest, left: ServiceTokens, now: Instant): GatewayError {
  invariant(keyLimit !== null, 'only a key with a spending limit can exceed one');
  return keyLimitRefusal({ limit: keyLimit, left, needed: reserve.floor, now });
}
