import type { JsonDocument, TokenCount } from '../primitives/primitives.js';
import type { CacheMark, Conversation } from './conversation.js';

/** May have a cache breakpoint, for servers of the messages format; other servers cache automatically. */
export interface Cacheable {
  readonly cacheMark?: CacheMark;
}

/** For formats with other tools than functions. */
export interface ToolDeclaration {
  /** `custom`: takes one text instead of an object. `search`: finds further tools; executed by the client. */
  readonly kind: 'function' | 'custom' | 'search';
  /** Within its namespace. */
  readonly name: string;
  /** `null` for a tool without a namespace. */
  readonly namespace: string | null;
  /** The client's format of a custom tool's text, verbatim. */
  readonly inputFormat: JsonDocument | null;
}

export interface Tool extends Cacheable {
  /** Unique in the request; sent to every upstream. */
  readonly name: string;
  readonly description: string | null;
  /** Forwarded verbatim; `null` if the client sent none. */
  readonly inputSchema: JsonDocument | null;
  /** Absent for a function. Upstreams that support functions only receive `name`, `description` and `inputSchema`. */
  readonly declaration?: ToolDeclaration;
}

export type ToolChoice =
  | { readonly kind: 'auto' | 'none' | 'any' }
  | { readonly kind: 'tool'; readonly name: string };

export interface Sampling {
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly frequencyPenalty: number | null;
  readonly presencePenalty: number | null;
}

/** `model-default`: the client did not say. `on`: reasoning at the model's default effort. */
export type Reasoning = 'model-default' | 'off' | 'on' | 'low' | 'high' | 'max';

/** Whether the client sees the model's thinking. It is charged as output either way. */
export type ThinkingDisplay = 'shown' | 'withheld';

/** Forwarded to servers that enforce it; the gateway does not. */
export interface OutputSchema {
  readonly name: string | null;
  readonly description: string | null;
  readonly strict: boolean | null;
  readonly schema: JsonDocument;
}

/** The request as the client wrote it. Opaque to the core; an encoder may copy unchanged parts from it. */
export interface RequestSource {
  readonly language: 'json';
}

/** Independent of the wire format. `null` means that the client did not specify the value. */
export interface GenerationRequest extends Cacheable {
  /** A slug or alias. */
  readonly model: string;
  readonly conversation: Conversation;
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice | null;
  readonly parallelToolCalls: boolean | null;
  readonly maxOutputTokens: TokenCount | null;
  readonly sampling: Sampling;
  readonly stopSequences: readonly string[];
  readonly reasoning: Reasoning;
  readonly responseFormat: 'text' | 'json';
  /** Requires the format `json`. */
  readonly outputSchema: OutputSchema | null;
  /** The client's own name for its user; not used for billing. */
  readonly attribution: string | null;
  /** The client's `prompt_cache_key`: groups requests with a common prompt. */
  readonly cacheKey?: string;
  /** `null` if nothing can be copied. Adds no information to the other fields. */
  readonly source: RequestSource | null;
}
