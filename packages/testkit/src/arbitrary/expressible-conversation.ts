import type { AssistantBlock, Conversation, SystemTurn, TextBlock, ThinkingBlock, ToolCallBlock, Turn } from '@tollgate/core';
import * as fc from 'fast-check';
import { toolCallId, toolName } from './arbitrary-values.js';

/** What the turns of a conversation may hold for one format to say it word for word. */
export interface Expressible {
  readonly system: fc.Arbitrary<readonly TextBlock[]>;
  readonly instruction: fc.Arbitrary<readonly TextBlock[]>;
  readonly thinking: fc.Arbitrary<readonly ThinkingBlock[]>;
  /** What the model says beside or without tool calls; the second never says nothing. */
  readonly besideCalls: fc.Arbitrary<readonly TextBlock[]>;
  readonly said: fc.Arbitrary<readonly TextBlock[]>;
  /** Whether a turn of nothing but thinking is a turn. */
  readonly thinksAlone: boolean;
  readonly argumentsJson: fc.Arbitrary<string>;
  /** What a user says on their own. */
  readonly asked: fc.Arbitrary<Turn>;
  /** The turns that answer calls with these ids. */
  readonly answered: (ids: readonly string[]) => fc.Arbitrary<readonly Turn[]>;
}

interface Round {
  readonly instructions: readonly SystemTurn[];
  readonly turns: readonly Turn[];
}

const calls = (argumentsJson: fc.Arbitrary<string>): fc.Arbitrary<readonly ToolCallBlock[]> => fc.uniqueArray(
  fc.record({ type: fc.constant('tool-call' as const), id: toolCallId, name: toolName, argumentsJson }), { selector: ({ id }) => id, minLength: 1, maxLength: 3 },
);

function spokenTurn({ thinking, said, thinksAlone }: Expressible): fc.Arbitrary<Turn> {
  const whole = fc.tuple(thinking, said);
  const alone = fc.tuple(thinking.filter((blocks) => blocks.length > 0), fc.constant([]));
  return (thinksAlone ? fc.oneof({ weight: 5, arbitrary: whole }, { weight: 1, arbitrary: alone }) : whole)
    .map((parts): Turn => ({ role: 'assistant', content: parts.flat() as readonly AssistantBlock[] }));
}

/** A model's turn and what follows it: the user's next words, or what the tools returned. */
function exchange(terms: Expressible): fc.Arbitrary<readonly Turn[]> {
  const spoken = fc.tuple(spokenTurn(terms), terms.asked);
  const called = fc.tuple(terms.thinking, terms.besideCalls, calls(terms.argumentsJson)).chain(([thinking, text, made]) =>
    terms.answered(made.map(({ id }) => id)).map((answers): readonly Turn[] => [{ role: 'assistant', content: [...thinking, ...text, ...made] }, ...answers]));
  return fc.oneof(spoken, called);
}

/**
 * Conversations that a format can say without folding anything, of the shape that clients send: a user begins, a model answers,
 * its calls are answered at once, and instructions stand anywhere but between a call and its results.
 */
export function expressibleConversation(terms: Expressible): fc.Arbitrary<Conversation> {
  const instructions = fc.array(terms.instruction.map((content): SystemTurn => ({ role: 'system', content })), { maxLength: 2 });
  const round: fc.Arbitrary<Round> = fc.record({ instructions: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: instructions }), turns: exchange(terms) });
  return fc.record({ system: terms.system, first: terms.asked, rounds: fc.array(round, { maxLength: 4 }), last: fc.option(spokenTurn(terms)) })
    .map(({ system, first, rounds, last }) => ({
      system,
      turns: [first, ...rounds.flatMap(({ instructions: given, turns }) => [...given, ...turns]), ...(last === null ? [] : [last])],
    }));
}
