import { afterEach, beforeEach, describe, expect, it } from './test-runner.js';
import {
  type AccountId, type Instant, type KeepResponse, later, MAX_RESPONSE_CHAIN, RESPONSES_PER_FIND, type ResponseStore, MAX_STORED_RESPONSE_BYTES,
  MAX_STORED_BYTES_OF_REQUEST, STORED_RESPONSES_LEFT, STORED_RESPONSES_LEFT_BYTES, MAX_STORED_RESPONSES, MAX_STORED_RESPONSES_BYTES,
  portionsOf, type ResponseToKeep, type StoredResponse,
} from '@tollgate/core';
import { STORE_ALICE, STORE_BOB, STORE_NOON } from './store-subject.js';

interface ResponseStoreSubject {
  readonly responses: ResponseStore;
  close?(): Promise<void>;
}

const EXPIRES_AT = later(STORE_NOON, 86_400_000);

type KeptTexts = Omit<KeepResponse, 'inputItems'> & Pick<StoredResponse, 'inputItems'>;

/** A response to store. It is small unless texts are given. */
export function aKeptResponse(number: number, differences: Partial<KeptTexts> = {}): KeepResponse {
  const { inputItems = '[{"type":"message"}]', ...others } = differences;
  return {
    accountId: STORE_ALICE, id: `resp_${number}`, previousId: null, inputItems: new TextEncoder().encode(inputItems), outputItems: '[]', body: `{"number":${number}}`,
    expiresAt: EXPIRES_AT, ...others,
  };
}

/** The response as the store returns it later. */
export function storedOf({ id, previousId, inputItems, outputItems, body }: ResponseToKeep): StoredResponse {
  return { id, previousId, inputItems: new TextDecoder().decode(inputItems), outputItems, body };
}

/** A response whose texts have `bytes` bytes in total. */
function ofBytes(number: number, bytes: number, differences: Partial<KeptTexts> = {}): KeepResponse {
  return aKeptResponse(number, { inputItems: '[]', outputItems: '[]', body: `"${'x'.repeat(bytes - 6)}"`, ...differences });
}

/** Maximum number of concurrent calls: few enough that a connection pool serves them before waiting callers time out, even on a busy machine. */
const CALLS_AT_ONCE = 50;

async function inGroups<Item, Result>(items: readonly Item[], call: (item: Item) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const group of portionsOf(items, CALLS_AT_ONCE)) results.push(...await Promise.all(group.map(call)));
  return results;
}

export function responseStoreContract(name: string, make: () => ResponseStoreSubject | Promise<ResponseStoreSubject>): void {
  describe(`ResponseStore contract: ${name}`, () => {
    let subject: ResponseStoreSubject;
    let store: ResponseStore;

    beforeEach(async () => {
      subject = await make();
      store = subject.responses;
    });

    afterEach(async () => {
      await subject.close?.();
    });

    async function keepAll(responses: readonly KeepResponse[]): Promise<void> {
      expect(new Set(await inGroups(responses, (response) => store.keep(response)))).toEqual(new Set([true]));
    }

    /** The ids of the responses of a chain, or the reason why the chain cannot be read. */
    async function chainOf(id: string, at: Instant = STORE_NOON): Promise<readonly string[] | string> {
      const chain = await store.chain(STORE_ALICE, id, at);
      return chain.outcome === 'found' ? chain.responses.map((response) => response.id) : chain.outcome;
    }

    it('returns the sizes of responses and chains, but of no expired response and none of another account', async () => {
      await keepAll([ofBytes(1, 1_000), ofBytes(2, 2_000, { previousId: 'resp_1' }), ofBytes(3, 300, { previousId: 'resp_gone' }), ofBytes(4, 40, { body: `"${'é'.repeat(10)}"`, expiresAt: later(STORE_NOON, 10) })]);
      const sizeOf = (ids: readonly string[], at: Instant = STORE_NOON): Promise<number> => store.sizeOf(STORE_ALICE, ids, at);
      expect(await Promise.all([sizeOf([]), sizeOf(['resp_1', 'resp_2', 'resp_none', '\u0000']), sizeOf(['resp_4']), sizeOf(['resp_4'], later(STORE_NOON, 10))])).toEqual([0, 3_000, 26, 0]);
      expect(await store.sizeOf(STORE_BOB, ['resp_1'], STORE_NOON)).toBe(0);
      expect(await store.chainSize(STORE_ALICE, 'resp_2', STORE_NOON)).toEqual({ outcome: 'found', bytes: 3_000 });
      for (const id of ['resp_3', 'resp_none', '\u0000']) expect(await store.chainSize(STORE_ALICE, id, STORE_NOON)).toEqual({ outcome: 'missing' });
      const large = Array.from({ length: 17 }, (_, index) => ofBytes(100 + index, MAX_STORED_RESPONSE_BYTES, { previousId: index === 0 ? null : `resp_${99 + index}` }));
      await keepAll(large);
      expect(await store.chainSize(STORE_ALICE, 'resp_115', STORE_NOON)).toEqual({ outcome: 'found', bytes: MAX_STORED_BYTES_OF_REQUEST });
      expect(await store.chainSize(STORE_ALICE, 'resp_116', STORE_NOON)).toEqual({ outcome: 'too-large' });
    });

    /** The numbers from `first` (inclusive) to `end` (exclusive) whose responses the store finds. */
    async function found(first: number, end: number, accountId: AccountId = STORE_ALICE, at: Instant = STORE_NOON): Promise<readonly number[]> {
      const numbers = Array.from({ length: end - first }, (_, index) => first + index);
      const responses = await inGroups(numbers, (number) => store.find(accountId, `resp_${number}`, at));
      return numbers.filter((_, index) => responses[index] !== null);
    }

    it('finds a response as it was stored', async () => {
      const response = aKeptResponse(1, {
        previousId: 'resp_0', inputItems: '[{"text":"\\"Grüße\\" 你好 👋 \\u0000 \\ud800\\n"}]', outputItems: '[1.0, 2e400, "é"]', body: '{ "b":1,"a" : "ü" }',
      });
      expect(await store.keep(response)).toBe(true);
      expect(await store.find(STORE_ALICE, 'resp_1', STORE_NOON)).toEqual(storedOf(response));
      expect(await store.find(STORE_ALICE, 'resp_2', STORE_NOON)).toBeNull();
    });

    it('stores an input unchanged although the memory of its request is overwritten afterwards', async () => {
      const text = '[{"text":"Grüße 你好 👋"}, 1.0 ]';
      const request = new TextEncoder().encode(`{"input":${text}}`);
      await keepAll([{ ...aKeptResponse(1), inputItems: request.subarray('{"input":'.length, -1) }]);
      request.fill(0x20);
      expect(await store.find(STORE_ALICE, 'resp_1', STORE_NOON)).toMatchObject({ inputItems: text });
    });

    it('keeps the first of two responses with the same id', async () => {
      await store.keep(aKeptResponse(1));
      expect(await store.keep(aKeptResponse(1, { previousId: 'resp_0', body: '"other"', expiresAt: later(EXPIRES_AT, 1) }))).toBe(true);
      expect(await store.find(STORE_ALICE, 'resp_1', STORE_NOON)).toEqual(storedOf(aKeptResponse(1)));
      expect(await store.find(STORE_ALICE, 'resp_1', EXPIRES_AT)).toBeNull();
    });

    it('shows a response only to its own account; other accounts may use the same id', async () => {
      await store.keep(aKeptResponse(1));
      expect([await store.find(STORE_BOB, 'resp_1', STORE_NOON), await store.chain(STORE_BOB, 'resp_1', STORE_NOON), await store.remove(STORE_BOB, 'resp_1', STORE_NOON)])
        .toEqual([null, { outcome: 'missing' }, false]);
      const ofBob = aKeptResponse(1, { accountId: STORE_BOB, body: '"of Bob"' });
      await keepAll([ofBob, aKeptResponse(2, { accountId: STORE_BOB, previousId: 'resp_1' })]);
      expect(await store.find(STORE_ALICE, 'resp_1', STORE_NOON)).toEqual(storedOf(aKeptResponse(1)));
      expect(await store.chain(STORE_BOB, 'resp_2', STORE_NOON)).toMatchObject({ outcome: 'found', responses: [storedOf(ofBob), { id: 'resp_2' }] });
    });

    it('returns no expired response, even before it is swept', async () => {
      await store.keep(aKeptResponse(1, { expiresAt: later(STORE_NOON, 10) }));
      await store.keep(aKeptResponse(2, { previousId: 'resp_1' }));
      const [before, after] = [later(STORE_NOON, 9), later(STORE_NOON, 10)];
      expect(await chainOf('resp_2', before)).toEqual(['resp_1', 'resp_2']);
      expect([await store.find(STORE_ALICE, 'resp_1', after), await chainOf('resp_1', after), await chainOf('resp_2', after)]).toEqual([null, 'missing', 'missing']);
      expect(await store.remove(STORE_ALICE, 'resp_1', after)).toBe(false);
      expect(await store.find(STORE_ALICE, 'resp_1', before)).not.toBeNull();
    });

    it('finds several responses in the order of the given ids, and omits missing ones', async () => {
      await keepAll([...Array.from({ length: RESPONSES_PER_FIND }, (_, number) => aKeptResponse(number)), aKeptResponse(90, { expiresAt: later(STORE_NOON, 10) })]);
      await store.keep(aKeptResponse(91, { accountId: STORE_BOB }));
      const all = Array.from({ length: RESPONSES_PER_FIND }, (_, number) => `resp_${RESPONSES_PER_FIND - 1 - number}`);
      const foundOf = async (ids: readonly string[], at: Instant) => (await store.findAll(STORE_ALICE, ids, at)).map(({ id }) => id);
      expect(await foundOf(all, STORE_NOON)).toEqual(all);
      expect(await foundOf(['resp_90', 'resp_91', 'resp_none', 'resp_3', 'resp_1'], STORE_NOON)).toEqual(['resp_90', 'resp_3', 'resp_1']);
      expect([await foundOf(['resp_90'], later(STORE_NOON, 10)), await foundOf([], STORE_NOON)]).toEqual([[], []]);
      expect(await store.findAll(STORE_ALICE, ['resp_3'], STORE_NOON)).toEqual([storedOf(aKeptResponse(3))]);
    });

    it.each(['resp_\0', 'resp_\ud800', '', 'x'.repeat(100_000)])('finds no response under an id that the gateway never issued: %j', async (id) => {
      await store.keep(aKeptResponse(1));
      expect(await store.find(STORE_ALICE, id, STORE_NOON)).toBeNull();
      expect(await store.findAll(STORE_ALICE, [id, 'resp_1'], STORE_NOON)).toEqual([storedOf(aKeptResponse(1))]);
      expect([await store.chain(STORE_ALICE, id, STORE_NOON), await store.remove(STORE_ALICE, id, STORE_NOON)]).toEqual([{ outcome: 'missing' }, false]);
    });

    it('removes only the named response, once', async () => {
      await keepAll([aKeptResponse(1), aKeptResponse(2)]);
      expect([await store.remove(STORE_ALICE, 'resp_1', STORE_NOON), await store.remove(STORE_ALICE, 'resp_1', STORE_NOON)]).toEqual([true, false]);
      expect(await found(1, 3)).toEqual([2]);
    });

    describe('the limits', () => {
      it('permit a response of 256 KiB in UTF-8, but none that is larger', async () => {
        const largest = ofBytes(1, MAX_STORED_RESPONSE_BYTES);
        expect(await store.keep(largest)).toBe(true);
        expect(await store.keep(ofBytes(2, MAX_STORED_RESPONSE_BYTES + 1))).toBe(false);
        for (const text of ['inputItems', 'outputItems', 'body'] as const) {
          expect(await store.keep(aKeptResponse(3, { [text]: `"${'é'.repeat(MAX_STORED_RESPONSE_BYTES / 2)}"` }))).toBe(false);
        }
        expect(await store.find(STORE_ALICE, 'resp_1', STORE_NOON)).toEqual(storedOf(largest));
        expect(await found(1, 4)).toEqual([1]);
      });

      it('leave only the newest 468 responses when an account stores more than 500', async () => {
        await store.keep(aKeptResponse(0, { accountId: STORE_BOB }));
        const dropped = MAX_STORED_RESPONSES + 1 - STORED_RESPONSES_LEFT;
        await keepAll(Array.from({ length: dropped - 2 }, (_, index) => aKeptResponse(10 + index)));
        for (const number of [3, 1, 2]) await store.keep(aKeptResponse(number));
        await keepAll(Array.from({ length: MAX_STORED_RESPONSES - dropped - 1 }, (_, index) => aKeptResponse(100 + index)));
        expect([await found(1, 4), await found(10, 1000)]).toMatchObject([[1, 2, 3], { length: MAX_STORED_RESPONSES - 3 }]);
        await store.keep(aKeptResponse(0));
        expect([await found(0, 4), await found(10, 100)]).toEqual([[0, 2], []]);
        await keepAll(Array.from({ length: MAX_STORED_RESPONSES - STORED_RESPONSES_LEFT }, (_, index) => aKeptResponse(1000 + index)));
        expect(await found(0, 2000)).toHaveLength(MAX_STORED_RESPONSES);
        await store.keep(aKeptResponse(4));
        expect(await found(0, 2000)).toHaveLength(STORED_RESPONSES_LEFT);
        expect(await found(0, 1, STORE_BOB)).toEqual([0]);
      });

      it('leave only the newest 30 MiB when the responses of an account exceed 32 MiB', async () => {
        const most = MAX_STORED_RESPONSES_BYTES / MAX_STORED_RESPONSE_BYTES;
        const left = STORED_RESPONSES_LEFT_BYTES / MAX_STORED_RESPONSE_BYTES;
        await store.keep(aKeptResponse(0, { accountId: STORE_BOB }));
        for (let number = 0; number < most; number += 1) await store.keep(ofBytes(number, MAX_STORED_RESPONSE_BYTES));
        expect(await found(0, most)).toHaveLength(most);
        await store.keep(aKeptResponse(most));
        expect(await found(0, most + 1)).toEqual(Array.from({ length: left }, (_, index) => index + most + 1 - left));
        for (let number = 0; number < most - left; number += 1) await store.keep(ofBytes(900 + number, MAX_STORED_RESPONSE_BYTES - 1));
        expect([...await found(0, most + 1), ...await found(900, 1000)]).toHaveLength(most);
        expect(await found(0, 1, STORE_BOB)).toEqual([0]);
      });

      it('do not count removed responses', async () => {
        await keepAll(Array.from({ length: MAX_STORED_RESPONSES }, (_, index) => aKeptResponse(index)));
        await store.remove(STORE_ALICE, 'resp_250', STORE_NOON);
        await store.keep(aKeptResponse(900));
        expect(await found(0, MAX_STORED_RESPONSES)).toHaveLength(MAX_STORED_RESPONSES - 1);
      });
    });

    describe('a chain', () => {
      const links = (count: number): readonly KeepResponse[] => (
        Array.from({ length: count }, (_, index) => aKeptResponse(index, { previousId: index === 0 ? null : `resp_${index - 1}` })));

      it('lists its responses from the first one to the requested one', async () => {
        await keepAll([...links(4), aKeptResponse(9)]);
        expect(await store.chain(STORE_ALICE, 'resp_2', STORE_NOON)).toEqual({ outcome: 'found', responses: links(3).map(storedOf) });
        expect(await store.chain(STORE_ALICE, 'resp_9', STORE_NOON)).toEqual({ outcome: 'found', responses: [storedOf(aKeptResponse(9))] });
      });

      it('is missing if one of its responses is missing', async () => {
        await keepAll(links(4));
        await store.remove(STORE_ALICE, 'resp_1', STORE_NOON);
        const chains = await Promise.all([0, 1, 2, 3, 4].map((number) => chainOf(`resp_${number}`)));
        expect(chains).toEqual([['resp_0'], 'missing', 'missing', 'missing', 'missing']);
      });

      it('contains at most 200 responses', async () => {
        await keepAll(links(MAX_RESPONSE_CHAIN + 1));
        expect(await chainOf(`resp_${MAX_RESPONSE_CHAIN - 1}`)).toEqual(links(MAX_RESPONSE_CHAIN).map(({ id }) => id));
        expect(await chainOf(`resp_${MAX_RESPONSE_CHAIN}`)).toBe('missing');
      });

      it('is limited to the size that one request may load', async () => {
        const most = MAX_STORED_BYTES_OF_REQUEST / MAX_STORED_RESPONSE_BYTES;
        for (let number = 0; number < most; number += 1) await store.keep(ofBytes(number, MAX_STORED_RESPONSE_BYTES, { previousId: number === 0 ? null : `resp_${number - 1}` }));
        await keepAll([ofBytes(most, 7, { previousId: `resp_${most - 1}` }), ofBytes(most + 1, 7, { previousId: `resp_${most}` })]);
        const largest = await store.chain(STORE_ALICE, `resp_${most - 1}`, STORE_NOON);
        expect(largest).toMatchObject({ outcome: 'found', responses: { length: most, 0: { id: 'resp_0' } } });
        expect([await chainOf(`resp_${most}`), await chainOf(`resp_${most + 1}`)]).toEqual(['too-large', 'too-large']);
      });
    });

    describe('a sweep', () => {
      const SOON = later(STORE_NOON, 10);

      /** Sweeps until a sweep removes no response. Returns how many each sweep removed. */
      async function sweepAll(now: Instant): Promise<readonly number[]> {
        const counts: number[] = [];
        for (let swept = -1; swept !== 0; counts.push(swept)) swept = await store.sweep(now);
        return counts;
      }

      it('removes expired responses and no others', async () => {
        await keepAll([aKeptResponse(1, { expiresAt: SOON }), aKeptResponse(2, { expiresAt: later(SOON, 1) })]);
        expect([await store.sweep(later(SOON, -1)), await store.sweep(SOON), await store.sweep(SOON)]).toEqual([0, 1, 0]);
        expect(await found(1, 3)).toEqual([2]);
      });

      it('removes a limited number of responses at a time', async () => {
        for (const account of ['a', 'b']) {
          await keepAll(Array.from({ length: 400 }, (_, index) => aKeptResponse(index, { accountId: `acct_${account}` as AccountId, expiresAt: SOON })));
        }
        expect(await sweepAll(SOON)).toEqual([250, 250, 250, 50, 0]);
      });

      it('removes a limited number of bytes at a time', async () => {
        for (let number = 0; number < 10; number += 1) await store.keep(ofBytes(number, MAX_STORED_RESPONSE_BYTES, { expiresAt: SOON }));
        expect(await sweepAll(SOON)).toEqual([4, 4, 2, 0]);
      });
    });
  });
}
