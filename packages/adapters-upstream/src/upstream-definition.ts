import type { Timeouts } from './http/timeouts.js';

/** Where the server takes the most tokens it may generate. OpenAI's own reasoning models know only the second. */
export type OutputLimitField = 'max_tokens' | 'max_completion_tokens';

/**
 * How the server is told to reason, for models that can:
 * `effort`: `reasoning_effort` none, low or high;
 * `thinking`: `thinking.type` and `reasoning_effort` low, high or max, as DeepSeek has it;
 * `chat-template`: `chat_template_kwargs` with `enable_thinking` and `thinking`, as vLLM, SGLang and llama.cpp hand them to a template;
 * `none`: not at all.
 */
export type ReasoningStyle = 'effort' | 'thinking' | 'chat-template' | 'none';

/**
 * Where instructions in the middle of a conversation go: they stay where they are, or become part of the user's turn,
 * for servers whose chat template takes a system message at the beginning only.
 */
export type SystemTurnStyle = 'in-place' | 'as-user';

/** What differs between servers that speak chat completions. */
export interface OpenaiOptions {
  readonly outputLimitField: OutputLimitField;
  readonly reasoningStyle: ReasoningStyle;
  /** Whether reasoning models get the reasoning of earlier turns back. */
  readonly reasoningReplay: 'sent' | 'omitted';
  readonly systemTurns: SystemTurnStyle;
  /** Whether the client's name for its user is passed on as `user`. */
  readonly attribution: 'sent' | 'omitted';
  /** The most stop sequences the server takes; the gateway enforces the rest itself. */
  readonly stopSequenceLimit: number;
  /** Whole and streamed replies longer than this are cut off as malformed. */
  readonly maxResponseBytes: number;
  /** The most connections kept to the server; `null` is as many as there are requests. */
  readonly maxConnections: number | null;
  readonly timeouts: Partial<Timeouts>;
}

export const DEFAULT_OPENAI_OPTIONS: OpenaiOptions = {
  outputLimitField: 'max_tokens',
  reasoningStyle: 'effort',
  reasoningReplay: 'sent',
  systemTurns: 'in-place',
  attribution: 'omitted',
  stopSequenceLimit: 4,
  maxResponseBytes: 64 * 1024 * 1024,
  maxConnections: null,
  timeouts: {},
};

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

/** The gateway's own simulated models. */
export interface SandboxUpstream {
  readonly id: string;
  readonly kind: 'sandbox';
}

/** One upstream of the catalogue. */
export type UpstreamDefinition = OpenaiUpstream | SandboxUpstream;
