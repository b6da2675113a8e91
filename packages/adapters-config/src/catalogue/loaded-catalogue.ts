import type { Catalogue, UpstreamDefinition, UpstreamTimeouts } from '@tollgate/core';
import type { Environment } from '../settings/environment-file.js';
import type { CatalogueProblem } from './catalogue-problem.js';

/** Both are replaced together. */
export interface LoadedCatalogue {
  readonly catalogue: Catalogue;
  readonly upstreams: readonly UpstreamDefinition[];
}

export interface CatalogueContext {
  /** For `api_key_env`. */
  readonly environment: Environment;
  /** Defaults for upstreams. */
  readonly timeouts: UpstreamTimeouts;
}

export type CatalogueReading =
  | { readonly loaded: LoadedCatalogue }
  | { readonly problems: readonly CatalogueProblem[] };
