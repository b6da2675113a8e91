import type { JsonObject } from '../primitives/primitives.js';

export type UpstreamDefinition = OpenaiUpstream | AnthropicUpstream | ResponsesUpstream | SandboxUpstream;

/** The name of the parameter for the maximum output. OpenAI's reasoning models accept only `max_completion_tokens`. */
export type OutputLimitField = 'max_tokens' | 'max_completion_tokens';

/**
 * The parameters that control reasoning. `effort`: `reasoning_effort` none, low or high. `thinking`: DeepSeek's `thinking.type`
 * and `reasoning_effort` low, high or max. `chat-template`: `chat_template_kwargs` with `enable_thinking` and `thinking` (vLLM,
 * SGLang, llama.cpp). `off-only`: `reasoning_effort` none if the request disables reasoning, since some servers refuse levels.
 * `none`: no parameter.
 */
export type ReasoningStyle = 'effort' | 'thinking' | 'chat-template' | 'off-only' | 'none';

/**
 * System messages in the middle of a conversation: kept in place, or merged into the user's turn for servers whose chat template
 * accepts a system message only at the start.
 */
export type SystemTurnStyle = 'in-place' | 'as-user';

export interface UpstreamTimeouts {
  /** Includes the TLS handshake. */
  readonly connectMilliseconds: number;
  /** From the connection to the headers of a streamed response. */
  readonly firstByteMilliseconds: number;
  /** From the headers to the first output. */
  readonly firstOutputMilliseconds: number;
  /**
   * The maximum pause between two chunks before the first output; afterwards, per 16 bytes of output. Counted only while the
   * gateway reads.
   */
  readonly silenceMilliseconds: number;
  /** For the whole call. */
  readonly wholeMilliseconds: number;
}

export interface ConnectionOptions {
  /** A longer response, whole or streamed, is aborted as malformed. */
  readonly maxResponseBytes: number;
  /** `null` for no limit. */
  readonly maxConnections: number | null;
  readonly timeouts: Partial<UpstreamTimeouts>;
}

export interface ServerOptions extends ConnectionOptions {
  /** `schema` forwards a JSON Schema of the output to servers that enforce it; `object` requests plain JSON mode. */
  readonly jsonSchema: 'object' | 'schema';
  /** Additional fields of every request; fields that the gateway writes take precedence. */
  readonly extraBody: JsonObject | null;
  readonly systemTurns: SystemTurnStyle;
  /** Whether `user` or `metadata.user_id` is forwarded. */
  readonly attribution: 'sent' | 'omitted';
  /** The maximum that the server accepts; the gateway enforces the others itself. */
  readonly stopSequenceLimit: number;
  /** In characters; longer ids are truncated. */
  readonly toolCallIdLimit: number;
}

export interface OpenaiOptions extends ServerOptions {
  readonly outputLimitField: OutputLimitField;
  /** Whether a client's `prompt_cache_key` is forwarded. */
  readonly promptCacheKey: 'sent' | 'omitted';
  readonly reasoningStyle: ReasoningStyle;
  /** Whether reasoning models receive the reasoning of earlier turns. */
  readonly reasoningReplay: 'sent' | 'omitted';
}

/** A server with the chat completions format, such as vLLM, llama.cpp, Ollama or DeepSeek. */
export interface OpenaiUpstream {
  readonly id: string;
  readonly kind: 'openai';
  /** Includes the version: `http://127.0.0.1:8000/v1`. A trailing slash is ignored. */
  readonly baseUrl: string;
  /** Sent as a bearer token; `null` for none. */
  readonly apiKey: string | null;
  /** Omitted options take their defaults. */
  readonly options?: Partial<OpenaiOptions>;
}

/**
 * The parameters that control reasoning. `budget`: `thinking` with `budget_tokens`. `adaptive`: `thinking` of type `adaptive` and
 * `output_config.effort`, for newer models. `off-only`: `thinking` of type `disabled` if the request disables reasoning. `none`:
 * no parameter.
 */
export type ThinkingStyle = 'budget' | 'adaptive' | 'off-only' | 'none';

export interface AnthropicOptions extends ServerOptions {
  /** Whether a client's `cache_control` is forwarded. */
  readonly cacheControl: 'sent' | 'omitted';
  /** The header of the key: `x-api-key`, or `authorization` with a bearer token. */
  readonly authentication: 'api-key' | 'bearer';
  readonly reasoningStyle: ThinkingStyle;
  /**
   * Which thinking of earlier turns reasoning models receive: `signed` for blocks that the server signed, `sent` for all blocks,
   * for servers that do not verify signatures.
   */
  readonly reasoningReplay: 'signed' | 'sent' | 'omitted';
}

/** A server with the messages format. */
export interface AnthropicUpstream {
  readonly id: string;
  readonly kind: 'anthropic';
  /** With or without the version: `https://api.example.com` or `https://api.example.com/v1`. A trailing slash is ignored. */
  readonly baseUrl: string;
  /** `null` for none. */
  readonly apiKey: string | null;
  /** Omitted options take their defaults. */
  readonly options?: Partial<AnthropicOptions>;
}

/**
 * The parameters that control reasoning. `effort`: `reasoning.effort` none, low or high, with a summary. `off-only`:
 * `reasoning.effort` none if the request disables reasoning. `none`: no parameter.
 */
export type ResponsesReasoningStyle = 'effort' | 'off-only' | 'none';

export interface ResponsesOptions extends ServerOptions {
  /** Whether a client's `prompt_cache_key` is forwarded. */
  readonly promptCacheKey: 'sent' | 'omitted';
  readonly reasoningStyle: ResponsesReasoningStyle;
  /**
   * Which reasoning of earlier turns reasoning models receive: `signed` for items that the server encrypted, `sent` for all
   * items, for servers that accept reasoning as text.
   */
  readonly reasoningReplay: 'signed' | 'sent' | 'omitted';
}

/** A server with the responses format. */
export interface ResponsesUpstream {
  readonly id: string;
  readonly kind: 'responses';
  /** Includes the version: `http://127.0.0.1:8000/v1`. A trailing slash is ignored. */
  readonly baseUrl: string;
  /** Sent as a bearer token; `null` for none. */
  readonly apiKey: string | null;
  /** Omitted options take their defaults. */
  readonly options?: Partial<ResponsesOptions>;
}

export interface SandboxUpstream {
  readonly id: string;
  readonly kind: 'sandbox';
}

/** A limit is `null` if the server does not state it. */
export interface DiscoveredModel {
  readonly id: string;
  readonly contextWindowTokens: number | null;
  readonly maxOutputTokens: number | null;
}

export interface DiscoveredList {
  /** The configured address, or that address with `/v1` appended; calls use it too. */
  readonly baseUrl: string;
  /** In the server's order. */
  readonly models: readonly DiscoveredModel[];
}
