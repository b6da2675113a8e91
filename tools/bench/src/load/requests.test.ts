import { describe, expect, it } from '@jest/globals';
import { type Body, constantBody, NUMBER_DIGITS, NUMBER_PLACE, numberedBody, smallBody, typicalBody } from './bodies.js';
import { ConversationNumbers, digitsOf, type NextRequest, requestsOf } from './requests.js';
import type { LoadTarget } from './load-generator.js';

const KEYS = ['key-0', 'key-1', 'key-2'];
/** A multiple of the number of keys, so that the first key comes first. */
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

/** What a template becomes in the conversation with this number. */
function written(text: string | undefined, number: number): string | undefined {
  return text?.replace(NUMBER_PLACE, String(number));
}

function numberIn(text: string): number {
  return Number(/\d{16}/.exec(text)?.[0]);
}

describe('the requests of a connection', () => {
  it('are those of a conversation in order with one key and one number, then again with a new number and the next key', () => {
    const next = connectionsTo(targetWith(THREE))();
    for (const [conversation, key] of [...KEYS, KEYS[0]].entries()) {
      for (const text of THREE.requests) expect(read(next)).toMatchObject({ text: written(text, FIRST_NUMBER + conversation), key });
    }
  });

  it('share no conversation with another connection, whichever is faster', () => {
    const forConnection = connectionsTo(targetWith(THREE));
    const [slow, fast] = [forConnection(), forConnection()];
    const seen = [slow, fast, fast, slow, fast, fast, slow, fast, slow, fast].map((next) => ({ next, ...read(next) }));
    const conversationsOf = (connection: NextRequest): readonly unknown[] => (
      seen.filter(({ next }) => next === connection).map(({ text, key }) => [numberIn(text) - FIRST_NUMBER, key]));
    expect(conversationsOf(slow)).toEqual([[0, 'key-0'], [0, 'key-0'], [0, 'key-0'], [3, 'key-0']]);
    expect(conversationsOf(fast)).toEqual([[1, 'key-1'], [1, 'key-1'], [2, 'key-2'], [2, 'key-2'], [2, 'key-2'], [4, 'key-1']]);
  });

  it('begin with another one on each connection, so that all are sent as often however few a connection sends', () => {
    const forConnection = connectionsTo(targetWith(THREE));
    const first = Array.from({ length: 6 }, () => read(forConnection()).text.replace(/\d{16}/, NUMBER_PLACE));
    expect(first).toEqual([...THREE.requests, ...THREE.requests]);
  });

  it('differ from the body in nothing but the number', () => {
    const body = typicalBody();
    const next = connectionsTo(targetWith(body))();
    for (const [conversation, key] of ['key-0', 'key-1'].entries()) {
      for (const request of body.requests) {
        const { head, text } = read(next);
        expect(text).toBe(written(request, FIRST_NUMBER + conversation));
        expect(head.split('\r\n')).toEqual([
          'POST /v1/chat/completions HTTP/1.1', 'host: 127.0.0.1', 'content-type: application/json',
          `content-length: ${request.length}`, `authorization: Bearer ${key}`, 'x-of-subject: yes',
        ]);
      }
    }
  });

  it('keep their bytes when another is prepared before they are sent', () => {
    const next = connectionsTo(targetWith(THREE))();
    const first = next();
    for (let count = 0; count < 10; count += 1) next();
    expect(read(() => first).text).toBe(written(THREE.requests[0], FIRST_NUMBER));
  });

  it('carry the next key each where nothing follows, and a constant text just as it is', () => {
    const forConnection = connectionsTo(targetWith(smallBody()));
    const sent = [forConnection(), forConnection(), forConnection(), forConnection()].map(read);
    expect(sent.map(({ key }) => key)).toEqual([...KEYS, KEYS[0]]);
    expect(new Set(sent.map(({ text }) => text))).toEqual(new Set(smallBody().requests));
  });

  it('carry no key where there is none', () => {
    expect(read(connectionsTo(targetWith(constantBody('nothing', '{}'), []))())).toMatchObject({ text: '{}', key: undefined });
  });
});

describe('the numbers of conversations', () => {
  it('go on from one load to the next', () => {
    const numbers = new ConversationNumbers(FIRST_NUMBER);
    const firstOfLoad = (): number => numberIn(read(requestsOf(targetWith(THREE), numbers)()).text) - FIRST_NUMBER;
    expect([firstOfLoad(), firstOfLoad(), firstOfLoad()]).toEqual([0, 1, 2]);
  });

  it('begin in each run with the microsecond it is, beyond what an earlier run can have given out', () => {
    const before = Date.now();
    const first = ConversationNumbers.fromNow().take();
    expect(first - before * 1000).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThanOrEqual(Date.now() * 1000);
    expect(digitsOf(first)).toHaveLength(NUMBER_DIGITS);
  });

  it.each([1, FIRST_NUMBER, Number.MAX_SAFE_INTEGER])('have as many digits as there is place for: %d', (number) => {
    expect(digitsOf(number)).toHaveLength(NUMBER_DIGITS);
    expect(Number(digitsOf(number))).toBe(number);
  });
});
