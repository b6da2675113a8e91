import {
  type Catalogue, parseTokenRate, type Price, ServiceTokens, type TokenRate, type UpstreamDefinition, type UpstreamTimeouts,
} from '@tollgate/core';
import type { Environment } from '../settings/environment-file.js';

/** A catalogue and the upstreams that serve its models; both are replaced together. */
export interface LoadedCatalogue {
  readonly catalogue: Catalogue;
  readonly upstreams: readonly UpstreamDefinition[];
}

/** What a catalogue's text refers to but does not contain. */
export interface CatalogueContext {
  /** Where `api_key_env` looks. */
  readonly environment: Environment;
  /** For upstreams that do not set their own. */
  readonly timeouts: UpstreamTimeouts;
}

/** Something wrong with a catalogue. */
export interface CatalogueProblem {
  /** Where in the text, counted from 1; `null` when there is no text. */
  readonly line: number | null;
  /** `models.small.price.prompt`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** One line for a person: `catalog.yaml:12: models.small.price.prompt: is missing`. */
export function describeProblem(file: string, { line, path, message }: CatalogueProblem): string {
  return [line === null ? file : `${file}:${line}`, ...(path === '' ? [] : [path]), message].join(': ');
}

export type CatalogueReading =
  | { readonly loaded: LoadedCatalogue }
  | { readonly problems: readonly CatalogueProblem[] };

/** What one service token is worth where no catalogue says so: a tenth of a cent. */
export const DEFAULT_USD_PER_SERVICE_TOKEN: TokenRate = parseTokenRate('0.001');

/** Reservations are no smaller than this unless the catalogue says otherwise. */
export const DEFAULT_MIN_RESERVATION = ServiceTokens.parse('1');

/** The price of models that a server lists, since no server says what it costs: 500 service tokens per million prompt tokens, 1,500 per million output tokens. */
export const DEFAULT_PRICE: Price = {
  promptToken: parseTokenRate('0.0005'),
  cachedPromptToken: parseTokenRate('0.00005'),
  cacheCreationToken: parseTokenRate('0.0005'),
  outputToken: parseTokenRate('0.0015'),
};
