import type { JsonObject, JsonValue } from '@tollgate/core';
import type { Scenario } from './scenarios.js';

/** `accumulated` uses the client's helper. */
export type Delivery = 'whole' | 'streamed' | 'accumulated';

export interface Question {
  /** Without a path. */
  readonly url: string;
  readonly key: string;
  /** Named like the model. */
  readonly scenario: Scenario;
  readonly delivery: Delivery;
  readonly retries: number;
  /** `fetch` for clients that use the platform's. */
  readonly fetch: typeof fetch;
}

export interface AnsweredCall {
  readonly name: string;
  readonly id: string;
  readonly input: JsonValue;
}

export interface AnsweredUsage {
  readonly prompt: number | undefined;
  readonly cached: number | undefined;
  readonly output: number | undefined;
}

/** A field is `null` if the client does not expose it. */
export interface AnsweredError {
  readonly status: number | null;
  readonly code: string | null;
}

/** What a client exposes, in common terms. */
export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly AnsweredCall[];
  /** `null` if the reply broke off. */
  readonly usage: AnsweredUsage | null;
  readonly finish: 'end' | 'tool-call' | 'none' | `other: ${string}`;
  /** Returned, not printed. */
  readonly warnings: readonly string[];
  readonly error: AnsweredError | null;
}

export interface Client {
  readonly name: string;
  readonly format: 'chat' | 'messages' | 'responses';
  readonly deliveries: readonly Delivery[];
  /** The platform's `fetch`, or the client's own package. */
  readonly transport: 'platform' | 'own';
  readonly ask: (question: Question) => Promise<Answer>;
}

/** Incomplete parts are omitted. */
export class AnswerDraft {
  text = '';
  reasoning = '';
  toolCalls: AnsweredCall[] = [];
  usage: AnsweredUsage | null = null;
  finish: Answer['finish'] = 'none';
  warnings: string[] = [];
  error: AnsweredError | null = null;

  /** A failure is part of the answer. */
  static async of(read: (draft: AnswerDraft) => Promise<void>, errorOf: (thrown: unknown) => AnsweredError): Promise<Answer> {
    const draft = new AnswerDraft();
    try {
      await read(draft);
    } catch (thrown) {
      draft.error = errorOf(thrown);
    }
    const { text, reasoning, toolCalls, usage, finish, warnings, error } = draft;
    return { text, reasoning, toolCalls, usage, finish, warnings, error };
  }
}

const FINISHES: Readonly<Record<string, Answer['finish']>> = {
  'stop': 'end',
  'end_turn': 'end',
  'tool_calls': 'tool-call',
  'tool-calls': 'tool-call',
  'tool_use': 'tool-call',
  // The AI SDK's finish reason of a broken reply.
  'error': 'none',
};

/** Translates a format's finish reason into common terms. */
export function finishOf(word: string | null | undefined): Answer['finish'] {
  if (word === null || word === undefined) return 'none';
  return FINISHES[word] ?? `other: ${word}`;
}

/** Invalid JSON fails the test. */
export function parsedArguments(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

/** Member of an untyped value. */
export function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as JsonObject | null | undefined)?.[key], value);
}

/** The string at a path; empty if absent. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = memberOf(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** Reads the error at the paths where this client has it. */
export function errorAt(thrown: unknown, status: readonly string[], code: readonly string[]): AnsweredError {
  const foundStatus = memberOf(thrown, ...status);
  const foundCode = memberOf(thrown, ...code);
  if (foundStatus === undefined && foundCode === undefined && !(thrown instanceof Error)) throw thrown;
  return { status: typeof foundStatus === 'number' ? foundStatus : null, code: typeof foundCode === 'string' ? foundCode : null };
}
