import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Conversation, type GenerationRequest, type ImageSource, isBlank, tokenCount, type Turn } from '@tollgate/core';
import { aGenerationRequest, holdingsOf, markedConversation } from '@tollgate/testkit';
import { pairResults } from '@tollgate/wire-kit';
import * as fc from 'fast-check';
import { runsOf } from './support/runs.js';
import { conversationOfItems } from './support/sent-items.js';
import { UpstreamBench, type UpstreamKind, type UpstreamTerms } from './support/upstream-bench.js';

const RUNS = runsOf(150);
const TERMS: readonly UpstreamTerms[] = [{ systemTurns: 'in-place', stopSequenceLimit: 4 }, { systemTurns: 'as-user', stopSequenceLimit: 4 }];

/** Expects to find each piece once, in order. */
function expectInOrder(pieces: readonly string[], whole: string): void {
  let after = 0;
  for (const piece of pieces) {
    const found = whole.indexOf(piece, after);
    expect({ whole, piece, found: found >= 0, again: whole.includes(piece, found + 1) }).toEqual({ whole, piece, found: true, again: false });
    after = found + piece.length;
  }
}

function keyOf(image: ImageSource): string {
  return JSON.stringify(image);
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Servers require a JSON object: other text is wrapped in one, and empty text becomes an empty one. */
function argumentsAfter(text: string): string {
  if (isBlank(text)) return '{}';
  return isObject(text) ? text : JSON.stringify({ _raw: text });
}

/** The conversation without turns that have only thinking, which the messages and responses formats drop. */
function thoughtsKept(kind: UpstreamKind, { system, turns }: Conversation): Conversation {
  if (kind === 'openai') return { system, turns };
  const speaks = turns.filter(({ role, content }) => role !== 'assistant' || content.some((block) => block.type === 'tool-call' || (block.type === 'text' && !isBlank(block.text))));
  return { system, turns: speaks };
}

/** The conversation as every format decodes it: the results of a turn precede its other content. */
function answered({ system, turns }: Conversation): Conversation {
  let open: string[] = [];
  const paired = turns.map((turn, index): Turn => {
    if (turn.role === 'assistant' && turns[index - 1]?.role !== 'assistant') open = [];
    if (turn.role === 'assistant') open.push(...turn.content.flatMap((block) => (block.type === 'tool-call' ? [block.id] : [])));
    if (turn.role !== 'user') return turn;
    return { ...turn, content: turn.content.map((block) => (block.type === 'tool-result' ? { ...block, toolCallId: open.shift() ?? block.toolCallId } : block)) };
  });
  return { system, turns: pairResults(paired) };
}

const anyConversation = markedConversation.map(answered);

const CASES = (['openai', 'anthropic', 'responses'] as const).flatMap((kind) => TERMS.map((terms) => [kind, terms.systemTurns, terms] as const));

describe.each(CASES)('any conversation, sent to %s upstreams with instructions %s,', (kind, _place, terms) => {
  let bench: UpstreamBench;
  const arrivedFrom = async (request: GenerationRequest): Promise<Conversation> =>
    (kind === 'responses' ? conversationOfItems(await bench.sent(request)) : (await bench.understood(request)).conversation);

  beforeAll(async () => {
    bench = await UpstreamBench.start(kind, terms);
  });

  afterAll(async () => {
    await bench.close();
  });

  it('keeps all texts, thoughts, calls, arguments, results and images, and the order within each kind', async () => {
    await fc.assert(fc.asyncProperty(anyConversation, async (conversation) => {
      const before = holdingsOf(thoughtsKept(kind, conversation));
      const arrived = await arrivedFrom(aGenerationRequest({ conversation, maxOutputTokens: tokenCount(100), reasoning: 'off' }));
      const after = holdingsOf(arrived);
      expectInOrder(before.instructions, [...after.instructions, ...after.texts].join('\n'));
      // Messages servers refuse white space at the end of the model's last text.
      const texts = before.texts.map((text, index) => (kind === 'anthropic' && index === before.texts.length - 1 ? text.trimEnd() : text));
      expectInOrder(texts, after.texts.join('\n'));
      expectInOrder(before.thinking, after.thinking.join('\n'));
      expect(after.calls).toEqual(before.calls.map((call) => ({ ...call, argumentsJson: argumentsAfter(call.argumentsJson) })));
      expect(after.results.map(({ id }) => id)).toEqual(before.results.map(({ id }) => id));
      for (const [position, result] of before.results.entries()) {
        const arrivedResult = after.results[position];
        const text = arrivedResult?.texts.join('\n') ?? '';
        expectInOrder(result.texts, text);
        // Only the messages format has a field for a failed tool; the others begin the text with "Error: ".
        expect(kind !== 'anthropic' ? text.startsWith('Error: ') : arrivedResult?.isError).toBe(result.isError);
      }
      const imagesBefore = [...before.images, ...before.results.flatMap(({ images }) => images)].map(keyOf);
      const imagesAfter = [...after.images, ...after.results.flatMap(({ images }) => images)].map(keyOf);
      expect(imagesAfter.toSorted()).toEqual(imagesBefore.toSorted());
      expectInOrder(before.images.map(keyOf), imagesAfter.join('\n'));
    }), { numRuns: RUNS });
  });

  it('becomes turns that the server accepts: the model never has two in a row, and results begin their turn', async () => {
    await fc.assert(fc.asyncProperty(anyConversation, async (conversation) => {
      const { turns } = await arrivedFrom(aGenerationRequest({ conversation, maxOutputTokens: tokenCount(100) }));
      const roles = turns.map(({ role }) => role);
      expect(roles.some((role, position) => role === 'assistant' && roles[position + 1] === 'assistant')).toBe(false);
      // A conversation that consists of instructions alone keeps them as turns, because servers require a turn.
      const mayInstruct = terms.systemTurns === 'in-place' || roles.every((role) => role === 'system');
      expect(roles.includes('system') && !mayInstruct).toBe(false);
      // The responses format has items instead of turns.
      for (const { content } of kind === 'responses' ? [] : turns) {
        const types: readonly string[] = content.map(({ type }) => type);
        expect(types.lastIndexOf('tool-result')).toBeLessThanOrEqual(types.filter((type) => type === 'tool-result').length - 1);
      }
      expect(kind !== 'anthropic' || roles.find((role) => role !== 'system') === 'user').toBe(true);
    }), { numRuns: RUNS });
  });
});
