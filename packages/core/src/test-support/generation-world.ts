import {
  createMemoryStore, ManualClock, MemoryRateLimiter, type MemoryStore, SequentialIds, StaticCatalogue,
} from '@tollgate/adapters-memory';
import {
  type Account, type Admission, availableOf, type Caller, type CancelSignal, type CandidateFailure, collectGeneration, type CompletedGeneration,
  type ImplausibleUsage, type GenerateCommand, type Generation, type GenerationEventBatch, type GenerationObserver, type GenerationOutcome,
  type GenerationPorts, type GenerationRequest, GenerationService, type KeyLimit, type Ledger, MILLISECONDS_PER_MINUTE, type Model, type ModelSlug, NO_USAGE_FILTERS,
  parseTokenRate, type Plan, RunningGenerations, ServiceTokens, STANDARD_PLANS, SYSTEM_ACTOR, tokenCount, type UsageRecord,
} from '@tollgate/core';
import { aGenerationRequest, aModel, anAccount, anApiKey, checkGenerationEvents, OneTokenPerCharacter, ScriptedProvider } from '@tollgate/testkit';

export const RESERVATION_LIFETIME_MILLISECONDS = 20 * MILLISECONDS_PER_MINUTE;

export class RecordingObserver implements GenerationObserver {
  readonly candidateFailures: CandidateFailure[] = [];
  readonly outcomes: GenerationOutcome[] = [];
  readonly settlementFailures: unknown[] = [];
  readonly releaseFailures: unknown[] = [];
  readonly implausible: ImplausibleUsage[] = [];

  candidateFailed(failure: CandidateFailure): void {
    this.candidateFailures.push(failure);
  }

  generationEnded(outcome: GenerationOutcome): void {
    this.outcomes.push(outcome);
  }

  usageImplausible(report: ImplausibleUsage): void {
    this.implausible.push(report);
  }

  settlementFailed({ cause }: { readonly cause: unknown }): void {
    this.settlementFailures.push(cause);
  }

  releaseFailed({ cause }: { readonly cause: unknown }): void {
    this.releaseFailures.push(cause);
  }
}

export interface WorldOptions {
  readonly balance?: string;
  readonly models?: readonly Model[];
  readonly plans?: readonly Plan[];
  readonly minimumReservation?: string;
  /** Default: headers wait for the first output. */
  readonly earlyHeadersMilliseconds?: number;
  readonly wrap?: (ports: GenerationPorts) => GenerationPorts;
}

export interface AskOptions {
  readonly request?: Partial<GenerationRequest>;
  readonly delivery?: 'whole' | 'stream';
  readonly signal?: CancelSignal;
  readonly plan?: Plan;
  readonly keyModels?: ReadonlySet<ModelSlug>;
  readonly keyLimit?: KeyLimit;
}

/** A world with memory adapters, a scripted provider and one funded account. */
export class GenerationWorld {
  readonly clock = new ManualClock();
  readonly ids = new SequentialIds();
  readonly store: MemoryStore = createMemoryStore();
  readonly limiter = new MemoryRateLimiter({ clock: this.clock, usage: this.store.usage });
  readonly provider = new ScriptedProvider();
  readonly observer = new RecordingObserver();
  readonly running = new RunningGenerations();
  readonly account: Account = anAccount();
  readonly catalogue: StaticCatalogue;
  readonly caller: Caller;
  readonly service: GenerationService;
  readonly #ownerId = this.ids.processId();

  private constructor({ models, plans, minimumReservation, earlyHeadersMilliseconds, wrap }: WorldOptions) {
    this.catalogue = new StaticCatalogue({
      models: models ?? [aModel()],
      plans: plans ?? STANDARD_PLANS,
      usdPerServiceToken: parseTokenRate('0.0001'),
      minimumReservation: ServiceTokens.parse(minimumReservation ?? '1'),
    });
    this.caller = { account: this.account, plan: this.catalogue.current().planInForce(this.account.planId), keyId: anApiKey().id, keyModels: null, keyLimit: null };
    const ports: GenerationPorts = {
      catalogue: this.catalogue,
      platform: this.store.platform,
      estimator: new OneTokenPerCharacter(),
      limiter: this.limiter,
      ledger: this.store.ledger,
      provider: this.provider,
      running: this.running,
      observer: this.observer,
      ids: this.ids,
      clock: this.clock,
    };
    this.service = new GenerationService(wrap === undefined ? ports : wrap(ports), {
      processId: this.#ownerId,
      reservationLifetimeMilliseconds: RESERVATION_LIFETIME_MILLISECONDS,
      earlyHeadersMilliseconds: earlyHeadersMilliseconds ?? null,
    });
  }

  static async create(options: WorldOptions = {}): Promise<GenerationWorld> {
    const world = new GenerationWorld(options);
    const { accounts, ledger } = world.store;
    await accounts.create(world.account, SYSTEM_ACTOR);
    const at = world.clock.now();
    await ledger.credit({
      accountId: world.account.id, amount: ServiceTokens.parse(options.balance ?? '100000'), reference: 'first', actor: SYSTEM_ACTOR, at,
    });
    return world;
  }

  /** By default, requests a stream from the model `small`. */
  command({ request = {}, delivery = 'stream', signal, plan, keyModels, keyLimit }: AskOptions = {}): GenerateCommand {
    return {
      caller: { ...this.caller, plan: plan ?? this.caller.plan, keyModels: keyModels ?? null, keyLimit: keyLimit ?? null },
      requestId: this.ids.requestId(),
      request: aGenerationRequest(request),
      format: 'chat',
      delivery,
      signal: signal ?? new AbortController().signal,
      startedAt: this.clock.now(),
    };
  }

  generate(options: AskOptions = {}): Promise<Generation> {
    return this.service.generate(this.command(options));
  }

  async generateWhole(options: Omit<AskOptions, 'delivery'> = {}): Promise<CompletedGeneration> {
    return collectGeneration((await this.generate({ ...options, delivery: 'whole' })).events);
  }

  async available(): Promise<string> {
    const balance = await this.store.ledger.balanceOf(this.account.id);
    return balance === null ? 'none' : availableOf(balance).toString();
  }

  async reserved(): Promise<string> {
    return (await this.store.ledger.balanceOf(this.account.id))?.reserved.toString() ?? 'none';
  }

  /** Newest first. */
  async records(): Promise<readonly UsageRecord[]> {
    return (await this.store.usage.list({ ...NO_USAGE_FILTERS, accountId: this.account.id, limit: 1000, cursor: null }))?.records ?? [];
  }

  async onlyRecord(): Promise<UsageRecord> {
    const records = await this.records();
    const [record] = records;
    if (records.length !== 1 || record === undefined) throw new Error(`expected one usage record, found ${records.length}`);
    return record;
  }

  /** Ending of the only request. */
  async ending(): Promise<readonly [reason: string, source: string, charge: string]> {
    const { reason, usage, charge } = await this.onlyRecord();
    return [reason, usage.source, charge.amount.toString()];
  }

  /** Counts free slots by taking and releasing them. */
  async freeSlots(): Promise<number> {
    const { account, caller: { plan } } = this;
    const taken: Extract<Admission, { admitted: true }>[] = [];
    const limits = { ...plan.limits, requestsPerMinute: 1_000_000, tokensPerMinute: tokenCount(1_000_000_000) };
    for (;;) {
      const admission = await this.limiter.admit({ accountId: account.id, requestId: this.ids.requestId(), limits, incident: null, kind: 'generation', tokens: tokenCount(1) });
      if (!admission.admitted) break;
      taken.push(admission);
    }
    for (const { ticket } of taken) await this.limiter.release(ticket, { kind: 'undone' });
    return taken.length;
  }

  /** All resources that should be free after a request, and the ledger audit. */
  async atRest(): Promise<Readonly<Record<string, unknown>>> {
    return {
      reserved: await this.reserved(),
      freeSlots: await this.freeSlots(),
      running: this.running.size,
      openStreams: this.provider.openStreams,
      pendingTasks: this.clock.pendingTasks,
      differences: (await this.store.ledger.verify()).differences,
    };
  }
}

/** Result of `atRest` if nothing leaked; a pay-as-you-go account has four slots. */
export const AT_REST = { reserved: '0', freeSlots: 4, running: 0, openStreams: 0, pendingTasks: 0, differences: [] };

/** What a client received, checked against the grammar. */
export interface Seen {
  readonly batches: readonly GenerationEventBatch[];
  readonly text: string;
  readonly how: 'ended' | 'broken-off';
  readonly failure: unknown;
}

function textOf(batches: readonly GenerationEventBatch[]): string {
  return batches.flat().map((event) => (event.type === 'block-delta' ? event.delta : '')).join('');
}

/** Reads the stream to its end or to its failure. */
export async function readAll({ events }: Generation): Promise<Seen> {
  const batches: GenerationEventBatch[] = [];
  let failure: unknown = null;
  try {
    for await (const batch of events) batches.push(batch);
  } catch (thrown) {
    failure = thrown;
  }
  return { batches, text: textOf(batches), how: checkGenerationEvents(batches), failure };
}

type Extend = Ledger['extend'];

/** The ledger with another `extend`. */
export function extendedBy(ledger: Ledger, extend: (...command: Parameters<Extend>) => ReturnType<Extend>): Ledger {
  return new Proxy(ledger, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (property === 'extend') return extend;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
