import type { JsonDocument, TokenCount } from '../primitives/primitives.js';
import type { CacheMark, Conversation } from './conversation.js';

/** What may have a mark, for servers of the messages format; others cache by themselves. */
export interface Cacheable {
  readonly cacheMark?: CacheMark;
}

/** How a client declared a tool, in formats that have more than functions. */
export interface ToolDeclaration {
  /** `custom`: takes one text instead of an object. `search`: finds further tools, and runs at the client. */
  readonly kind: 'function' | 'custom' | 'search';
  /** The client's own name, within its namespace. */
  readonly name: string;
  /** The group that the tool belongs to; `null` for one that stands alone. */
  readonly namespace: string | null;
  /** The format that a custom tool's text has, as the client wrote it. */
  readonly inputFormat: JsonDocument | null;
}

export interface Tool extends Cacheable {
  /** Unique in its request: the name that every upstream sees. */
  readonly name: string;
  readonly description: string | null;
  /** A JSON Schema, passed on as it was written; `null` when the client gave none. */
  readonly inputSchema: JsonDocument | null;
  /** Absent for a plain function. Upstreams that know functions only see `name`, `description` and `inputSchema`. */
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

/** `model-default`: the client did not say. `on`: it asked for reasoning and left the effort to the model. */
export type Reasoning = 'model-default' | 'off' | 'on' | 'low' | 'high' | 'max';

/** Whether the client sees the model's thinking. It is counted and charged as output either way. */
export type ThinkingDisplay = 'shown' | 'withheld';

/** A JSON Schema that the reply is to follow. The gateway does not enforce it; servers that do are handed it. */
export interface OutputSchema {
  readonly name: string | null;
  readonly description: string | null;
  readonly strict: boolean | null;
  readonly schema: JsonDocument;
}

/** How the client wrote a request. Opaque to the core: a parser makes it, and an encoder may copy unchanged parts from it. */
export interface RequestSource {
  readonly language: 'json';
}

/** One request to generate, in no wire format's terms; `null` means that the client did not say. */
export interface GenerationRequest extends Cacheable {
  /** Slug or alias, not yet resolved. */
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
  /** Beside `json` only. */
  readonly outputSchema: OutputSchema | null;
  /** The client's own name for its user. Never read by billing. */
  readonly attribution: string | null;
  /** The client's own name for what its requests have in common, by which vendors find a cached prompt. */
  readonly cacheKey?: string;
  /** How it was written; `null` where there is nothing to copy. It says nothing that the other fields do not say. */
  readonly source: RequestSource | null;
}
