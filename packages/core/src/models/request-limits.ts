import type { RequestLimitName } from '../errors/refusal-details.js';

/** What a request may have at most where an operator may raise it. */
export interface RequestLimits extends Readonly<Record<RequestLimitName, number>> {
  /** The responses format, whose items are smaller, allows 2,000 items where this is less. */
  readonly messages: number;
  readonly tools: number;
  /** Of text in one message, over all its parts. */
  readonly messageCharacters: number;
  readonly stopSequences: number;
}

/** The bounds of section 8.2 of the specification, in force unless an operator raises them. */
export const DEFAULT_REQUEST_LIMITS: RequestLimits = { messages: 200, tools: 128, messageCharacters: 1_000_000, stopSequences: 16 };

/**
 * The most that an operator may set. A body within its own bounds, of 2 MiB and 32,768 keys, has hardly more messages and tools;
 * each stop sequence is looked for in every piece of a reply.
 */
export const GREATEST_REQUEST_LIMITS: RequestLimits = { messages: 10_000, tools: 1_024, messageCharacters: 2_097_152, stopSequences: 64 };
