import type { ProviderCall, ServerOptions } from '@tollgate/core';
import { sentId } from './sent-names.js';

/** Maximum length of a cache key at vendors. */
const MAX_CACHE_KEY_CHARACTERS = 64;

/** `prompt_cache_key`, if the catalogue allows it. */
export function sentCacheKey({ cacheKey }: ProviderCall['request'], { promptCacheKey }: { readonly promptCacheKey: 'sent' | 'omitted' }): string | undefined {
  return cacheKey === undefined || promptCacheKey === 'omitted' ? undefined : sentId(cacheKey, MAX_CACHE_KEY_CHARACTERS);
}

/** The client's user, if the catalogue allows it, cut to `limit` characters. */
export function sentAttribution({ attribution }: ProviderCall['request'], { options, limit }: { readonly options: Pick<ServerOptions, 'attribution'>; readonly limit: number }): string | undefined {
  return attribution === null || options.attribution === 'omitted' ? undefined : sentId(attribution, limit);
}
