import type { ModelSlug, PlanId, TokenCount } from '../ids.js';
import type { Price, TokenRate } from '../money/price.js';
import type { Instant } from '../time.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { PAY_AS_YOU_GO, PAY_AS_YOU_GO_PLAN, type Plan } from './plan.js';

/** One place a model can be had from: an upstream of the catalogue and the model's name there. */
export interface UpstreamTarget {
  readonly upstreamId: string;
  readonly upstreamModel: string;
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
  /** Whether it can think before it answers. */
  readonly reasoning: boolean;
  /** Its server does not say whether it reasons, so `reasoning` is an assumption. */
  readonly reasoningAssumed: boolean;
  /** Replies are made up by the gateway itself, for trying it out. */
  readonly simulated: boolean;
  readonly price: Price;
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
}

interface AliasPrefix { readonly prefix: string; readonly model: Model }

/** What is on offer and at which price, at one moment. Immutable: a reload makes a new one. */
export class Catalogue {
  readonly models: readonly Model[];
  readonly plans: readonly Plan[];
  readonly usdPerServiceToken: TokenRate;
  readonly minimumReservation: ServiceTokens;
  readonly #byName = new Map<string, Model>();
  readonly #prefixes: readonly AliasPrefix[];
  readonly #plans: ReadonlyMap<PlanId, Plan>;

  constructor(contents: CatalogueContents) {
    this.models = contents.models;
    this.plans = contents.plans;
    this.usdPerServiceToken = contents.usdPerServiceToken;
    this.minimumReservation = contents.minimumReservation;
    const aliases = contents.models.flatMap((model) => model.aliases.map((alias) => ({ alias, model })));
    for (const { alias, model } of aliases) if (!alias.endsWith('*')) this.#byName.set(alias, model);
    for (const model of contents.models) this.#byName.set(model.slug, model);
    this.#prefixes = aliases.filter(({ alias }) => alias.endsWith('*'))
      .map(({ alias, model }) => ({ prefix: alias.slice(0, -1), model }))
      .toSorted((a, b) => b.prefix.length - a.prefix.length);
    this.#plans = new Map(contents.plans.map((plan) => [plan.id, plan]));
  }

  /** A slug wins over an alias, an exact alias over a pattern, a longer pattern over a shorter one. */
  resolve(slugOrAlias: string): Model | null {
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
