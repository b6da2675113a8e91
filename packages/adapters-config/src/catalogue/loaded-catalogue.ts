import {
  type Catalogue, parseTokenRate, type Price, ServiceTokens, type TokenRate, type UpstreamDefinition, type UpstreamTimeouts,
} from '@tollgate/core';
import type { Environment } from '../settings/environment-file.js';

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

export interface CatalogueProblem {
  /** From 1; `null` without a text. */
  readonly line: number | null;
  /** For example `models.small.price.prompt`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** For example `catalog.yaml:12: models.small.price.prompt: is missing`. */
export function describeProblem(file: string, { line, path, message }: CatalogueProblem): string {
  return [line === null ? file : `${file}:${line}`, ...(path === '' ? [] : [path]), message].join(': ');
}

export type CatalogueReading =
  | { readonly loaded: LoadedCatalogue }
  | { readonly problems: readonly CatalogueProblem[] };

/** Without a catalogue: a tenth of a cent. */
export const DEFAULT_USD_PER_SERVICE_TOKEN: TokenRate = parseTokenRate('0.001');

/** Smallest reservation without a catalogue. */
export const DEFAULT_MIN_RESERVATION = ServiceTokens.parse('1');

/** For discovered models: 500 service tokens per million prompt tokens, 1,500 per million output tokens. */
export const DEFAULT_PRICE: Price = {
  promptToken: parseTokenRate('0.0005'),
  cachedPromptToken: parseTokenRate('0.00005'),
  cacheCreationToken: parseTokenRate('0.0005'),
  outputToken: parseTokenRate('0.0015'),
};
