import {
  assertNever, type Instant, invariant, type JsonObject, type Model, type ModelSlug, type ParameterRule, type ParameterRules, parseUtcDay, type ModelShutdown, type Plan, type PlanId,
  STANDARD_PLANS, type TokenCount, type AnthropicOptions, type OpenaiOptions, type ResponsesOptions, type ServerOptions, type UpstreamDefinition,
} from '@tollgate/core';
import type { AnthropicEntry, ModelEntry, OpenaiEntry, PlanEntry, ResponsesEntry, UpstreamEntry } from './catalogue-schema.js';
import { decodeLaterPrices, decodePrice } from './decode-prices.js';
import type { CatalogueContext } from './loaded-catalogue.js';
import { readingOf, type UpstreamReaders } from './upstream-readers.js';

/** `owned_by` of models that do not state it. */
export const DEFAULT_OWNER = 'tollgate';

/** `created` of models without one. It appears in listings, so it must be constant. */
export const DEFAULT_CREATED_AT: Instant = firstInstantOf('2026-01-01');

function firstInstantOf(day: string): Instant {
  const at = parseUtcDay(day);
  invariant(at !== null, 'the day is in the calendar');
  return at;
}

export interface ModelContext {
  readonly sandboxes: ReadonlySet<string>;
  readonly readers: UpstreamReaders;
  /** Returns the value at a path of the model's entry, with the types that YAML gives it. */
  readonly typed: (path: readonly string[]) => JsonObject;
}

/** A model counts as simulated if only sandboxes serve it. */
export function decodeModel(slug: string, entry: ModelEntry, { sandboxes, readers, typed }: ModelContext): Model {
  const parameters = decodeParameters(entry, typed);
  const later = decodeLaterPrices(entry.price);
  return {
    slug: slug as ModelSlug,
    displayName: entry.display_name ?? slug,
    ...(entry.description === undefined ? {} : { description: entry.description }),
    ...(entry.input_modalities === undefined ? {} : { inputModalities: entry.input_modalities }),
    ownedBy: entry.owned_by ?? DEFAULT_OWNER,
    createdAt: entry.created ?? DEFAULT_CREATED_AT,
    aliases: entry.aliases ?? [],
    contextWindowTokens: entry.context_window,
    maxOutputTokens: entry.max_output_tokens,
    enforcesMaxTokens: entry.enforces_max_tokens ?? true,
    reasoning: entry.reasoning ?? false,
    reasoningAssumed: false,
    ...readingOf(entry.targets.map(({ upstream }) => upstream), readers),
    simulated: entry.targets.every(({ upstream }) => sandboxes.has(upstream)),
    price: decodePrice(entry.price),
    ...(later.length === 0 ? {} : { laterPrices: later }),
    ...(entry.shutdown_date === undefined ? {} : { shutdown: decodeShutdown(entry, entry.shutdown_date) }),
    ...(parameters === null ? {} : { parameters }),
    targets: entry.targets.map(({ upstream, model }) => ({ upstreamId: upstream, upstreamModel: model })),
    fallbacks: (entry.fallbacks ?? []).map((fallback) => fallback as ModelSlug),
  };
}

/** `null` for a model without parameter rules. */
function decodeParameters(entry: ModelEntry, typed: ModelContext['typed']): ParameterRules | null {
  const { omit, fix, with_tools: withTools, without_tools: withoutTools } = entry;
  if (omit === undefined && fix === undefined && withTools === undefined && withoutTools === undefined) return null;
  const rule = (part: Pick<ModelEntry, 'omit' | 'fix'> | undefined, path: readonly string[]): ParameterRule =>
    ({ omit: part?.omit ?? [], fix: part?.fix === undefined ? {} : typed([...path, 'fix']) });
  return { always: rule(entry, []), withTools: rule(withTools, ['with_tools']), withoutTools: rule(withoutTools, ['without_tools']) };
}

function decodeShutdown({ successor, after_shutdown: after }: ModelEntry, at: Instant): ModelShutdown {
  return { at, successor: (successor ?? null) as ModelSlug | null, forwards: after === 'successor' };
}

type ServerEntry = OpenaiEntry | AnthropicEntry | ResponsesEntry;

export interface UpstreamContext extends CatalogueContext {
  /** Fields that are added to each request, with the types that YAML gives them. */
  readonly extraBody: JsonObject | null;
}

export function decodeUpstream(id: string, entry: UpstreamEntry, context: UpstreamContext): UpstreamDefinition {
  if (entry.kind === 'sandbox') return { id, kind: 'sandbox' };
  const server = { id, baseUrl: entry.base_url, apiKey: apiKeyOf(entry, context) };
  switch (entry.kind) {
    case 'openai': return { ...server, kind: 'openai', options: { ...openaiOptions(entry), ...serverOptions(entry, context) } };
    case 'anthropic': return { ...server, kind: 'anthropic', options: { ...anthropicOptions(entry), ...serverOptions(entry, context) } };
    case 'responses': return { ...server, kind: 'responses', options: { ...responsesOptions(entry), ...serverOptions(entry, context) } };
    default: return assertNever(entry);
  }
}

function apiKeyOf({ api_key, api_key_env }: ServerEntry, { environment }: CatalogueContext): string | null {
  return api_key ?? (api_key_env === undefined ? null : environment[api_key_env] ?? null);
}

/** Options that the entry states; the upstream adapter has defaults for the others. */
function openaiOptions(entry: OpenaiEntry): Partial<OpenaiOptions> {
  return {
    ...(entry.prompt_cache_key === undefined ? {} : { promptCacheKey: entry.prompt_cache_key }),
    ...(entry.output_limit_field === undefined ? {} : { outputLimitField: entry.output_limit_field }),
    ...(entry.reasoning_style === undefined ? {} : { reasoningStyle: entry.reasoning_style }),
    ...(entry.reasoning_replay === undefined ? {} : { reasoningReplay: entry.reasoning_replay }),
  };
}

function anthropicOptions(entry: AnthropicEntry): Partial<AnthropicOptions> {
  return {
    ...(entry.cache_control === undefined ? {} : { cacheControl: entry.cache_control }),
    ...(entry.authentication === undefined ? {} : { authentication: entry.authentication }),
    ...(entry.reasoning_style === undefined ? {} : { reasoningStyle: entry.reasoning_style }),
    ...(entry.reasoning_replay === undefined ? {} : { reasoningReplay: entry.reasoning_replay }),
  };
}

function responsesOptions(entry: ResponsesEntry): Partial<ResponsesOptions> {
  return {
    ...(entry.prompt_cache_key === undefined ? {} : { promptCacheKey: entry.prompt_cache_key }),
    ...(entry.reasoning_style === undefined ? {} : { reasoningStyle: entry.reasoning_style }),
    ...(entry.reasoning_replay === undefined ? {} : { reasoningReplay: entry.reasoning_replay }),
  };
}

function serverOptions(entry: ServerEntry, { timeouts, extraBody }: UpstreamContext): Partial<ServerOptions> {
  return {
    ...(entry.system_turns === undefined ? {} : { systemTurns: entry.system_turns }),
    ...(entry.attribution === undefined ? {} : { attribution: entry.attribution }),
    ...(entry.tool_call_id_limit === undefined ? {} : { toolCallIdLimit: entry.tool_call_id_limit }),
    ...(entry.stop_sequence_limit === undefined ? {} : { stopSequenceLimit: entry.stop_sequence_limit }),
    ...(entry.json_schema === undefined ? {} : { jsonSchema: entry.json_schema }),
    ...(extraBody === null ? {} : { extraBody }),
    ...(entry.max_connections === undefined ? {} : { maxConnections: entry.max_connections }),
    timeouts: {
      connectMilliseconds: entry.timeouts?.connect_seconds ?? timeouts.connectMilliseconds,
      firstByteMilliseconds: entry.timeouts?.first_byte_seconds ?? timeouts.firstByteMilliseconds,
      firstOutputMilliseconds: entry.timeouts?.first_output_seconds ?? timeouts.firstOutputMilliseconds,
      silenceMilliseconds: entry.timeouts?.silence_seconds ?? timeouts.silenceMilliseconds,
      wholeMilliseconds: entry.timeouts?.generation_seconds ?? timeouts.wholeMilliseconds,
    },
  };
}

/** Standard plans with the catalogue's changes, then its own plans. */
export function decodePlans(entries: Readonly<Record<string, PlanEntry>>): readonly Plan[] {
  const standard = STANDARD_PLANS.map((plan) => {
    const entry = entries[plan.id];
    return entry === undefined ? plan : changed(plan, entry);
  });
  const known = new Set<string>(STANDARD_PLANS.map(({ id }) => id));
  const own = Object.entries(entries).filter(([id]) => !known.has(id)).map(([id, entry]) => decodePlan(id, entry));
  return [...standard, ...own];
}

function changed(plan: Plan, entry: PlanEntry): Plan {
  const { limits } = plan;
  return {
    id: plan.id,
    name: entry.name ?? plan.name,
    limits: {
      requestsPerMinute: entry.requests_per_minute ?? limits.requestsPerMinute,
      tokensPerMinute: entry.tokens_per_minute ?? limits.tokensPerMinute,
      concurrentRequests: entry.concurrent_requests ?? limits.concurrentRequests,
      maxContextTokens: entry.max_context_tokens ?? limits.maxContextTokens,
      activeKeys: entry.active_keys ?? limits.activeKeys,
      tokensPerDay: entry.tokens_per_day === undefined ? limits.tokensPerDay : entry.tokens_per_day,
      tokensPerMonth: entry.tokens_per_month === undefined ? limits.tokensPerMonth : entry.tokens_per_month,
    },
    excludedModels: entry.excluded_models === undefined ? plan.excludedModels : new Set(entry.excluded_models as ModelSlug[]),
  };
}

/** A plan that is not a standard one. Validation requires its name and limits; its daily and monthly caps are optional. */
function decodePlan(id: string, entry: PlanEntry): Plan {
  invariant(entry.name !== undefined && entry.requests_per_minute !== undefined, 'a plan that is not standard states all its limits');
  const nothing = 0 as TokenCount;
  const blank: Plan = {
    id: id as PlanId,
    name: entry.name,
    limits: {
      requestsPerMinute: 0, tokensPerMinute: nothing, concurrentRequests: 0, maxContextTokens: nothing, activeKeys: 0,
      tokensPerDay: null, tokensPerMonth: null,
    },
    excludedModels: new Set(),
  };
  return changed(blank, entry);
}
