import type { Price } from '../money/price.js';
import type { TokenRate } from '../money/token-rate.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { JsonObject } from '../primitives/json.js';
import type { ModelSlug, PlanId, PriceListId } from '../primitives/ids.js';
import type { TokenCount } from '../primitives/token-count.js';
import type { Instant } from '../primitives/time.js';
import { contentsInForce } from './contents-in-force.js';
import type { ModelShutdown } from './model-shutdown.js';
import { type CreditOffer, NO_CREDIT_OFFER } from './credit-offer.js';
import { PAY_AS_YOU_GO, PAY_AS_YOU_GO_PLAN, type Plan } from './plan.js';
import { type DatedPrice, priceDates, type PriceChange, type PriceList, type PriceVersion } from './price-list.js';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from './request-limits.js';

export interface UpstreamTarget {
  readonly upstreamId: string;
  readonly upstreamModel: string;
}

/** Parameters have the names that the upstream uses. */
export interface ParameterRule {
  /** Parameters that are never sent. */
  readonly omit: readonly string[];
  /** Values that are always sent, in place of any that the request has. */
  readonly fix: JsonObject;
}

/** All matching rules apply; the more specific takes precedence. */
export interface ParameterRules {
  readonly always: ParameterRule;
  readonly withTools: ParameterRule;
  readonly withoutTools: ParameterRule;
}

/** Kinds of input that a model reads. */
export const MODALITIES = ['text', 'image', 'document'] as const;
export type Modality = (typeof MODALITIES)[number];

export interface Model {
  readonly slug: ModelSlug;
  readonly displayName: string;
  /** One sentence; default none. */
  readonly description?: string;
  /** Default: unknown. */
  readonly inputModalities?: readonly Modality[];
  readonly ownedBy: string;
  readonly createdAt: Instant;
  /** A trailing `*` matches every name with that prefix. */
  readonly aliases: readonly string[];
  readonly contextWindowTokens: TokenCount;
  readonly maxOutputTokens: TokenCount;
  /** False if its upstreams may exceed the maximum output. */
  readonly enforcesMaxTokens: boolean;
  readonly reasoning: boolean;
  /** True if `reasoning` is an assumption, because the upstream does not state it. */
  readonly reasoningAssumed: boolean;
  /** True if an upstream of the model accepts documents; default false. */
  readonly readsDocuments?: boolean;
  /** True if an upstream of the model accepts a JSON Schema for the output; default false. */
  readonly readsSchemas?: boolean;
  /** True for models of the sandbox. */
  readonly simulated: boolean;
  /** In a catalogue of `inForce`, the caller's price; otherwise the standard price until the first of `laterPrices`. */
  readonly price: Price;
  /** Later standard prices, in the order of their dates; default none. */
  readonly laterPrices?: readonly DatedPrice[];
  /** Version of `price`; default `STANDARD_PRICES`. */
  readonly priceVersion?: PriceVersion;
  /** In a catalogue of `inForce`: the caller's next price; default none. */
  readonly nextPrice?: PriceChange;
  readonly shutdown?: ModelShutdown;
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
  /** Price lists in addition to the standard prices; default none. */
  readonly priceLists?: readonly PriceList[];
  /** Models that have ended and whose requests no successor serves; default none. */
  readonly retired?: readonly Model[];
  /** Default: `NO_CREDIT_OFFER`. */
  readonly creditOffer?: CreditOffer;
}

interface AliasPrefix { readonly prefix: string; readonly model: Model }

interface CataloguePeriods {
  readonly dates: readonly Instant[];
  /** By the date on which each comes into force. */
  readonly catalogues: Map<number, Catalogue>;
}

/** Immutable; a reload creates a new catalogue. */
export class Catalogue {
  readonly models: readonly Model[];
  readonly plans: readonly Plan[];
  readonly priceLists: readonly PriceList[];
  readonly usdPerServiceToken: TokenRate;
  readonly minimumReservation: ServiceTokens;
  readonly requestLimits: RequestLimits;
  readonly #retired: ReadonlySet<Model>;
  readonly creditOffer: CreditOffer;
  readonly #byName = new Map<string, Model>();
  readonly #prefixes: readonly AliasPrefix[];
  readonly #plans: ReadonlyMap<PlanId, Plan>;
  readonly #priceLists: ReadonlyMap<PriceListId, PriceList>;
  /** Dates of standard prices and of shutdowns. */
  readonly #dates: readonly Instant[];
  readonly #inForce = new Map<PriceList | null, CataloguePeriods>();

  constructor(private readonly contents: CatalogueContents) {
    this.models = contents.models;
    this.plans = contents.plans;
    this.priceLists = contents.priceLists ?? [];
    this.usdPerServiceToken = contents.usdPerServiceToken;
    this.minimumReservation = contents.minimumReservation;
    this.requestLimits = contents.requestLimits ?? DEFAULT_REQUEST_LIMITS;
    this.#retired = new Set(contents.retired);
    const named = [...contents.models, ...this.#retired];
    const aliases = named.flatMap((model) => model.aliases.map((alias) => ({ alias, model })));
    this.creditOffer = contents.creditOffer ?? NO_CREDIT_OFFER;
    for (const { alias, model } of aliases) if (!alias.endsWith('*')) this.#byName.set(alias, model);
    for (const model of named) this.#byName.set(model.slug, model);
    this.#prefixes = aliases.filter(({ alias }) => alias.endsWith('*'))
      .map(({ alias, model }) => ({ prefix: alias.slice(0, -1), model }))
      .toSorted((a, b) => b.prefix.length - a.prefix.length);
    this.#plans = new Map(contents.plans.map((plan) => [plan.id, plan]));
    this.#priceLists = new Map(this.priceLists.map((list) => [list.id, list]));
    this.#dates = [...priceDates(contents.models, null), ...contents.models.flatMap(({ shutdown }) => shutdown?.at ?? [])];
  }

  /**
   * The catalogue that a caller is offered at that time: without models that have ended, at the prices of the list. `null` or an unknown list stands
   * for the standard one. A generation uses the catalogue of the time of its start.
   */
  inForce(priceList: PriceListId | null, at: Instant): Catalogue {
    const list = priceList === null ? null : this.priceList(priceList);
    if (list === null && this.#dates.length === 0) return this;
    let periods = this.#inForce.get(list);
    if (periods === undefined) this.#inForce.set(list, periods = { dates: [...this.#dates, ...priceDates([], list)], catalogues: new Map() });
    const since = periods.dates.reduce((latest, date) => (date <= at && date > latest ? date : latest), -Infinity);
    let catalogue = periods.catalogues.get(since);
    if (catalogue === undefined) periods.catalogues.set(since, catalogue = new Catalogue({ ...contentsInForce(this.contents, list, at), priceLists: [] }));
    return catalogue;
  }

  priceList(id: PriceListId): PriceList | null {
    return this.#priceLists.get(id) ?? null;
  }

  /**
   * Precedence: slug, exact alias, longest matching pattern. An unknown name is tried again without a suffix such as `[1m]`, which some
   * clients append.
   */
  resolve(slugOrAlias: string): Model | null {
    const found = this.#resolve(slugOrAlias);
    return found === null || this.#retired.has(found) ? null : found;
  }

  /** The model of that name if it has ended and no successor serves its requests; otherwise `null`. `inForce` decides what has ended. */
  retired(slugOrAlias: string): Model | null {
    const found = this.#resolve(slugOrAlias);
    return found !== null && this.#retired.has(found) ? found : null;
  }

  get hasModels(): boolean {
    return this.#byName.size > 0;
  }

  #resolve(slugOrAlias: string): Model | null {
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
    return found !== undefined && found.slug === slug && !this.#retired.has(found) ? found : null;
  }

  plan(id: PlanId): Plan | null {
    return this.#plans.get(id) ?? null;
  }

  /** Accounts on a removed plan have pay-as-you-go until an operator changes their plan. */
  planInForce(id: PlanId): Plan {
    return this.#plans.get(id) ?? this.#plans.get(PAY_AS_YOU_GO) ?? PAY_AS_YOU_GO_PLAN;
  }
}
