import type { Catalogue, UpstreamDefinition, UpstreamTimeouts } from '@tollgate/core';
import type { Environment } from '../settings/environment-file.js';
import type { CatalogueProblem } from './catalogue-problem.js';

/** A catalogue and its upstreams, which are replaced together. */
export interface LoadedCatalogue {
  readonly catalogue: Catalogue;
  readonly upstreams: readonly UpstreamDefinition[];
}

export interface CatalogueContext {
  /** Environment that `api_key_env` refers to. */
  readonly environment: Environment;
  /** Timeouts of upstreams that do not set their own. */
  readonly timeouts: UpstreamTimeouts;
}

export type CatalogueReading =
  | { readonly loaded: LoadedCatalogue }
  | { readonly problems: readonly CatalogueProblem[] };
