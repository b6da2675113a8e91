import type { Price, TokenRate } from '../money/price.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { JsonObject, ModelSlug, PlanId, TokenCount } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import { PAY_AS_YOU_GO, PAY_AS_YOU_GO_PLAN, type Plan } from './plan.js';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from './request-limits.js';

/** One place a model can be had from: an upstream of the catalogue and the model's name there. */
export interface UpstreamTarget {
  readonly upstreamId: string;
  readonly upstreamModel: string;
}

/** What an operator says of the parameters of requests, by the names that the model's servers have for them. */
export interface ParameterRule {
  /** Not sent. */
  readonly omit: readonly string[];
  /** Sent with this value, whatever the request says. */
  readonly fix: JsonObject;
}

/** The rules of a model; all that apply to a request do, and the more special one wins. */
export interface ParameterRules {
  readonly always: ParameterRule;
  readonly withTools: ParameterRule;
  readonly withoutTools: ParameterRule;
}

/** A model on offer. */
export interface Model {
  readonly slug: ModelSlug;
  readonly displayName: string;
  readonly ownedBy: string;
  readonly createdAt: Instant;
  /** Other names it answers to; one that ends in `*` stands for every name that begins so. */
  readonly aliases: readonly string[];
  readonly contextWindowTokens: TokenCount;
  readonly maxOutputTokens: TokenCount;
  /** Whether its servers stop at the maximum output of a request. */
  readonly enforcesMaxTokens: boolean;
  /** Whether it can think before it answers. */
  readonly reasoning: boolean;
  /** Its server does not say whether it reasons, so `reasoning` is an assumption. */
  readonly reasoningAssumed: boolean;
  /** Whether one of its servers is sent documents; absent for no. */
  readonly readsDocuments?: boolean;
  /** Whether one of its servers is sent the schema that a reply is to follow; absent for no. */
  readonly readsSchemas?: boolean;
  /** Replies are made up by the gateway itself, for trying it out. */
  readonly simulated: boolean;
  readonly price: Price;
  /** Absent: requests are sent as the gateway writes them. */
  readonly parameters?: ParameterRules;
  /** Tried in order. */
  readonly targets: readonly UpstreamTarget[];
  /** Models that may serve in its place, in order of preference. */
  readonly fallbacks: readonly ModelSlug[];
}

export interface CatalogueContents {
  readonly models: readonly Model[];
  readonly plans: readonly Plan[];
  readonly usdPerServiceToken: TokenRate;
  /** No reservation is smaller. */
  readonly minimumReservation: ServiceTokens;
  /** The default ones unless set. */
  readonly requestLimits?: RequestLimits;
}

interface AliasPrefix { readonly prefix: string; readonly model: Model }

/** What is on offer and at which price, at one moment. Immutable: a reload makes a new one. */
export class Catalogue {
  readonly models: readonly Model[];
  readonly plans: readonly Plan[];
  readonly usdPerServiceToken: TokenRate;
  readonly minimumReservation: ServiceTokens;
  readonly requestLimits: RequestLimits;
  readonly #byName = new Map<string, Model>();
  readonly #prefixes: readonly AliasPrefix[];
  readonly #plans: ReadonlyMap<PlanId, Plan>;

  constructor(contents: CatalogueContents) {
    this.models = contents.models;
    this.plans = contents.plans;
    this.usdPerServiceToken = contents.usdPerServiceToken;
    this.minimumReservation = contents.minimumReservation;
    this.requestLimits = contents.requestLimits ?? DEFAULT_REQUEST_LIMITS;
    const aliases = contents.models.flatMap((model) => model.aliases.map((alias) => ({ alias, model })));
    for (const { alias, model } of aliases) if (!alias.endsWith('*')) this.#byName.set(alias, model);
    for (const model of contents.models) this.#byName.set(model.slug, model);
    this.#prefixes = aliases.filter(({ alias }) => alias.endsWith('*'))
      .map(({ alias, model }) => ({ prefix: alias.slice(0, -1), model }))
      .toSorted((a, b) => b.prefix.length - a.prefix.length);
    this.#plans = new Map(contents.plans.map((plan) => [plan.id, plan]));
  }

  /** A slug wins over an alias, an exact alias over a pattern, a longer pattern over a shorter one. An unknown name is tried without a suffix such as `[1m]`, which clients add. */
  resolve(slugOrAlias: string): Model | null {
    const found = this.#find(slugOrAlias);
    if (found !== null || !slugOrAlias.endsWith(']')) return found;
    const suffix = slugOrAlias.lastIndexOf('[');
    return suffix > 0 ? this.#find(slugOrAlias.slice(0, suffix)) : null;
  }

  #find(slugOrAlias: string): Model | null {
    const exact = this.#byName.get(slugOrAlias);
    if (exact !== undefined) return exact;
    return this.#prefixes.find(({ prefix }) => slugOrAlias.startsWith(prefix))?.model ?? null;
  }

  model(slug: ModelSlug): Model | null {
    const found = this.#byName.get(slug);
    return found !== undefined && found.slug === slug ? found : null;
  }

  plan(id: PlanId): Plan | null {
    return this.#plans.get(id) ?? null;
  }

  /**
   * The plan in force for an account that is on `id`. A plan may leave the catalogue while accounts are on it:
   * they are served as pay-as-you-go until an operator changes their plan.
   */
  planInForce(id: PlanId): Plan {
    return this.#plans.get(id) ?? this.#plans.get(PAY_AS_YOU_GO) ?? PAY_AS_YOU_GO_PLAN;
  }
}
