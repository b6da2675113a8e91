import type { JsonObject, JsonValue } from '@tollgate/core';
import type { Scenario } from './scenarios.js';

/** `streamed` reads the pieces as they come; `accumulated` has the client's own helper add them up. */
export type Delivery = 'whole' | 'streamed' | 'accumulated';

export interface Question {
  /** Of the gateway, without a path. */
  readonly url: string;
  readonly key: string;
  /** The model's name is the scenario's. */
  readonly scenario: Scenario;
  readonly delivery: Delivery;
  /** How often the client may try again. */
  readonly retries: number;
  /** For clients that use the platform's own. */
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

/** What a client's user is told went wrong; `null` is what the client does not tell. */
export interface AnsweredError {
  readonly status: number | null;
  readonly code: string | null;
}

/** What a client's user gets to see, in words of this test. */
export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly AnsweredCall[];
  /** `null` when the reply broke off. */
  readonly usage: AnsweredUsage | null;
  readonly finish: 'end' | 'tool-call' | 'none' | `other: ${string}`;
  /** Warnings that the client hands over rather than prints. */
  readonly warnings: readonly string[];
  readonly error: AnsweredError | null;
}

/** A client library in one version, with one of its providers. */
export interface Client {
  readonly name: string;
  readonly format: 'chat' | 'messages' | 'responses';
  readonly deliveries: readonly Delivery[];
  /** Whether it sends its requests by the platform's `fetch` or by a package of its own. */
  readonly transport: 'platform' | 'own';
  readonly ask: (question: Question) => Promise<Answer>;
}

/** What is known of a reply so far; what has not come yet is left out. */
export class AnswerDraft {
  text = '';
  reasoning = '';
  toolCalls: AnsweredCall[] = [];
  usage: AnsweredUsage | null = null;
  finish: Answer['finish'] = 'none';
  warnings: string[] = [];
  error: AnsweredError | null = null;

  /** Reads a reply into a draft; a failure on the way is part of the answer. */
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
  // What the AI SDK says of a reply that broke off.
  'error': 'none',
};

/** What a client calls the end of a reply, in words of this test. */
export function finishOf(word: string | null | undefined): Answer['finish'] {
  if (word === null || word === undefined) return 'none';
  return FINISHES[word] ?? `other: ${word}`;
}

/** The arguments of a call as clients' users read them; text that is no JSON fails the test. */
export function parsedArguments(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

/** A member of something whose type says nothing of it. */
export function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as JsonObject | null | undefined)?.[key], value);
}

/** A text among the members of something; empty when there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = memberOf(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The status and code that an error object tells, at the places where this client keeps them. */
export function errorAt(thrown: unknown, status: readonly string[], code: readonly string[]): AnsweredError {
  const foundStatus = memberOf(thrown, ...status);
  const foundCode = memberOf(thrown, ...code);
  if (foundStatus === undefined && foundCode === undefined && !(thrown instanceof Error)) throw thrown;
  return { status: typeof foundStatus === 'number' ? foundStatus : null, code: typeof foundCode === 'string' ? foundCode : null };
}
