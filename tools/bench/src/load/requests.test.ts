import { describe, expect, it } from '@jest/globals';
import {
  type Body, constantBody, conversationBody, ConversationNumbers, digitsOf, largeBody, type NextRequest, NUMBER_DIGITS, NUMBER_PLACE,
  numberedBody, requestsOf, smallBody, streamedBody, typicalBody,
} from './requests.js';
import type { LoadTarget } from './load-generator.js';

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

function endOfMessages(text: string): number {
  const { messages } = chatOf(text);
  const written = JSON.stringify(messages).slice(0, -1);
  return text.indexOf(written) + written.length;
}

describe('request bodies', () => {
  it.each<[string, Body, { readonly requests: number; readonly least: number; readonly most: number }]>([
    ['small', smallBody(), { requests: 1, least: 200, most: 400 }],
    ['agent', typicalBody(), { requests: 10, least: 58_000, most: 62_000 }],
    ['large', largeBody(), { requests: 4, least: 1_450_000, most: 1_550_000 }],
    ['200 messages', conversationBody(200), { requests: 1, least: 60_000, most: 70_000 }],
  ])('have the average size that their names state: %s', (_name, { requests }, expected) => {
    const bytes = average(requests.map((text) => text.length));
    expect(requests).toHaveLength(expected.requests);
    expect(bytes).toBeGreaterThanOrEqual(expected.least);
    expect(bytes).toBeLessThanOrEqual(expected.most);
  });

  it('have the average number of messages and tools of an agent’s requests', () => {
    const chats = typicalBody().requests.map(chatOf);
    expect(average(chats.map(({ messages }) => messages.length))).toBe(40);
    expect(new Set(chats.map(({ tools }) => tools?.length))).toEqual(new Set([20]));
    expect(chatOf(conversationBody(200).requests[0]).messages).toHaveLength(200);
  });

  it('are deterministic', () => {
    expect(everyBody()).toEqual(EVERY);
  });

  it('are ASCII only, so that offsets in text are byte offsets', () => {
    for (const text of EVERY.flatMap(({ requests }) => requests)) expect(Buffer.byteLength(text)).toBe(text.length);
  });
});

describe('the requests of a conversation', () => {
  it.each(THAT_GO_ON)('each begin with the bytes of the previous one up to the end of its messages, and add two messages: %s', (_name, { requests }) => {
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

  it.each(THAT_GO_ON)('end alternately with a question and with a tool result: %s', (_name, { requests }) => {
    const last = requests.map((text) => chatOf(text).messages.at(-1)?.role);
    expect(new Set(last.slice(0, 2))).toEqual(new Set(['tool', 'user']));
    expect(last).toEqual(last.map((_role, position) => last[position % 2]));
  });
});

describe('the number of a conversation', () => {
  it.each(NUMBERED)('is at the same offset of every request, in the first message only: %s', (_name, { requests, numberAt }) => {
    for (const text of requests) {
      expect(text.slice(numberAt ?? 0, (numberAt ?? 0) + NUMBER_DIGITS)).toBe(NUMBER_PLACE);
      expect(chatOf(text).messages[0]?.content).toContain(NUMBER_PLACE);
      expect(text.split(NUMBER_PLACE)).toHaveLength(2);
    }
  });

  it.each([
    ['if it is nowhere', ['{"m":"wish"}']], ['if a later request lacks it', [`{"m":"${NUMBER_PLACE}"}`, '{"m":"wish"}']], ['if its place differs', [`{"m":"${NUMBER_PLACE}"}`, `{"mm":"${NUMBER_PLACE}"}`]], ['without any request', []],
  ])('has one place in every request; a body is refused %s', (_where, requests) => {
    expect(() => numberedBody('odd', requests)).toThrow('odd has no placeholder for the number of a conversation');
  });

  it('is in every body that is long enough to be cached', () => {
    expect(NUMBERED.map(([name]) => name)).toEqual(['agent', 'large', '200 messages']);
  });
});

const KEYS = ['key-0', 'key-1', 'key-2'];
/** The first conversation number; a multiple of the number of keys, so that it gets the first key. */
const FIRST_NUMBER = 1_800_000_000_000_000;
const THREE = numberedBody('three requests', ['A', 'B', 'C'].map((letter, position) => `{"m":"${NUMBER_PLACE} wish"${` ${letter}`.repeat(position + 1)}}`));

interface Sent {
  readonly head: string;
  readonly text: string;
  readonly key: string | undefined;
}

function targetWith(body: Body, keys: readonly string[] = KEYS): LoadTarget {
  return { port: 1, path: '/v1/chat/completions', headers: { 'x-of-subject': 'yes' }, keys, body };
}

function connectionsTo(target: LoadTarget): () => NextRequest {
  return requestsOf(target, new ConversationNumbers(FIRST_NUMBER));
}

function read(next: NextRequest): Sent {
  const { beginning, rest } = next();
  const [head = '', text = ''] = Buffer.concat([beginning, rest]).toString().split('\r\n\r\n');
  return { head, text, key: /authorization: Bearer (.*)/.exec(head)?.[1] };
}

/** The text of a template as this conversation sends it. */
function writtenFor(text: string | undefined, number: number): string | undefined {
  return text?.replace(NUMBER_PLACE, String(number));
}

function numberIn(text: string): number {
  return Number(/\d{16}/.exec(text)?.[0]);
}

describe('the sequence of requests on a connection', () => {
  it('contains whole conversations one after the other, each with its own number and the next key', () => {
    const next = connectionsTo(targetWith(THREE))();
    for (const [conversation, key] of [...KEYS, KEYS[0]].entries()) {
      for (const text of THREE.requests) expect(read(next)).toMatchObject({ text: writtenFor(text, FIRST_NUMBER + conversation), key });
    }
  });

  it('shares no conversation with another connection, whichever is faster', () => {
    const forConnection = connectionsTo(targetWith(THREE));
    const [slow, fast] = [forConnection(), forConnection()];
    const seen = [slow, fast, fast, slow, fast, fast, slow, fast, slow, fast].map((next) => ({ next, ...read(next) }));
    const conversationsOf = (connection: NextRequest): readonly unknown[] => (
      seen.filter(({ next }) => next === connection).map(({ text, key }) => [numberIn(text) - FIRST_NUMBER, key]));
    expect(conversationsOf(slow)).toEqual([[0, 'key-0'], [0, 'key-0'], [0, 'key-0'], [3, 'key-0']]);
    expect(conversationsOf(fast)).toEqual([[1, 'key-1'], [1, 'key-1'], [2, 'key-2'], [2, 'key-2'], [2, 'key-2'], [4, 'key-1']]);
  });

  it('begins with a different request on each connection, so that all requests are sent equally often', () => {
    const forConnection = connectionsTo(targetWith(THREE));
    const first = Array.from({ length: 6 }, () => read(forConnection()).text.replace(/\d{16}/, NUMBER_PLACE));
    expect(first).toEqual([...THREE.requests, ...THREE.requests]);
  });

  it('has bodies that differ from the template only in the number of the conversation', () => {
    const body = typicalBody();
    const next = connectionsTo(targetWith(body))();
    for (const [conversation, key] of ['key-0', 'key-1'].entries()) {
      for (const request of body.requests) {
        const { head, text } = read(next);
        expect(text).toBe(writtenFor(request, FIRST_NUMBER + conversation));
        expect(head.split('\r\n')).toEqual([
          'POST /v1/chat/completions HTTP/1.1', 'host: 127.0.0.1', 'content-type: application/json',
          `content-length: ${request.length}`, `authorization: Bearer ${key}`, 'x-of-subject: yes',
        ]);
      }
    }
  });

  it('keeps the bytes of a request when another one is prepared before they are sent', () => {
    const next = connectionsTo(targetWith(THREE))();
    const first = next();
    for (let count = 0; count < 10; count += 1) next();
    expect(read(() => first).text).toBe(writtenFor(THREE.requests[0], FIRST_NUMBER));
  });

  it('uses the next key for each request, and unchanged bodies, if conversations have one request each', () => {
    const forConnection = connectionsTo(targetWith(smallBody()));
    const sent = [forConnection(), forConnection(), forConnection(), forConnection()].map(read);
    expect(sent.map(({ key }) => key)).toEqual([...KEYS, KEYS[0]]);
    expect(new Set(sent.map(({ text }) => text))).toEqual(new Set(smallBody().requests));
  });

  it('has no key if the load has none', () => {
    expect(read(connectionsTo(targetWith(constantBody('nothing', '{}'), []))())).toMatchObject({ text: '{}', key: undefined });
  });
});

describe('the numbers of conversations', () => {
  it('continue from one load to the next', () => {
    const numbers = new ConversationNumbers(FIRST_NUMBER);
    const firstOfLoad = (): number => numberIn(read(requestsOf(targetWith(THREE), numbers)()).text) - FIRST_NUMBER;
    expect([firstOfLoad(), firstOfLoad(), firstOfLoad()]).toEqual([0, 1, 2]);
  });

  it('begin in each run with the current time in microseconds', () => {
    const before = Date.now();
    const first = ConversationNumbers.fromNow().take();
    expect(first - before * 1000).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThanOrEqual(Date.now() * 1000);
    expect(digitsOf(first)).toHaveLength(NUMBER_DIGITS);
  });

  it.each([1, FIRST_NUMBER, Number.MAX_SAFE_INTEGER])('have as many digits as the placeholder: %d', (number) => {
    expect(digitsOf(number)).toHaveLength(NUMBER_DIGITS);
    expect(Number(digitsOf(number))).toBe(number);
  });
});
