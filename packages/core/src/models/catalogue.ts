import type { Price, TokenRate } from '../money/price.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { JsonObject, ModelSlug, PlanId, TokenCount } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import { PAY_AS_YOU_GO, PAY_AS_YOU_GO_PLAN, type Plan } from './plan.js';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from './request-limits.js';

export interface UpstreamTarget {
  readonly upstreamId: string;
  readonly upstreamModel: string;
}

/** By the upstream's names of parameters. */
export interface ParameterRule {
  /** Never sent. */
  readonly omit: readonly string[];
  /** Replace the request's values. */
  readonly fix: JsonObject;
}

/** All matching rules apply; the more specific takes precedence. */
export interface ParameterRules {
  readonly always: ParameterRule;
  readonly withTools: ParameterRule;
  readonly withoutTools: ParameterRule;
}

export interface Model {
  readonly slug: ModelSlug;
  readonly displayName: string;
  readonly ownedBy: string;
  readonly createdAt: Instant;
  /** A trailing `*` matches every name with that prefix. */
  readonly aliases: readonly string[];
  readonly contextWindowTokens: TokenCount;
  readonly maxOutputTokens: TokenCount;
  /** False if its upstreams may exceed the maximum output. */
  readonly enforcesMaxTokens: boolean;
  readonly reasoning: boolean;
  /** The upstream does not state whether the model reasons. */
  readonly reasoningAssumed: boolean;
  /** An upstream accepts documents; default false. */
  readonly readsDocuments?: boolean;
  /** An upstream accepts a JSON Schema for the output; default false. */
  readonly readsSchemas?: boolean;
  /** Of the sandbox. */
  readonly simulated: boolean;
  readonly price: Price;
  /** Default none. */
  readonly parameters?: ParameterRules;
  /** In order of preference. */
  readonly targets: readonly UpstreamTarget[];
  /** In order of preference. */
  readonly fallbacks: readonly ModelSlug[];
}

export interface CatalogueContents {
  readonly models: readonly Model[];
  readonly plans: readonly Plan[];
  readonly usdPerServiceToken: TokenRate;
  readonly minimumReservation: ServiceTokens;
  /** Default: `DEFAULT_REQUEST_LIMITS`. */
  readonly requestLimits?: RequestLimits;
}

interface AliasPrefix { readonly prefix: string; readonly model: Model }

/** Immutable; a reload creates a new one. */
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

  /**
   * Precedence: slug, exact alias, longest matching pattern. An unknown name is tried again without a suffix such as `[1m]`, which some
   * clients append.
   */
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

  /** Pay-as-you-go for accounts on a removed plan, until an operator changes it. */
  planInForce(id: PlanId): Plan {
    return this.#plans.get(id) ?? this.#plans.get(PAY_AS_YOU_GO) ?? PAY_AS_YOU_GO_PLAN;
  }
}
