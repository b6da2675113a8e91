import { type JsonObject, type ModelSlug, type PlanId, type TokenCount, tokenCount } from '../primitives.js';
import type { Price, TokenRate } from '../money/price.js';
import type { Instant } from '../time.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { PAY_AS_YOU_GO, PAY_AS_YOU_GO_PLAN, type Plan, type PlanLimits } from './plan.js';
import type { ContextOverflow } from '../errors/gateway-error.js';
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

export interface ContextDemand {
  readonly promptTokens: TokenCount;
  /** `null` when the client left it to the model. */
  readonly requestedOutputTokens: TokenCount | null;
}

/** The border zone at the end of a model's window, on both sides of it: there an estimate is too coarse to decide, and the upstream decides. */
const BORDER_PERCENT = 15;
const BORDER_TOKENS = 256;
/** The output asked for in the border zone where the client names no maximum. */
const BORDER_OUTPUT_TOKENS = 256;

function isInBorderZone(promptTokens: number, { contextWindowTokens }: Model): boolean {
  return Math.abs(contextWindowTokens - promptTokens) <= Math.floor(contextWindowTokens * BORDER_PERCENT / 100) + BORDER_TOKENS;
}

/** Whether the estimate says that a prompt, with as much of the output as the model gives at most, fits a model; a fallback must. */
export function fitsContext({ promptTokens, requestedOutputTokens }: ContextDemand, model: Model): boolean {
  const wanted = Math.min(requestedOutputTokens ?? BORDER_OUTPUT_TOKENS, model.maxOutputTokens);
  return promptTokens + wanted <= model.contextWindowTokens;
}

/** What a prompt may take beyond its estimate: a share of it, and what a chat template writes around it. */
const UNDERESTIMATED_SHARE = 1 / 8;
const UNDERESTIMATED_TOKENS = 256;

/**
 * The most output to ask a model for, in the border zone whether or not it fits. Where the client names no maximum, it leaves room for a prompt that is longer than its estimate,
 * since some servers refuse a request whose prompt and maximum output together exceed the window.
 */
export function roomForOutput({ promptTokens, requestedOutputTokens }: ContextDemand, model: Model): TokenCount {
  if (isInBorderZone(promptTokens, model)) return tokenCount(Math.min(model.maxOutputTokens, requestedOutputTokens ?? BORDER_OUTPUT_TOKENS));
  const left = model.contextWindowTokens - promptTokens;
  const spare = Math.min(Math.floor(left / 2), Math.ceil(promptTokens * UNDERESTIMATED_SHARE) + UNDERESTIMATED_TOKENS);
  return tokenCount(Math.min(model.maxOutputTokens, left, requestedOutputTokens ?? left - spare));
}

/** Why a request does not fit the model and the plan, with the figures; `null` if it fits, or if the upstream decides in the border zone. */
export function checkContext({ promptTokens, requestedOutputTokens }: ContextDemand, model: Model, limits: PlanLimits): ContextOverflow | null {
  const windowTokens = model.contextWindowTokens;
  const planTokens = limits.maxContextTokens;
  if (promptTokens > planTokens && planTokens < windowTokens) return { kind: 'prompt', promptTokens, maximumTokens: planTokens, bound: 'plan' };
  if (promptTokens > planTokens) return { kind: 'prompt', promptTokens, maximumTokens: windowTokens, bound: 'model' };
  if (isInBorderZone(promptTokens, model)) return null;
  if (promptTokens > windowTokens) return { kind: 'prompt', promptTokens, maximumTokens: windowTokens, bound: 'model' };
  const outputTokens = requestedOutputTokens ?? 0;
  return promptTokens + outputTokens > windowTokens ? { kind: 'output', promptTokens, outputTokens, windowTokens } : null;
}

/** Why an upstream refused a request whose estimate may fit. The figures are the estimate, or the least that the refusal implies. */
export function refusedContext(demand: ContextDemand, model: Model): ContextOverflow {
  const windowTokens = model.contextWindowTokens;
  const outputTokens = roomForOutput(demand, model);
  const promptTokens = Math.max(demand.promptTokens, windowTokens - outputTokens + 1);
  if (promptTokens > windowTokens) return { kind: 'prompt', promptTokens, maximumTokens: windowTokens, bound: 'model' };
  if (demand.requestedOutputTokens !== null) return { kind: 'output', promptTokens, outputTokens, windowTokens };
  return { kind: 'prompt', promptTokens, maximumTokens: windowTokens - outputTokens, bound: 'reply' };
}
