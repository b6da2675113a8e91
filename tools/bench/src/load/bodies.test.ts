import { describe, expect, it } from '@jest/globals';
import { type Body, conversationBody, largeBody, NUMBER_DIGITS, NUMBER_PLACE, numberedBody, smallBody, streamedBody, typicalBody } from './bodies.js';

interface Chat {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
  readonly tools?: readonly unknown[];
}

function everyBody(): readonly Body[] {
  return [smallBody(), streamedBody('bench-stream-1-1'), typicalBody(), largeBody(), conversationBody(200)];
}

const EVERY = everyBody();
const THAT_GO_ON = named(EVERY.filter(({ requests }) => requests.length > 1));
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
  it.each<[string, Body, { readonly requests: number; readonly least: number; readonly most: number }]>([
    ['small', smallBody(), { requests: 1, least: 200, most: 400 }],
    ['agent', typicalBody(), { requests: 10, least: 58_000, most: 62_000 }],
    ['large', largeBody(), { requests: 4, least: 1_450_000, most: 1_550_000 }],
    ['200 messages', conversationBody(200), { requests: 1, least: 60_000, most: 70_000 }],
  ])('weigh on the average of their requests what their names say: %s', (_name, { requests }, expected) => {
    const bytes = average(requests.map((text) => text.length));
    expect(requests).toHaveLength(expected.requests);
    expect(bytes).toBeGreaterThanOrEqual(expected.least);
    expect(bytes).toBeLessThanOrEqual(expected.most);
  });

  it('have as many messages and tools as an agent has, on the average of its requests', () => {
    const chats = typicalBody().requests.map(chatOf);
    expect(average(chats.map(({ messages }) => messages.length))).toBe(40);
    expect(new Set(chats.map(({ tools }) => tools?.length))).toEqual(new Set([20]));
    expect(chatOf(conversationBody(200).requests[0]).messages).toHaveLength(200);
  });

  it('are the same every time', () => {
    expect(everyBody()).toEqual(EVERY);
  });

  it('are of ASCII alone, so that a place in a text is one in its bytes', () => {
    for (const text of EVERY.flatMap(({ requests }) => requests)) expect(Buffer.byteLength(text)).toBe(text.length);
  });
});

describe('the requests of a conversation', () => {
  it.each(THAT_GO_ON)('each begin with all messages of the one before, byte by byte, and add two that a model is to answer: %s', (_name, { requests }) => {
    for (const [position, text] of requests.slice(1).entries()) {
      const before = requests[position] ?? '';
      const { messages, ...rest } = chatOf(text);
      const { messages: messagesBefore, ...restBefore } = chatOf(before);
      expect(messages.slice(0, -2)).toEqual(messagesBefore);
      expect(rest).toEqual(restBefore);
      expect(text.startsWith(before.slice(0, endOfMessages(before)))).toBe(true);
      expect(messages.at(-2)?.role).toBe('assistant');
    }
  });

  it.each(THAT_GO_ON)('end in turn with a wish and with what a tool answered: %s', (_name, { requests }) => {
    const last = requests.map((text) => chatOf(text).messages.at(-1)?.role);
    expect(new Set(last.slice(0, 2))).toEqual(new Set(['tool', 'user']));
    expect(last).toEqual(last.map((_role, position) => last[position % 2]));
  });
});

describe('the number of a conversation', () => {
  it.each(NUMBERED)('stands at one place in every request, which is in the first message and nowhere else: %s', (_name, { requests, numberAt }) => {
    for (const text of requests) {
      expect(text.slice(numberAt ?? 0, (numberAt ?? 0) + NUMBER_DIGITS)).toBe(NUMBER_PLACE);
      expect(chatOf(text).messages[0]?.content).toContain(NUMBER_PLACE);
      expect(text.split(NUMBER_PLACE)).toHaveLength(2);
    }
  });

  it.each([
    ['nowhere', ['{"m":"wish"}']], ['nowhere in a later request', [`{"m":"${NUMBER_PLACE}"}`, '{"m":"wish"}']], ['at two places', [`{"m":"${NUMBER_PLACE}"}`, `{"mm":"${NUMBER_PLACE}"}`]], ['in no request', []],
  ])('is refused %s', (_where, requests) => {
    expect(() => numberedBody('odd', requests)).toThrow('odd has no place for the number of a conversation');
  });

  it('is in every body but those too short to be remembered', () => {
    expect(NUMBERED.map(([name]) => name)).toEqual(['agent', 'large', '200 messages']);
  });
});
