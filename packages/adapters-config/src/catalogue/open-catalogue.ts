import type { Catalogue, CatalogueSource, DiscoveredList, UpstreamDefinition } from '@tollgate/core';
import type { Environment } from '../settings/environment-file.js';
import type { Settings } from '../settings/settings.js';
import { builtInCatalogue } from './built-in-catalogue.js';
import type { CatalogueFile } from './catalogue-file.js';
import { catalogueFromDiscovery, type DiscoveredServer } from './catalogue-from-discovery.js';
import { type CatalogueProblem, describeProblem } from './catalogue-problem.js';
import type { CatalogueContext, LoadedCatalogue } from './loaded-catalogue.js';

/** Asks a server for its models. */
export type Discover = (server: DiscoveredServer) => Promise<DiscoveredList>;

export interface OpenedCatalogue {
  readonly origin: 'file' | 'upstream' | 'built-in';
  readonly source: CatalogueSource;
  readonly upstreams: readonly UpstreamDefinition[];
  /** The file of the catalogue; `null` if it does not come from a file. */
  readonly file: CatalogueFile | null;
}

export type CatalogueOpening =
  | { readonly opened: OpenedCatalogue }
  /** Problems, one line each. */
  | { readonly problems: readonly string[] };

/**
 * Opens the catalogue in `CATALOG_FILE`; without it, one of the models that `UPSTREAM_BASE_URL` lists; without both, the built-in one. Rejects as
 * `discover` does.
 */
export async function openCatalogue(settings: Settings, environment: Environment, discover: Discover): Promise<CatalogueOpening> {
  const { catalogueFile, upstream, timeouts, requestLimits } = settings;
  if (catalogueFile !== null) return openFile(catalogueFile, { environment, timeouts });
  if (upstream === null) return { opened: opened('built-in', builtInCatalogue(requestLimits)) };
  const server = { ...upstream, timeouts };
  const { baseUrl, models } = await discover(server);
  return { opened: opened('upstream', catalogueFromDiscovery(models, { ...server, baseUrl }, requestLimits)) };
}

/** Loads the YAML parser and the schema only here, so that gateways without a file need less memory. */
export async function openCatalogueFile(
  path: string, context: CatalogueContext,
): Promise<{ readonly file: CatalogueFile } | { readonly problems: readonly CatalogueProblem[] }> {
  const { CatalogueFile: File } = await import('./catalogue-file.js');
  return File.open(path, context);
}

async function openFile(path: string, context: CatalogueContext): Promise<CatalogueOpening> {
  const opening = await openCatalogueFile(path, context);
  if ('problems' in opening) return { problems: opening.problems.map((problem) => (problem.line === null && problem.path === '' ? `CATALOG_FILE: ${describeProblem(path, problem)}` : describeProblem(path, problem))) };
  return { opened: { origin: 'file', source: opening.file, upstreams: opening.file.upstreams, file: opening.file } };
}

function opened(origin: OpenedCatalogue['origin'], { catalogue, upstreams }: LoadedCatalogue): OpenedCatalogue {
  return { origin, source: { current: (): Catalogue => catalogue }, upstreams, file: null };
}
