import type { JsonObject } from '../primitives/json.js';

export type UpstreamDefinition = OpenaiUpstream | AnthropicUpstream | ResponsesUpstream | SandboxUpstream;

/** Parameter for the maximum output. OpenAI's reasoning models accept only `max_completion_tokens`. */
export type OutputLimitField = 'max_tokens' | 'max_completion_tokens';

/**
 * `effort`: `reasoning_effort` none, low or high. `thinking`: DeepSeek's `thinking.type` and `reasoning_effort` low, high or max.
 * `chat-template`: `chat_template_kwargs` with `enable_thinking` and `thinking` (vLLM, SGLang, llama.cpp). `off-only`: `reasoning_effort`
 * none to disable reasoning, for servers that refuse levels. `none`: no parameter.
 */
export type ReasoningStyle = 'effort' | 'thinking' | 'chat-template' | 'off-only' | 'none';

/**
 * How system turns within a conversation are sent: in place, or merged into the user's turn for chat templates that accept a system message only at
 * the start.
 */
export type SystemTurnStyle = 'in-place' | 'as-user';

export interface UpstreamTimeouts {
  /** Until the connection is established, including TLS. */
  readonly connectMilliseconds: number;
  /** From the connection to the headers of a stream; for a whole response, five times as long. */
  readonly firstByteMilliseconds: number;
  /** From the headers to the first output. */
  readonly firstOutputMilliseconds: number;
  /**
   * Maximum pause between chunks before the first output, and maximum time per 16 bytes of output afterwards. Counted only while the gateway reads.
   */
  readonly silenceMilliseconds: number;
  /** For the whole call. */
  readonly wholeMilliseconds: number;
}

export interface ConnectionOptions {
  /** Longer responses, whole or streamed, are aborted as malformed. */
  readonly maxResponseBytes: number;
  /** `null` for no limit. */
  readonly maxConnections: number | null;
  readonly timeouts: Partial<UpstreamTimeouts>;
}

export interface ServerOptions extends ConnectionOptions {
  /** `schema` forwards a JSON Schema to servers that enforce it; `object` requests plain JSON mode. */
  readonly jsonSchema: 'object' | 'schema';
  /** Added to every request; the gateway's own fields take precedence. */
  readonly extraBody: JsonObject | null;
  readonly systemTurns: SystemTurnStyle;
  /** The client's `user` or `metadata.user_id`. */
  readonly attribution: 'sent' | 'omitted';
  /** Maximum that the server accepts; the gateway itself searches for further stop sequences. */
  readonly stopSequenceLimit: number;
  /** In characters; longer ids are shortened, and different ids stay different. */
  readonly toolCallIdLimit: number;
}

export interface OpenaiOptions extends ServerOptions {
  readonly outputLimitField: OutputLimitField;
  /** The client's `prompt_cache_key`. */
  readonly promptCacheKey: 'sent' | 'omitted';
  readonly reasoningStyle: ReasoningStyle;
  /** Reasoning of earlier turns, for reasoning models. */
  readonly reasoningReplay: 'sent' | 'omitted';
}

/** A server of the chat completions format, such as vLLM, llama.cpp, Ollama or DeepSeek. */
export interface OpenaiUpstream {
  readonly id: string;
  readonly kind: 'openai';
  /** Includes the version: `http://127.0.0.1:8000/v1`. A trailing slash is ignored. */
  readonly baseUrl: string;
  /** Bearer token; `null` for none. */
  readonly apiKey: string | null;
  /** Omitted options have their defaults. */
  readonly options?: Partial<OpenaiOptions>;
}

/**
 * `budget`: `thinking` with `budget_tokens`. `adaptive`: `thinking` of type `adaptive` and `output_config.effort`, for newer models.
 * `off-only`: `thinking` of type `disabled` to disable reasoning. `none`: no parameter.
 */
export type ThinkingStyle = 'budget' | 'adaptive' | 'off-only' | 'none';

export interface AnthropicOptions extends ServerOptions {
  /** The client's `cache_control`. */
  readonly cacheControl: 'sent' | 'omitted';
  /** `x-api-key`, or `authorization` with a bearer token. */
  readonly authentication: 'api-key' | 'bearer';
  readonly reasoningStyle: ThinkingStyle;
  /**
   * Reasoning of earlier turns, for reasoning models. `signed`: blocks that the server signed; `sent`: all, for servers that verify no signatures.
   */
  readonly reasoningReplay: 'signed' | 'sent' | 'omitted';
}

/** A server of the messages format. */
export interface AnthropicUpstream {
  readonly id: string;
  readonly kind: 'anthropic';
  /** With or without the version: `https://api.example.com` or `https://api.example.com/v1`. A trailing slash is ignored. */
  readonly baseUrl: string;
  /** `null` for none. */
  readonly apiKey: string | null;
  /** Omitted options have their defaults. */
  readonly options?: Partial<AnthropicOptions>;
}

/** `effort`: `reasoning.effort` none, low or high, with a summary. `off-only`: `reasoning.effort` none to disable reasoning. `none`: no parameter. */
export type ResponsesReasoningStyle = 'effort' | 'off-only' | 'none';

export interface ResponsesOptions extends ServerOptions {
  /** The client's `prompt_cache_key`. */
  readonly promptCacheKey: 'sent' | 'omitted';
  readonly reasoningStyle: ResponsesReasoningStyle;
  /**
   * Reasoning of earlier turns, for reasoning models. `signed`: items that the server encrypted; `sent`: all, for servers that accept reasoning as
   * text.
   */
  readonly reasoningReplay: 'signed' | 'sent' | 'omitted';
}

/** A server of the responses format. */
export interface ResponsesUpstream {
  readonly id: string;
  readonly kind: 'responses';
  /** Includes the version: `http://127.0.0.1:8000/v1`. A trailing slash is ignored. */
  readonly baseUrl: string;
  /** Bearer token; `null` for none. */
  readonly apiKey: string | null;
  /** Omitted options have their defaults. */
  readonly options?: Partial<ResponsesOptions>;
}

export interface SandboxUpstream {
  readonly id: string;
  readonly kind: 'sandbox';
}

/** Limits are `null` if the server does not state them. */
export interface DiscoveredModel {
  readonly id: string;
  readonly contextWindowTokens: number | null;
  readonly maxOutputTokens: number | null;
}

export interface DiscoveredList {
  /** The base URL at which the list was found: as configured, or with `/v1` appended. Calls use it too. */
  readonly baseUrl: string;
  /** In the server's order. */
  readonly models: readonly DiscoveredModel[];
}
