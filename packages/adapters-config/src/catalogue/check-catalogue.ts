import { z } from 'zod';
import type { Environment } from '../settings/settings.js';
import type { CatalogueEntry, ModelEntry, PlanEntry, UpstreamEntry } from './catalogue-schema.js';
import type { Path } from './decode-catalogue.js';

/** Something that a part of a well-formed catalogue says and another contradicts. */
interface Contradiction {
  readonly path: Path;
  readonly message: string;
}

type Names = ReadonlySet<string>;

/** Everything in a well-formed catalogue that does not fit together. */
export function contradictionsIn(entry: CatalogueEntry, environment: Environment, plans: Names): readonly Contradiction[] {
  const models = new Set(Object.keys(entry.models));
  const upstreams = new Set(Object.keys(entry.upstreams));
  return [
    ...Object.entries(entry.upstreams).flatMap(([id, upstream]) => upstreamContradictions(id, upstream, environment)),
    ...Object.entries(entry.models).flatMap(([slug, model]) => [
      ...outputContradictions(slug, model),
      ...targetContradictions(slug, model, upstreams),
      ...fallbackContradictions(slug, model, models),
    ]),
    ...aliasContradictions(entry, models),
    ...planContradictions(entry, models, plans),
  ];
}

function upstreamContradictions(id: string, upstream: UpstreamEntry, environment: Environment): readonly Contradiction[] {
  if (upstream.kind === 'sandbox' || upstream.api_key_env === undefined) return [];
  const path = ['upstreams', id, 'api_key_env'];
  if (upstream.api_key !== undefined) return [{ path, message: 'must not be set beside api_key' }];
  const key = environment[upstream.api_key_env] ?? '';
  return key === '' ? [{ path, message: `the environment variable ${upstream.api_key_env} is not set` }] : [];
}

function outputContradictions(slug: string, { context_window: window, max_output_tokens: output }: ModelEntry): readonly Contradiction[] {
  return output <= window ? [] : [{ path: ['models', slug, 'max_output_tokens'], message: `must not be more than context_window, ${window}` }];
}

function targetContradictions(slug: string, { targets }: { readonly targets: readonly { readonly upstream: string }[] }, upstreams: Names): readonly Contradiction[] {
  return targets.flatMap(({ upstream }, position) =>
    upstreams.has(upstream) ? [] : [{ path: ['models', slug, 'targets', position, 'upstream'], message: `there is no upstream ${upstream}` }]);
}

function fallbackContradictions(slug: string, { fallbacks = [] }: Pick<ModelEntry, 'fallbacks'>, models: Names): readonly Contradiction[] {
  return fallbacks.flatMap((fallback, position) => {
    const path = ['models', slug, 'fallbacks', position];
    if (fallback === slug) return [{ path, message: 'a model cannot be its own fallback' }];
    if (fallbacks.indexOf(fallback) < position) return [{ path, message: `${fallback} is named already` }];
    return models.has(fallback) ? [] : [{ path, message: `there is no model ${fallback}` }];
  });
}

function aliasContradictions({ models }: CatalogueEntry, slugs: Names): readonly Contradiction[] {
  const owners = new Map<string, string>();
  return Object.entries(models).flatMap(([slug, { aliases = [] }]) => aliases.flatMap((alias, position) => {
    const path = ['models', slug, 'aliases', position];
    const owner = owners.get(alias);
    owners.set(alias, owner ?? slug);
    if (slugs.has(alias)) return [{ path, message: `${alias} is the name of a model` }];
    return owner === undefined ? [] : [{ path, message: `${alias} is an alias of ${owner} already` }];
  }));
}

const PLAN_LIMITS = ['name', 'requests_per_minute', 'tokens_per_minute', 'concurrent_requests', 'max_context_tokens', 'active_keys'] as const;

function planContradictions({ plans = {} }: CatalogueEntry, models: Names, standard: Names): readonly Contradiction[] {
  return Object.entries(plans).flatMap(([id, plan]) => [
    ...(standard.has(id) ? [] : PLAN_LIMITS.filter((field) => plan[field] === undefined))
      .map((field) => ({ path: ['plans', id, field], message: 'is missing; only the standard plans have defaults' })),
    ...excludedModelContradictions(id, plan, models),
  ]);
}

function excludedModelContradictions(id: string, plan: Pick<PlanEntry, 'excluded_models'>, models: Names): readonly Contradiction[] {
  return (plan.excluded_models ?? []).flatMap((slug, position) =>
    models.has(slug) ? [] : [{ path: ['plans', id, 'excluded_models', position], message: `there is no model ${slug}` }]);
}

/** What has another form than it must is left out here; the catalogue's schema tells it. */
const names = z.array(z.string().catch('')).catch([]);
const model = z.object({ targets: z.array(z.object({ upstream: z.string().catch('') }).catch({ upstream: '' })).catch([]), fallbacks: names }).catch({ targets: [], fallbacks: [] });
const plan = z.object({ excluded_models: names }).catch({ excluded_models: [] });
const mapOf = <Entry extends z.ZodType>(entry: Entry) => z.record(z.string(), entry).catch({});
const references = z.object({ upstreams: mapOf(z.unknown()), models: mapOf(model), plans: mapOf(plan) })
  .catch({ upstreams: {}, models: {}, plans: {} });

/** References in a catalogue of any form to upstreams and models that it does not have. */
export function danglingReferences(content: unknown): readonly Contradiction[] {
  const entry = references.parse(content);
  const [upstreams, models] = [new Set([...Object.keys(entry.upstreams), '']), new Set([...Object.keys(entry.models), ''])];
  return [
    ...Object.entries(entry.models).flatMap(([slug, { targets, fallbacks }]) => [
      ...targetContradictions(slug, { targets }, upstreams), ...fallbackContradictions(slug, { fallbacks: fallbacks.filter((name) => name !== '') }, models),
    ]),
    ...Object.entries(entry.plans).flatMap(([id, one]) => excludedModelContradictions(id, one, models)),
  ];
}
