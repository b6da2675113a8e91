import type { Conversation } from '../conversation/conversation.js';
import type { TokenCount } from '../ids.js';
import type { JsonDocument } from '../json.js';

export interface Tool {
  readonly name: string;
  readonly description: string | null;
  /** A JSON Schema, passed on as it was written; `null` when the client gave none. */
  readonly inputSchema: JsonDocument | null;
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
export interface GenerationRequest {
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
  /** How it was written; `null` where there is nothing to copy. It says nothing that the other fields do not say. */
  readonly source: RequestSource | null;
}
