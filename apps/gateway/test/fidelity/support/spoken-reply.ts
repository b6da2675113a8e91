import type { LineEnd, ScriptedReply } from '@tollgate/testkit';
import { arbitraryText } from '@tollgate/testkit';
import * as fc from 'fast-check';

export interface SpokenReply {
  readonly reasoning: string;
  readonly text: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

/** How the text of a reply is cut into deltas, and its bytes into writes. */
export interface Cutting {
  readonly pieceSizes: readonly number[];
  readonly splitAt: readonly number[];
  readonly lineEnd: LineEnd;
  readonly toolCallOrder: 'sequential' | 'interleaved';
  readonly usagePlace: 'last-chunk' | 'finish-chunk' | 'nowhere';
  readonly done: 'sent' | 'missing';
}

const toolCall = fc.record({
  id: fc.stringMatching(/^[A-Za-z0-9_-]{1,16}$/),
  name: fc.stringMatching(/^[a-z_]{1,12}$/),
  arguments: fc.oneof({ weight: 4, arbitrary: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }).map((input) => JSON.stringify(input)) }, { weight: 1, arbitrary: fc.constant('') }),
});

export const spokenReply: fc.Arbitrary<SpokenReply> = fc.record({
  reasoning: fc.oneof(arbitraryText, fc.constant('')),
  text: arbitraryText,
  toolCalls: fc.uniqueArray(toolCall, { selector: ({ id }) => id, maxLength: 3 }),
});

export const cutting: fc.Arbitrary<Cutting> = fc.record({
  pieceSizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
  splitAt: fc.array(fc.nat({ max: 3_000 }), { maxLength: 8 }),
  lineEnd: fc.constantFrom<LineEnd>('\n', '\r\n', '\r'),
  toolCallOrder: fc.constantFrom('sequential', 'interleaved'),
  usagePlace: fc.constantFrom('last-chunk', 'finish-chunk', 'nowhere'),
  done: fc.constantFrom('sent', 'missing'),
});

/** Cuts the text into pieces of these sizes, even within a surrogate pair. */
function cut(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const size = sizes[pieces.length % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

export function scripted({ reasoning, text, toolCalls }: SpokenReply, { pieceSizes, toolCallOrder, usagePlace }: Cutting): ScriptedReply {
  return {
    ...(reasoning === '' ? {} : { reasoning: cut(reasoning, pieceSizes) }),
    ...(text === '' ? {} : { text: cut(text, pieceSizes) }),
    toolCalls: toolCalls.map((call) => ({ ...call, arguments: cut(call.arguments, pieceSizes) })),
    toolCallOrder,
    usagePlace,
  };
}
