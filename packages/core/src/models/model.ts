import type { ModelSlug, TokenCount } from '../ids.js';
import type { Price } from '../money/price.js';
import type { Instant } from '../time/instant.js';

/** One place a model can be had from: an upstream of the catalogue and the model's name there. */
export interface UpstreamTarget {
  readonly upstreamId: string;
  readonly upstreamModel: string;
}

/** A model on offer. */
export interface Model {
  readonly slug: ModelSlug;
  readonly displayName: string;
  readonly ownedBy: string;
  readonly createdAt: Instant;
  /** Other names it answers to; one that ends in `*` stands for every name that begins so. */
  readonly aliases: readonly string[];
  readonly contextWindowTokens: TokenCount;
  readonly maxOutputTokens: TokenCount;
  /** Whether it can think before it answers. */
  readonly reasoning: boolean;
  /** Its server does not say whether it reasons, so `reasoning` is an assumption. */
  readonly reasoningAssumed: boolean;
  /** Replies are made up by the gateway itself, for trying it out. */
  readonly simulated: boolean;
  readonly price: Price;
  /** Tried in order. */
  readonly targets: readonly UpstreamTarget[];
  /** Models that may serve in its place, in order of preference. */
  readonly fallbacks: readonly ModelSlug[];
}
