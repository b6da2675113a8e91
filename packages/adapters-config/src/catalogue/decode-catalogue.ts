import { z } from 'zod';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { Catalogue, DEFAULT_REQUEST_LIMITS, type JsonObject, type RequestLimits, STANDARD_PLANS } from '@tollgate/core';
import type { Environment } from '../settings/environment-file.js';
import { type CatalogueEntry, catalogueSchema, type ModelEntry, type PlanEntry, UPSTREAM_KINDS, type UpstreamEntry } from './catalogue-schema.js';
import type { CatalogueProblem } from './catalogue-problem.js';
import type { CatalogueContext, CatalogueReading, LoadedCatalogue } from './loaded-catalogue.js';
import type { Contradiction, Names, Path } from './contradiction.js';
import { DEFAULT_MIN_RESERVATION } from './catalogue-defaults.js';
import { decodeCreditOffer } from './credit-offer-schema.js';
import { decodeModel, decodePlans, decodeUpstream } from './decode-entries.js';
import { decodePriceList } from './decode-prices.js';
import { priceContradictions } from './price-contradictions.js';
import { shutdownContradictions } from './shutdown-contradictions.js';
import { readersAmong } from './upstream-readers.js';

function contradictionsIn(entry: CatalogueEntry, environment: Environment, plans: Names): readonly Contradiction[] {
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
    ...priceContradictions(entry),
    ...shutdownContradictions(entry),
  ];
}

function upstreamContradictions(id: string, upstream: UpstreamEntry, environment: Environment): readonly Contradiction[] {
  if (upstream.kind === 'sandbox' || upstream.api_key_env === undefined) return [];
  const path = ['upstreams', id, 'api_key_env'];
  if (upstream.api_key !== undefined) return [{ path, message: 'must not be set together with api_key' }];
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
    if (fallbacks.indexOf(fallback) < position) return [{ path, message: `${fallback} is already listed` }];
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

/** Reads a malformed name as an empty one, which counts as no reference; the schema reports it. */
const names = z.array(z.string().catch('')).catch([]);
const modelReferences = z.object({ targets: z.array(z.object({ upstream: z.string().catch('') }).catch({ upstream: '' })).catch([]), fallbacks: names }).catch({ targets: [], fallbacks: [] });
const planReferences = z.object({ excluded_models: names }).catch({ excluded_models: [] });
const mapOf = <Entry extends z.ZodType>(entry: Entry) => z.record(z.string(), entry).catch({});
const references = z.object({ upstreams: mapOf(z.unknown()), models: mapOf(modelReferences), plans: mapOf(planReferences) })
  .catch({ upstreams: {}, models: {}, plans: {} });

/** Finds dangling references in malformed catalogues too. */
function danglingReferences(content: unknown): readonly Contradiction[] {
  const entry = references.parse(content);
  const [upstreams, models] = [new Set([...Object.keys(entry.upstreams), '']), new Set([...Object.keys(entry.models), ''])];
  return [
    ...Object.entries(entry.models).flatMap(([slug, { targets, fallbacks }]) => [
      ...targetContradictions(slug, { targets }, upstreams), ...fallbackContradictions(slug, { fallbacks: fallbacks.filter((name) => name !== '') }, models),
    ]),
    ...Object.entries(entry.plans).flatMap(([id, one]) => excludedModelContradictions(id, one, models)),
  ];
}

/** Maximum number of YAML aliases that are resolved: nested ones can multiply exponentially. */
const MAX_ALIASES = 1_000;

/** A catalogue as plain data, with line numbers. */
interface CatalogueText {
  /** Contains only maps, lists and texts: numbers stay text, so that no price passes through a float. */
  readonly content: unknown;
  /** The part at a path, with numbers, booleans and nulls as YAML defines them, for values that are forwarded. */
  typed(path: Path): unknown;
  /** Line of the part at a path, or of its nearest existing ancestor. */
  lineOf(path: Path): number;
}

export type TextReading = { readonly text: CatalogueText } | { readonly problems: readonly CatalogueProblem[] };

/** Parses YAML by the failsafe schema, in which all scalars are texts. */
function readCatalogueText(source: string): TextReading {
  const lines = new LineCounter();
  const document = parseDocument(source, { schema: 'failsafe', lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const problems = document.errors.map(({ pos: [offset], message }) => ({ line: lines.linePos(offset).line, path: '', message }));
  if (problems.length > 0) return { problems };
  return {
    text: {
      content: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown,
      typed: (path) => typedPart(source, path),
      lineOf: (path) => lines.linePos(offsetOf(document, path)).line,
    },
  };
}

function typedPart(source: string, path: Path): unknown {
  const document = parseDocument(source, { schema: 'core' });
  return path.reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>> | undefined)?.[key], document.toJS({ maxAliasCount: MAX_ALIASES }));
}

function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

const STANDARD_PLAN_IDS: ReadonlySet<string> = new Set(STANDARD_PLANS.map(({ id }) => id));

/**
 * Reports all errors of YAML, or else all problems of the schema, or else all contradictions. Even if there are problems of the schema, the names in
 * targets, fallbacks and `excluded_models` are checked. Throws if YAML's aliases multiply beyond a bound.
 */
export function decodeCatalogue(source: string, context: CatalogueContext): CatalogueReading {
  const reading = readCatalogueText(source);
  if ('problems' in reading) return reading;
  const { text } = reading;
  const parsed = catalogueSchema.safeParse(text.content, { reportInput: true });
  if (!parsed.success) {
    const dangling = danglingReferences(text.content).map(({ path, message }) => problemAt(path, message, text));
    return { problems: [...parsed.error.issues.flatMap((issue) => problemsOf(issue, text)), ...dangling] };
  }
  const problems = contradictionsIn(parsed.data, context.environment, STANDARD_PLAN_IDS)
    .map(({ path, message }) => problemAt(path, message, text));
  return problems.length > 0 ? { problems } : { loaded: load(parsed.data, text, context) };
}

function load(entry: CatalogueEntry, text: CatalogueText, context: CatalogueContext): LoadedCatalogue {
  const upstreams = Object.entries(entry.upstreams)
    .map(([id, upstream]) => decodeUpstream(id, upstream, { ...context, extraBody: extraBodyOf(id, upstream, text) }));
  const sandboxes = new Set(upstreams.filter(({ kind }) => kind === 'sandbox').map(({ id }) => id));
  const readers = readersAmong(upstreams);
  const catalogue = new Catalogue({
    models: Object.entries(entry.models).map(([slug, model]) => decodeModel(slug, model, { sandboxes, readers, typed: (path) => text.typed(['models', slug, ...path]) as JsonObject })),
    plans: decodePlans(entry.plans ?? {}),
    priceLists: Object.entries(entry.price_lists ?? {}).map(([id, list]) => decodePriceList(id, list)),
    usdPerServiceToken: entry.usd_per_service_token,
    minimumReservation: entry.minimum_reservation ?? DEFAULT_MIN_RESERVATION,
    requestLimits: decodeRequestLimits(entry.request_limits ?? {}),
    creditOffer: decodeCreditOffer(entry),
  });
  return { catalogue, upstreams };
}

function decodeRequestLimits(entry: NonNullable<CatalogueEntry['request_limits']>): RequestLimits {
  return {
    messages: entry.messages ?? DEFAULT_REQUEST_LIMITS.messages,
    tools: entry.tools ?? DEFAULT_REQUEST_LIMITS.tools,
    messageCharacters: entry.message_characters ?? DEFAULT_REQUEST_LIMITS.messageCharacters,
    stopSequences: entry.stop_sequences ?? DEFAULT_REQUEST_LIMITS.stopSequences,
  };
}

/** The extra body with YAML's types: servers need numbers where the operator wrote numbers. */
function extraBodyOf(id: string, upstream: UpstreamEntry, text: CatalogueText): JsonObject | null {
  if (upstream.kind === 'sandbox' || upstream.extra_body === undefined) return null;
  return text.typed(['upstreams', id, 'extra_body']) as JsonObject;
}

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue, text: CatalogueText): readonly CatalogueProblem[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => problemAt([...path, key], 'there is no such field', text));
  return [problemAt(path, messageOf(issue), text)];
}

const EXPECTED: Readonly<Record<string, string>> = { object: 'must be a map', record: 'must be a map', array: 'must be a list', string: 'must be a single value' };

function messageOf(issue: Issue): string {
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return EXPECTED[issue.expected] ?? issue.message;
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue.code === 'invalid_union' && issue.path.at(-1) === 'kind') return `must be one of ${UPSTREAM_KINDS.join(', ')}`;
  return issue.message;
}

function problemAt(path: Path, message: string, text: CatalogueText): CatalogueProblem {
  return { line: text.lineOf(path), path: pathText(path), message };
}

/** Text of a path, such as `models.small.targets[0].upstream`. */
function pathText(path: Path): string {
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('').replace(/^\./, '');
}
