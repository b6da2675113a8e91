import type { JsonDocument } from '../primitives/json.js';
import type { TokenCount } from '../primitives/token-count.js';
import type { CacheMark, Conversation } from './conversation.js';

/** A cache mark is sent only to servers of the messages format; other servers cache automatically. */
export interface Cacheable {
  readonly cacheMark?: CacheMark;
}

/** How the client declared a tool, in a format that has other tools than functions. */
export interface ToolDeclaration {
  /** `custom`: takes a text instead of an object. `search`: finds further tools; the client runs it. */
  readonly kind: 'function' | 'custom' | 'search';
  /** Unique only within its namespace. */
  readonly name: string;
  /** `null` for none. */
  readonly namespace: string | null;
  /** Format of a custom tool's text, verbatim. */
  readonly inputFormat: JsonDocument | null;
}

export interface Tool extends Cacheable {
  /** Unique in the request, and the name that upstreams receive; `declaration.name` is unique only within its namespace. */
  readonly name: string;
  readonly description: string | null;
  /** Verbatim; `null` if the client sent none. */
  readonly inputSchema: JsonDocument | null;
  /** Absent for a function. Upstreams that support only functions receive `name`, `description` and `inputSchema`. */
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

/** `model-default`: unspecified. `on`: the model's default effort. */
export type Reasoning = 'model-default' | 'off' | 'on' | 'low' | 'high' | 'max';

/** Thinking is charged as output even if it is withheld. */
export type ThinkingDisplay = 'shown' | 'withheld';

/** Enforced by upstreams, not by the gateway. */
export interface OutputSchema {
  readonly name: string | null;
  readonly description: string | null;
  readonly strict: boolean | null;
  readonly schema: JsonDocument;
}

/** The request as the client wrote it, opaque to the core. An encoder may copy its unchanged parts. */
export interface RequestSource {
  readonly language: 'json';
}

/** Fields are `null` if the client did not specify the value. */
export interface GenerationRequest extends Cacheable {
  /** Slug or alias. */
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
  /** `null` unless `responseFormat` is `json`. */
  readonly outputSchema: OutputSchema | null;
  /** The client's name for its user; does not affect billing. */
  readonly attribution: string | null;
  /** `prompt_cache_key`: groups requests with a common prompt. */
  readonly cacheKey?: string;
  /** Settings that the decoder left out, or in part, because no upstream can be sent them; see `ServedModel.omitted`. Default none. */
  readonly omitted?: readonly string[];
  /** Adds no information to the other fields; `null` if no part can be copied. */
  readonly source: RequestSource | null;
}
