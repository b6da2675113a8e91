import type { JsonObject } from '../primitives/primitives.js';

/** One upstream of the catalogue. */
export type UpstreamDefinition = OpenaiUpstream | AnthropicUpstream | ResponsesUpstream | SandboxUpstream;

/** Where the server takes the most tokens it may generate. OpenAI's own reasoning models know only the second. */
export type OutputLimitField = 'max_tokens' | 'max_completion_tokens';

/**
 * How the server is told to reason, for models that can:
 * `effort`: `reasoning_effort` none, low or high;
 * `thinking`: `thinking.type` and `reasoning_effort` low, high or max, as DeepSeek has it;
 * `chat-template`: `chat_template_kwargs` with `enable_thinking` and `thinking`, as vLLM, SGLang and llama.cpp hand them to a template;
 * `off-only`: `reasoning_effort` none where the request turns reasoning off, and nothing else: some servers refuse levels;
 * `none`: not at all.
 */
export type ReasoningStyle = 'effort' | 'thinking' | 'chat-template' | 'off-only' | 'none';

/**
 * Where instructions in the middle of a conversation go: they stay where they are, or become part of the user's turn,
 * for servers whose chat template takes a system message at the beginning only.
 */
export type SystemTurnStyle = 'in-place' | 'as-user';

/** How long each part of a call may take, in milliseconds. */
export interface UpstreamTimeouts {
  /** Until the connection stands, encryption included. */
  readonly connectMilliseconds: number;
  /** From there until a stream's headers. */
  readonly firstByteMilliseconds: number;
  /** From the headers until the first output, whatever else arrives. */
  readonly firstOutputMilliseconds: number;
  /** Between two chunks of a reply before its first output; after it, for 16 bytes of output. Counted during reads. */
  readonly silenceMilliseconds: number;
  /** For everything together. */
  readonly wholeMilliseconds: number;
}

/** Limits of the connections to a server. */
export interface ConnectionOptions {
  /** Whole and streamed replies longer than this are cut off as malformed. */
  readonly maxResponseBytes: number;
  /** The most connections kept to the server; `null` is as many as there are requests. */
  readonly maxConnections: number | null;
  readonly timeouts: Partial<UpstreamTimeouts>;
}

/** What can be set for every server that is reached over HTTP. */
export interface ServerOptions extends ConnectionOptions {
  /** What becomes of a JSON Schema for the reply: `schema` hands it to servers that enforce it, `object` asks for JSON alone. */
  readonly jsonSchema: 'object' | 'schema';
  /** The operator's own fields of every request; a field that the gateway writes wins. */
  readonly extraBody: JsonObject | null;
  readonly systemTurns: SystemTurnStyle;
  /** Whether the client's name for its user is sent, as `user` or `metadata.user_id`. */
  readonly attribution: 'sent' | 'omitted';
  /** The most stop sequences the server takes; the gateway enforces the rest itself. */
  readonly stopSequenceLimit: number;
  /** The most characters of a tool call's id that the server takes; longer ones are cut. */
  readonly toolCallIdLimit: number;
}

/** What differs between servers that speak chat completions. */
export interface OpenaiOptions extends ServerOptions {
  readonly outputLimitField: OutputLimitField;
  /** Whether a client's `prompt_cache_key` is sent. */
  readonly promptCacheKey: 'sent' | 'omitted';
  readonly reasoningStyle: ReasoningStyle;
  /** Whether reasoning models get the reasoning of earlier turns back. */
  readonly reasoningReplay: 'sent' | 'omitted';
}

/** Any server that speaks chat completions: vLLM, llama.cpp, Ollama, DeepSeek. */
export interface OpenaiUpstream {
  readonly id: string;
  readonly kind: 'openai';
  /** With the version, as in `http://127.0.0.1:8000/v1`; a slash at the end makes no difference. */
  readonly baseUrl: string;
  /** Sent as a bearer token; `null` sends none. */
  readonly apiKey: string | null;
  /** What is left out takes the default. */
  readonly options?: Partial<OpenaiOptions>;
}

/**
 * How a server that speaks the messages format is told to reason, for models that can:
 * `budget`: `thinking` with `budget_tokens`;
 * `adaptive`: `thinking` of type `adaptive` and `output_config.effort`, as newer models have it;
 * `off-only`: `thinking` of type `disabled` where the request turns reasoning off, and nothing else;
 * `none`: not at all.
 */
export type ThinkingStyle = 'budget' | 'adaptive' | 'off-only' | 'none';

/** What differs between servers that speak the messages format. */
export interface AnthropicOptions extends ServerOptions {
  /** Whether a client's marks of what to cache are sent. */
  readonly cacheControl: 'sent' | 'omitted';
  /** The header that carries the key: `x-api-key` or `authorization` with a bearer token. */
  readonly authentication: 'api-key' | 'bearer';
  readonly reasoningStyle: ThinkingStyle;
  /**
   * Which thinking of earlier turns reasoning models get back: `signed` is what the server has signed itself,
   * `sent` is all of it, for servers that do not look at signatures.
   */
  readonly reasoningReplay: 'signed' | 'sent' | 'omitted';
}

/** Any server that speaks the messages format. */
export interface AnthropicUpstream {
  readonly id: string;
  readonly kind: 'anthropic';
  /** With or without the version, as in `https://api.example.com` or `https://api.example.com/v1`; a slash at the end makes no difference. */
  readonly baseUrl: string;
  /** `null` sends none. */
  readonly apiKey: string | null;
  /** What is left out takes the default. */
  readonly options?: Partial<AnthropicOptions>;
}

/**
 * How a server that speaks the responses format is told to reason, for models that can:
 * `effort`: `reasoning.effort` none, low or high, with a summary;
 * `off-only`: `reasoning.effort` none where the request turns reasoning off, and nothing else;
 * `none`: not at all.
 */
export type ResponsesReasoningStyle = 'effort' | 'off-only' | 'none';

/** What differs between servers that speak the responses format. */
export interface ResponsesOptions extends ServerOptions {
  /** Whether a client's `prompt_cache_key` is sent. */
  readonly promptCacheKey: 'sent' | 'omitted';
  readonly reasoningStyle: ResponsesReasoningStyle;
  /**
   * Which reasoning of earlier turns reasoning models get back: `signed` is what the server has encrypted itself,
   * `sent` is all of it, for servers that take reasoning as text.
   */
  readonly reasoningReplay: 'signed' | 'sent' | 'omitted';
}

/** Any server that speaks the responses format. */
export interface ResponsesUpstream {
  readonly id: string;
  readonly kind: 'responses';
  /** With the version, as in `http://127.0.0.1:8000/v1`; a slash at the end makes no difference. */
  readonly baseUrl: string;
  /** Sent as a bearer token; `null` sends none. */
  readonly apiKey: string | null;
  /** What is left out takes the default. */
  readonly options?: Partial<ResponsesOptions>;
}

/** The gateway's own simulated models. */
export interface SandboxUpstream {
  readonly id: string;
  readonly kind: 'sandbox';
}

/** A model that a server lists; `null` for a limit that the server does not state. */
export interface DiscoveredModel {
  readonly id: string;
  readonly contextWindowTokens: number | null;
  readonly maxOutputTokens: number | null;
}

/** The models that a server lists. */
export interface DiscoveredList {
  /** The address of the list, to which calls go as well: the address in the settings, or the same with `/v1`. */
  readonly baseUrl: string;
  /** In the server's order. */
  readonly models: readonly DiscoveredModel[];
}
