import { describe, expect, it } from '@jest/globals';
import { conversationBody, largeBody, smallBody, streamedBody, typicalBody } from './bodies.js';
import { type Body, NUMBER_DIGITS, NUMBER_PLACE } from './body.js';

interface Chat {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
  readonly tools?: readonly unknown[];
}

function everyBody(): readonly Body[] {
  return [smallBody(), streamedBody('bench-stream-1-1'), typicalBody(), largeBody(), conversationBody(200)];
}

const EVERY = everyBody();
const SEVERAL_TURNS = named(EVERY.filter(({ turns }) => turns.length > 1));
const NUMBERED = named(EVERY.filter(({ numberAt }) => numberAt !== null));

function named(bodies: readonly Body[]): readonly [string, Body][] {
  return bodies.map((body) => [body.name, body]);
}

function chatOf(text: string | undefined): Chat {
  return JSON.parse(text ?? '') as Chat;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Where the last message of a text ends. */
function endOfMessages(text: string): number {
  const { messages } = chatOf(text);
  const written = JSON.stringify(messages).slice(0, -1);
  return text.indexOf(written) + written.length;
}

describe('the bodies', () => {
  it.each<[string, Body, { readonly turns: number; readonly least: number; readonly most: number }]>([
    ['small', smallBody(), { turns: 1, least: 200, most: 400 }],
    ['agent', typicalBody(), { turns: 10, least: 58_000, most: 62_000 }],
    ['large', largeBody(), { turns: 4, least: 1_450_000, most: 1_550_000 }],
    ['200 messages', conversationBody(200), { turns: 1, least: 60_000, most: 70_000 }],
  ])('weigh on the average of their turns what their names say: %s', (_name, { turns }, expected) => {
    const bytes = average(turns.map((text) => text.length));
    expect(turns).toHaveLength(expected.turns);
    expect(bytes).toBeGreaterThanOrEqual(expected.least);
    expect(bytes).toBeLessThanOrEqual(expected.most);
  });

  it('have as many messages and tools as an agent has, on the average of its turns', () => {
    const chats = typicalBody().turns.map(chatOf);
    expect(average(chats.map(({ messages }) => messages.length))).toBe(40);
    expect(new Set(chats.map(({ tools }) => tools?.length))).toEqual(new Set([20]));
    expect(chatOf(conversationBody(200).turns[0]).messages).toHaveLength(200);
  });

  it('are the same every time', () => {
    expect(everyBody()).toEqual(EVERY);
  });

  it('are of ASCII alone, so that a place in a text is one in its bytes', () => {
    for (const text of EVERY.flatMap(({ turns }) => turns)) expect(Buffer.byteLength(text)).toBe(text.length);
  });
});

describe('the turns of a conversation', () => {
  it.each(SEVERAL_TURNS)('each begin with all messages of the one before, byte by byte, and add two that a model is to answer: %s', (_name, { turns }) => {
    for (const [turn, text] of turns.slice(1).entries()) {
      const before = turns[turn] ?? '';
      const { messages, ...rest } = chatOf(text);
      const { messages: messagesBefore, ...restBefore } = chatOf(before);
      expect(messages.slice(0, -2)).toEqual(messagesBefore);
      expect(rest).toEqual(restBefore);
      expect(text.startsWith(before.slice(0, endOfMessages(before)))).toBe(true);
      expect(messages.at(-2)?.role).toBe('assistant');
    }
  });

  it.each(SEVERAL_TURNS)('end in turn with a wish and with what a tool answered: %s', (_name, { turns }) => {
    const last = turns.map((text) => chatOf(text).messages.at(-1)?.role);
    expect(new Set(last.slice(0, 2))).toEqual(new Set(['tool', 'user']));
    expect(last).toEqual(last.map((_role, turn) => last[turn % 2]));
  });
});

describe('the number of a conversation', () => {
  it.each(NUMBERED)('stands at one place in every turn, which is in the first message and nowhere else: %s', (_name, { turns, numberAt }) => {
    for (const text of turns) {
      expect(text.slice(numberAt ?? 0, (numberAt ?? 0) + NUMBER_DIGITS)).toBe(NUMBER_PLACE);
      expect(chatOf(text).messages[0]?.content).toContain(NUMBER_PLACE);
      expect(text.split(NUMBER_PLACE)).toHaveLength(2);
    }
  });

  it('is in every body but those too short to be remembered', () => {
    expect(NUMBERED.map(([name]) => name)).toEqual(['agent', 'large', '200 messages']);
  });
});
