import type { JsonObject, JsonValue } from '@tollgate/core';
import type { Scenario } from './scenarios.js';

/** `accumulated`: streamed, and assembled by the client's own helper. */
export type Delivery = 'whole' | 'streamed' | 'accumulated';

export interface Question {
  /** The gateway's URL without a path. */
  readonly url: string;
  readonly key: string;
  /** Its name is also the name of the model. */
  readonly scenario: Scenario;
  readonly delivery: Delivery;
  readonly retries: number;
  /** Used by clients whose transport is the platform's `fetch`. */
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

/** Fields are `null` if the client does not expose them. */
export interface AnsweredError {
  readonly status: number | null;
  readonly code: string | null;
}

/** A client's answer in terms common to all clients. */
export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly AnsweredCall[];
  /** `null` if the reply broke off before the usage. */
  readonly usage: AnsweredUsage | null;
  readonly finish: 'end' | 'tool-call' | 'none' | `other: ${string}`;
  /** Warnings that the client returned; printed ones are not included. */
  readonly warnings: readonly string[];
  readonly error: AnsweredError | null;
}

export interface Client {
  readonly name: string;
  readonly format: 'chat' | 'messages' | 'responses';
  readonly deliveries: readonly Delivery[];
  /** Whether the client sends by the platform's `fetch` or by a package of its own. */
  readonly transport: 'platform' | 'own';
  readonly ask: (question: Question) => Promise<Answer>;
}

/** Collects an answer without its incomplete parts. */
export class AnswerDraft {
  text = '';
  reasoning = '';
  toolCalls: AnsweredCall[] = [];
  usage: AnsweredUsage | null = null;
  finish: Answer['finish'] = 'none';
  warnings: string[] = [];
  error: AnsweredError | null = null;

  /** A failure of `read` becomes the answer's error. */
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
  // The finish reason that the AI SDK gives to a broken reply.
  'error': 'none',
};

/** Translates a format's finish reason into common terms. */
export function finishOf(word: string | null | undefined): Answer['finish'] {
  if (word === null || word === undefined) return 'none';
  return FINISHES[word] ?? `other: ${word}`;
}

/** Throws if the JSON is invalid. */
export function parsedArguments(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

/** The member of an untyped value at a path; `undefined` if absent. */
export function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as JsonObject | null | undefined)?.[key], value);
}

/** The string at a path; empty if absent. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = memberOf(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** Reads an error's status and code at the paths that this client uses. */
export function errorAt(thrown: unknown, status: readonly string[], code: readonly string[]): AnsweredError {
  const foundStatus = memberOf(thrown, ...status);
  const foundCode = memberOf(thrown, ...code);
  if (foundStatus === undefined && foundCode === undefined && !(thrown instanceof Error)) throw thrown;
  return { status: typeof foundStatus === 'number' ? foundStatus : null, code: typeof foundCode === 'string' ? foundCode : null };
}
