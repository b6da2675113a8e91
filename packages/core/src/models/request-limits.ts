import type { RequestLimitName } from '../errors/refusal-details.js';

/** Operators may set other limits, up to `MAX_REQUEST_LIMITS`. */
export interface RequestLimits extends Readonly<Record<RequestLimitName, number>> {
  /** Maximum messages. The responses format accepts at least 2,000 items, because its items are smaller. */
  readonly messages: number;
  readonly tools: number;
  /** Characters of all text parts of a message together. */
  readonly messageCharacters: number;
  readonly stopSequences: number;
}

export const DEFAULT_REQUEST_LIMITS: RequestLimits = { messages: 200, tools: 128, messageCharacters: 1_000_000, stopSequences: 16 };

/**
 * A body of at most 2 MiB and 32,768 keys can hardly contain more messages and tools. Stop sequences are few, because each is searched for in every
 * delta.
 */
export const MAX_REQUEST_LIMITS: RequestLimits = { messages: 10_000, tools: 1_024, messageCharacters: 2_097_152, stopSequences: 64 };
