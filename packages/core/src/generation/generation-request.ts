import type { Conversation } from '../conversation/conversation.js';
import type { TokenCount } from '../ids.js';
import type { JsonDocument } from '../json/json-text.js';

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
  /** The client's own name for its user. Never read by billing. */
  readonly attribution: string | null;
}
