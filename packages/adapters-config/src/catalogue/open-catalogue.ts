import {
  assertNever, Catalogue, type CatalogueSource, DEFAULT_REQUEST_LIMITS, type DiscoveredList, type DiscoveredModel, type Model, type ModelSlug,
  parseTokenRate, type Price, type RequestLimits, STANDARD_PLANS, tokenCount, type TokenCount, type UpstreamDefinition, type UpstreamTimeouts,
} from '@tollgate/core';
import type { Environment } from '../settings/environment-file.js';
import type { Settings, UpstreamServer } from '../settings/settings.js';
import type { CatalogueFile } from './catalogue-file.js';
import { identifier } from './catalogue-schema.js';
import { DEFAULT_CREATED_AT, DEFAULT_OWNER } from './decode-entries.js';
import { readersAmong, readingOf } from './upstream-readers.js';
import {
  type CatalogueProblem, type CatalogueSurroundings, DEFAULT_MINIMUM_RESERVATION, DEFAULT_PRICE, DEFAULT_USD_PER_SERVICE_TOKEN, describeProblem,
  type LoadedCatalogue,
} from './loaded-catalogue.js';

/** Asks a server for its models; the upstream adapter knows how. */
export type Discover = (server: DiscoveredServer) => Promise<DiscoveredList>;

/** The catalogue that the settings ask for. */
export interface OpenedCatalogue {
  readonly origin: 'file' | 'upstream' | 'built-in';
  readonly source: CatalogueSource;
  readonly upstreams: readonly UpstreamDefinition[];
  /** For watching; `null` when it does not come from a file. */
  readonly file: CatalogueFile | null;
}

export type CatalogueOpening =
  | { readonly opened: OpenedCatalogue }
  /** One line each. */
  | { readonly problems: readonly string[] };

/** The catalogue of `CATALOG_FILE`, else of the models that `UPSTREAM_BASE_URL` lists, else the built-in one. Passes on what `discover` throws. */
export async function openCatalogue(settings: Settings, environment: Environment, discover: Discover): Promise<CatalogueOpening> {
  const { catalogueFile, upstream, timeouts, requestLimits } = settings;
  if (catalogueFile !== null) return openFile(catalogueFile, { environment, timeouts });
  if (upstream === null) return { opened: opened('built-in', builtInCatalogue(requestLimits)) };
  const server = { ...upstream, timeouts };
  const { baseUrl, models } = await discover(server);
  return { opened: opened('upstream', catalogueFromDiscovery(models, { ...server, baseUrl }, requestLimits)) };
}

/** Reads a catalogue file for the first time. The parser and the schema of files are loaded here: most gateways serve without a file, and start with less memory. */
export async function openCatalogueFile(
  path: string, surroundings: CatalogueSurroundings,
): Promise<{ readonly file: CatalogueFile } | { readonly problems: readonly CatalogueProblem[] }> {
  const { CatalogueFile: File } = await import('./catalogue-file.js');
  return File.open(path, surroundings);
}

async function openFile(path: string, surroundings: CatalogueSurroundings): Promise<CatalogueOpening> {
  const opening = await openCatalogueFile(path, surroundings);
  if ('problems' in opening) return { problems: opening.problems.map((problem) => describeProblem(path, problem)) };
  return { opened: { origin: 'file', source: opening.file, upstreams: opening.file.upstreams, file: opening.file } };
}

function opened(origin: OpenedCatalogue['origin'], { catalogue, upstreams }: LoadedCatalogue): OpenedCatalogue {
  return { origin, source: { current: (): Catalogue => catalogue }, upstreams, file: null };
}

const SANDBOX = 'sandbox';

const DEARER_PRICE: Price = {
  promptToken: parseTokenRate('0.003'),
  cachedPromptToken: parseTokenRate('0.0003'),
  cacheCreationToken: parseTokenRate('0.00375'),
  outputToken: parseTokenRate('0.015'),
};

type SandboxModel = Pick<Model, 'displayName' | 'aliases' | 'reasoning' | 'price' | 'fallbacks'> & {
  readonly slug: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
};

function sandboxModel({ slug, contextWindow, maxOutput, ...rest }: SandboxModel): Model {
  return {
    ...rest,
    slug: slug as ModelSlug,
    ownedBy: DEFAULT_OWNER,
    createdAt: DEFAULT_CREATED_AT,
    contextWindowTokens: tokenCount(contextWindow),
    maxOutputTokens: tokenCount(maxOutput),
    enforcesMaxTokens: true,
    reasoningAssumed: false,
    readsSchemas: true,
    simulated: true,
    targets: [{ upstreamId: SANDBOX, upstreamModel: slug }],
  };
}

const SMALL = sandboxModel({
  slug: 'sandbox-small',
  displayName: 'Sandbox Small (simulated)',
  aliases: ['claude-haiku-*', 'claude-3-5-haiku-*', 'gpt-*'],
  contextWindow: 128_000,
  maxOutput: 8_192,
  reasoning: false,
  price: DEFAULT_PRICE,
  fallbacks: [],
});

const REASONER = sandboxModel({
  slug: 'sandbox-reasoner',
  displayName: 'Sandbox Reasoner (simulated)',
  aliases: ['claude-*', 'gpt-5*', 'gpt-6*', 'codex-*', 'o3*', 'o4-*'],
  contextWindow: 256_000,
  maxOutput: 32_768,
  reasoning: true,
  price: DEARER_PRICE,
  fallbacks: [SMALL.slug],
});

/** Its upstream never serves, so every reply comes from its fallback. */
const UNAVAILABLE = sandboxModel({
  slug: 'sandbox-unavailable',
  displayName: 'Sandbox Unavailable (simulated)',
  aliases: [],
  contextWindow: 128_000,
  maxOutput: 8_192,
  reasoning: false,
  price: DEARER_PRICE,
  fallbacks: [SMALL.slug],
});

/** What is served where nothing is configured: simulated models, under the names coding agents ask for too. */
export function builtInCatalogue(requestLimits: RequestLimits = DEFAULT_REQUEST_LIMITS): LoadedCatalogue {
  return {
    catalogue: new Catalogue({
      models: [SMALL, REASONER, UNAVAILABLE],
      plans: STANDARD_PLANS,
      usdPerServiceToken: DEFAULT_USD_PER_SERVICE_TOKEN,
      minimumReservation: DEFAULT_MINIMUM_RESERVATION,
      requestLimits,
    }),
    upstreams: [{ id: SANDBOX, kind: 'sandbox' }],
  };
}

/** The server that was asked. */
export type DiscoveredServer = UpstreamServer & { readonly timeouts: UpstreamTimeouts };

/** Taken for the context window of a model whose server does not tell. */
export const DEFAULT_CONTEXT_WINDOW = tokenCount(128_000);
/** Taken for the maximum output of a model whose server does not tell; less if its window is smaller. */
export const DEFAULT_MAXIMUM_OUTPUT = tokenCount(16_384);
/** The id of the one upstream in such a catalogue. */
export const DISCOVERED_UPSTREAM_ID = 'upstream';

/**
 * A catalogue of the models that a server lists, each under its own id, at the default price.
 * Names that cannot stand in a header, and repeated ones, are left out.
 */
export function catalogueFromDiscovery(
  discovered: readonly DiscoveredModel[], server: DiscoveredServer, requestLimits: RequestLimits = DEFAULT_REQUEST_LIMITS,
): LoadedCatalogue {
  const usable = new Map(discovered.filter(({ id }) => identifier.safeParse(id).success).map((model) => [model.id, model]));
  const upstream = upstreamOf(server);
  const reading = readingOf([upstream.id], readersAmong([upstream]));
  return {
    catalogue: new Catalogue({
      models: [...usable.values()].map((model) => ({ ...modelOf(model, usable), ...reading })),
      plans: STANDARD_PLANS,
      usdPerServiceToken: DEFAULT_USD_PER_SERVICE_TOKEN,
      minimumReservation: DEFAULT_MINIMUM_RESERVATION,
      requestLimits,
    }),
    upstreams: [upstream],
  };
}

function upstreamOf(server: DiscoveredServer): UpstreamDefinition {
  const { baseUrl, apiKey, timeouts } = server;
  const common = { id: DISCOVERED_UPSTREAM_ID, baseUrl, apiKey };
  switch (server.kind) {
    case 'openai': return { ...common, kind: 'openai', options: { reasoningStyle: server.reasoningStyle, timeouts } };
    case 'anthropic': return { ...common, kind: 'anthropic', options: { reasoningStyle: server.reasoningStyle, timeouts } };
    case 'responses': return { ...common, kind: 'responses', options: { reasoningStyle: server.reasoningStyle, timeouts } };
    default: return assertNever(server);
  }
}

/** Ollama's tag for a name without one. */
const LATEST = ':latest';

/** A name with Ollama's usual tag is also known without it, as Ollama knows it, unless another model has that name. */
function aliasesOf(id: string, all: ReadonlyMap<string, DiscoveredModel>): readonly string[] {
  const untagged = id.slice(0, -LATEST.length);
  return id.endsWith(LATEST) && untagged !== '' && !all.has(untagged) ? [untagged] : [];
}

function modelOf({ id, contextWindowTokens, maxOutputTokens }: DiscoveredModel, all: ReadonlyMap<string, DiscoveredModel>): Model {
  const window = contextWindowTokens === null ? DEFAULT_CONTEXT_WINDOW : tokenCount(contextWindowTokens);
  return {
    slug: id as ModelSlug,
    displayName: id,
    ownedBy: DISCOVERED_UPSTREAM_ID,
    createdAt: DEFAULT_CREATED_AT,
    aliases: aliasesOf(id, all),
    contextWindowTokens: window,
    maxOutputTokens: Math.min(window, maxOutputTokens ?? DEFAULT_MAXIMUM_OUTPUT) as TokenCount,
    enforcesMaxTokens: true,
    reasoning: true,
    reasoningAssumed: true,
    simulated: false,
    price: DEFAULT_PRICE,
    targets: [{ upstreamId: DISCOVERED_UPSTREAM_ID, upstreamModel: id }],
    fallbacks: [],
  };
}
