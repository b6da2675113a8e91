import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { later, MILLISECONDS_PER_HOUR, ProviderFailure, type ResponseStore, MAX_STORED_RESPONSE_BYTES } from '@tollgate/core';
import OpenAI from 'openai';
import { checkResponsesStream, Gate, textSteps, yielding } from '@tollgate/testkit';
import { eventually } from '../src/test-support/test-client.js';
import { BodyBudget } from '../src/http/body-budget.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../src/test-support/start-test-gateway.js';
import { haltedReply, textReply } from '../src/test-support/test-catalogue.js';

const PATH = '/v1/responses';

interface ResponseBody {
  readonly id: string;
  readonly store: boolean;
  readonly status: string;
  readonly previous_response_id: string | null;
  readonly output: readonly { readonly id: string; readonly type: string }[];
  readonly error?: { readonly code: string; readonly param?: string; readonly message: string };
}

let gateway: TestGateway;

async function start(options: TestGatewayOptions = {}): Promise<void> {
  gateway = await startTestGateway(options);
}

beforeEach(() => start());
afterEach(() => gateway.close());

async function ask(body: object, headers: Readonly<Record<string, string>> = {}): Promise<ResponseBody & { readonly httpStatus: number }> {
  const reply = await gateway.post(PATH, { model: 'small', ...body }, headers);
  return { ...(await reply.json()) as ResponseBody, httpStatus: reply.status };
}

async function stream(body: object): Promise<ResponseBody> {
  const text = await (await gateway.post(PATH, { model: 'small', stream: true, ...body })).text();
  const last = text.trimEnd().split('\n\n').at(-1) ?? '';
  return (JSON.parse(last.slice(last.indexOf('data: ') + 6)) as { readonly response: ResponseBody }).response;
}

/** Roles and texts of the turns that the upstream received last. */
function sent(): readonly (readonly [string, string])[] {
  const turns = gateway.provider.calls.at(-1)?.request.conversation.turns ?? [];
  return turns.map(({ role, content }) => [role, content.map((block) => ('text' in block ? block.text : block.type)).join('|')]);
}

describe('a response', () => {
  it.each(['whole', 'streamed'])('is stored and found by its id (%s)', async (delivery) => {
    const body = { input: 'Hi' };
    const response = delivery === 'whole' ? await ask(body) : await stream(body);
    expect(response).toMatchObject({ status: 'completed', store: true, output: [{ type: 'message' }] });
    const found = await gateway.fetch(`${PATH}/${response.id}`);
    expect(found.status).toBe(200);
    expect(await found.json()).toMatchObject({ id: response.id, object: 'response', store: true, output: response.output });
  });

  it.each(['whole', 'streamed'])('is not stored if its request sets `store` to false (%s)', async (delivery) => {
    const body = { input: 'Hi', store: false };
    const response = delivery === 'whole' ? await ask(body) : await stream(body);
    expect(response.store).toBe(false);
    expect((await gateway.fetch(`${PATH}/${response.id}`)).status).toBe(404);
  });

  it.each(['store', 'chain'])('lists its own input items, in pages (%s)', async (kind) => {
    const input = [
      { role: 'developer', content: 'Be brief.' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'function_call', id: 'fc_own', call_id: 'call_1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
    ];
    const previous = kind === 'chain' ? { previous_response_id: (await ask({ input: 'Before' })).id } : {};
    const { id } = await ask({ input, ...previous });
    const tail = id.slice('resp_'.length);
    const listed = [
      { type: 'message', id: `msg_${tail}_i0`, status: 'completed', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
      { ...input[1], id: `msg_${tail}_i1`, status: 'completed' }, { ...input[2], status: 'completed' },
      { ...input[3], id: `fco_${tail}_i3`, status: 'completed' },
    ];
    const read = async (query = '') => (await gateway.fetch(`${PATH}/${id}/input_items${query}`)).json();
    expect(await read()).toEqual({ object: 'list', data: listed.toReversed(), first_id: `fco_${tail}_i3`, last_id: `msg_${tail}_i0`, has_more: false });
    expect(await read('?order=asc&limit=2')).toEqual({ object: 'list', data: listed.slice(0, 2), first_id: `msg_${tail}_i0`, last_id: `msg_${tail}_i1`, has_more: true });
    expect(await read(`?order=asc&limit=2&after=msg_${tail}_i1`)).toEqual({ object: 'list', data: listed.slice(2), first_id: 'fc_own', last_id: `fco_${tail}_i3`, has_more: false });
    expect(await read('?after=fc_own&limit=1')).toMatchObject({ data: [listed[1]], has_more: true });
    const client = new OpenAI({ apiKey: gateway.caller.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const paged: string[] = [];
    for await (const item of client.responses.inputItems.list(id, { limit: 3, order: 'asc' })) paged.push(item.id ?? '');
    expect(paged).toEqual([`msg_${tail}_i0`, `msg_${tail}_i1`, 'fc_own', `fco_${tail}_i3`]);
  });

  it('is not streamed again, because it is complete', async () => {
    const { id } = await ask({ input: 'Hi' });
    const replies = await Promise.all(['true', 'false'].map((value) => gateway.fetch(`${PATH}/${id}?stream=${value}`)));
    expect(replies.map(({ status }) => status)).toEqual([400, 200]);
    expect(await replies[0]?.json()).toMatchObject({ error: { code: 'invalid_request', param: 'stream' } });
  });

  it('lists all input items, even if several have the same id', async () => {
    const message = { id: 'msg_own', type: 'message', role: 'user', content: 'Hi' };
    const { id } = await ask({ input: [message, message, message] });
    const client = new OpenAI({ apiKey: gateway.caller.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const paged: (string | undefined)[] = [];
    for await (const item of client.responses.inputItems.list(id, { limit: 1, order: 'asc' })) if (paged.push(item.id) > 5) break;
    const tail = id.slice('resp_'.length);
    expect(paged).toEqual(['msg_own', `msg_${tail}_i1`, `msg_${tail}_i2`]);
  });

  it.each([['limit=0', 'limit'], ['limit=101', 'limit'], ['order=up', 'order'], ['after=msg_x', 'after']])('lists no input items if the query has the invalid parameter %s', async (query, param) => {
    const { id } = await ask({ input: 'Hi' });
    const reply = await gateway.fetch(`${PATH}/${id}/input_items?${query}`);
    expect([reply.status, (await reply.json() as ResponseBody).error?.param]).toEqual([400, param]);
  });

  it('has no input items for another account, or if it was not stored', async () => {
    const other = await gateway.addCaller('other');
    const [{ id }, { id: unstored }] = [await ask({ input: 'Hi' }), await ask({ input: 'Hi', store: false })];
    const statusOf = async (of: string, key: string) => (await gateway.fetch(`${PATH}/${of}/input_items`, { headers: { 'x-api-key': key } })).status;
    expect([await statusOf(id, gateway.caller.key), await statusOf(id, other.key), await statusOf(unstored, gateway.caller.key)]).toEqual([200, 404, 404]);
  });

  it.each([['/v1/responses/compact', 'Compaction is not offered.'], ['/v1/responses/resp_1/cancel', 'Cancelling is not offered']])('can be neither compacted nor cancelled: %s is refused as unsupported', async (path, words) => {
    const reply = await gateway.post(path, { model: 'small', input: 'Hi' });
    expect([reply.status, reply.headers.get('allow'), (await reply.json() as ResponseBody).error]).toEqual([404, null, expect.objectContaining({ code: 'not_found', message: expect.stringContaining(words) as unknown })]);
  });

  it('is deleted by its owner, once', async () => {
    const { id } = await ask({ input: 'Hi' });
    const removal = () => gateway.fetch(`${PATH}/${id}`, { method: 'DELETE' });
    expect(await (await removal()).json()).toEqual({ id, object: 'response', deleted: true });
    const again = await removal();
    expect([again.status, (await again.json() as ResponseBody).error]).toEqual([404, expect.objectContaining({ code: 'not_found', param: 'response_id' })]);
  });

  it('expires', async () => {
    await gateway.close();
    await start({ settings: { responsesKeptMilliseconds: MILLISECONDS_PER_HOUR } });
    const { id } = await ask({ input: 'Hi' });
    await gateway.clock.advanceAsync(MILLISECONDS_PER_HOUR - 1000);
    expect((await gateway.fetch(`${PATH}/${id}`)).status).toBe(200);
    await gateway.clock.advanceAsync(1000);
    expect((await gateway.fetch(`${PATH}/${id}`)).status).toBe(404);
  });

  it('is not visible to other accounts', async () => {
    const { id, output } = await ask({ input: 'Hi' });
    const other = { authorization: `Bearer ${(await gateway.addCaller('second')).key}` };
    expect((await gateway.fetch(`${PATH}/${id}`, { headers: other })).status).toBe(404);
    expect((await gateway.fetch(`${PATH}/${id}`, { method: 'DELETE', headers: other })).status).toBe(404);
    expect(await ask({ input: 'And?', previous_response_id: id }, other)).toMatchObject({ httpStatus: 404, error: { param: 'previous_response_id' } });
    const reference = { type: 'item_reference', id: output[0]?.id };
    expect(await ask({ input: [reference, { role: 'user', content: 'And?' }] }, other)).toMatchObject({ httpStatus: 400, error: { param: 'input[0]' } });
    expect((await gateway.fetch(`${PATH}/${id}`)).status).toBe(200);
  });

  it('is delivered and marked as not stored if the store fails', async () => {
    await gateway.close();
    const { responses } = gateway.parts.store;
    const failing: ResponseStore = {
      keep: () => Promise.reject(new Error('no room')),
      find: (...wanted) => responses.find(...wanted),
      chainSize: (...wanted) => responses.chainSize(...wanted),
      sizeOf: (...wanted) => responses.sizeOf(...wanted),
      findAll: (...wanted) => responses.findAll(...wanted),
      chain: (...wanted) => responses.chain(...wanted),
      remove: (...wanted) => responses.remove(...wanted),
      sweep: (now) => responses.sweep(now),
    };
    await start({ services: { responses: failing }, settings: { metrics: { host: '127.0.0.1', port: 0 } } });
    expect(await ask({ input: 'Hi' })).toMatchObject({ httpStatus: 200, status: 'completed', store: false });
    expect(await stream({ input: 'Hi' })).toMatchObject({ status: 'completed', store: false });
    expect(gateway.parts.logged.filter(({ msg }) => String(msg).startsWith('a response could not be stored'))).toHaveLength(2);
    expect(await (await fetch(gateway.gateway.metricsUrl ?? '')).text()).toContain('\ntollgate_responses_not_stored_total 2\n');
  });

  it.each([
    ['its input', MAX_STORED_RESPONSE_BYTES, 'whole'], ['its input', MAX_STORED_RESPONSE_BYTES, 'streamed'],
    ['the sum of input and output', MAX_STORED_RESPONSE_BYTES - 100, 'whole'], ['the sum of input and output', MAX_STORED_RESPONSE_BYTES - 100, 'streamed'],
  ])('is delivered as not stored if %s is too large (%d bytes, %s)', async (_what, size, delivery) => {
    // Only fields of an item that the model sees count against the model's context.
    const input = [{ role: 'user', content: 'Hi', note: 'x'.repeat(size) }];
    const { id, store } = delivery === 'whole' ? await ask({ input }) : await stream({ input });
    expect([store, (await gateway.fetch(`${PATH}/${id}`)).status]).toEqual([false, 404]);
    expect(gateway.parts.logged.filter(({ msg }) => String(msg).includes('could not be stored'))).toEqual([]);
  });

  it('is not stored if the gateway does not store responses', async () => {
    await gateway.close();
    await start({ settings: { responsesKeptMilliseconds: 0 } });
    const { id, store } = await ask({ input: 'Hi' });
    expect([store, (await gateway.fetch(`${PATH}/${id}`)).status]).toEqual([false, 404]);
    const streamed = await (await gateway.post(PATH, { model: 'small', input: 'Hi', stream: true })).text();
    expect(checkResponsesStream(streamed).events.flatMap(({ response }) => (response === undefined ? [] : [(response as ResponseBody).store]))).toEqual([false, false, false]);
  });
});

describe('an incomplete response', () => {
  const REQUEST = { model: 'halting', input: 'Hi', max_output_tokens: 900 };
  let gate: Gate;

  beforeEach(() => {
    gate = new Gate();
    gateway.provider.script('halting', haltedReply(gate, ' again'));
  });
  afterEach(() => gate.open());

  const settled = (reason: string): boolean => gateway.parts.logged.some(({ endReason }) => endReason === reason);

  /** Begins a stream, and reads it up to its first output; returns the id of the response, and the reply. */
  async function begun(leaving: AbortSignal): Promise<readonly [string, Response]> {
    const reply = await gateway.fetch(PATH, { method: 'POST', body: JSON.stringify({ ...REQUEST, stream: true }), signal: leaving });
    const copy = reply.clone().body?.getReader();
    let received = '';
    while (!received.includes('Hello')) received += new TextDecoder().decode((await copy?.read())?.value);
    return [/"id":"(resp_\w+)"/u.exec(received)?.[1] ?? 'none', reply];
  }

  it('is not stored if its client disconnects during the stream', async () => {
    const leaving = new AbortController();
    const [id] = await begun(leaving.signal);
    leaving.abort();
    await eventually(() => settled('client_left'));
    gate.open();
    expect((await gateway.fetch(`${PATH}/${id}`)).status).toBe(404);
  });

  it('is not stored if its client disconnects before a whole reply', async () => {
    const leaving = new AbortController();
    const { responses } = gateway.parts.store;
    const keep = jest.spyOn(responses, 'keep');
    const reply = gateway.fetch(PATH, { method: 'POST', body: JSON.stringify(REQUEST), signal: leaving.signal }).catch((error: unknown) => error);
    await eventually(() => gateway.provider.openStreams === 1);
    leaving.abort();
    await reply;
    await eventually(() => settled('client_left'));
    expect(keep).not.toHaveBeenCalled();
  });

  it('is not stored if its upstream fails, and is marked as not stored', async () => {
    gateway.provider.script('halting', { steps: [...textSteps('Hello', '!').slice(0, 1), { type: 'fail', failure: new ProviderFailure('unavailable', 'no') }] });
    const { response, usage } = checkResponsesStream(await (await gateway.post(PATH, { ...REQUEST, stream: true })).text());
    expect(response).toMatchObject({ status: 'failed', store: false });
    expect(usage).toMatchObject({ output_tokens: 5, svc_tokens_debited: expect.any(String) });
    expect(settled('provider_failed')).toBe(true);
    expect((await gateway.fetch(`${PATH}/${String(response['id'])}`)).status).toBe(404);
  });

  it('is not stored if the service stops', async () => {
    const [id, reply] = await begun(new AbortController().signal);
    const closed = gateway.close();
    gateway.clock.advance(30_000);
    expect(checkResponsesStream(await reply.text()).response).toMatchObject({ id, status: 'failed', store: false });
    await closed;
    expect(settled('shutdown')).toBe(true);
    expect(await gateway.parts.store.responses.find(gateway.caller.account.id, id, gateway.clock.now())).toBeNull();
  });

  it('is stored if it reached its maximum output', async () => {
    gateway.provider.script('small', { steps: [...textSteps('Hello'), yielding({ type: 'provider-end', stopReason: 'max-tokens', usage: null })] });
    const { id, store, status } = await ask({ input: 'Hi' });
    expect([store, status, (await gateway.fetch(`${PATH}/${id}`)).status]).toEqual([true, 'incomplete', 200]);
  });
});

describe('a request that continues a response', () => {
  it('is sent with all earlier turns of the conversation', async () => {
    const first = await ask({ input: 'One' });
    gateway.provider.script('small', textReply('Second.'));
    const second = await ask({ input: [{ role: 'user', content: 'Two' }], previous_response_id: first.id });
    expect(sent()).toEqual([['user', 'One'], ['assistant', 'Hello there'], ['user', 'Two']]);
    expect(second.previous_response_id).toBe(first.id);
    await ask({ input: 'Three', previous_response_id: second.id });
    expect(sent()).toEqual([['user', 'One'], ['assistant', 'Hello there'], ['user', 'Two'], ['assistant', 'Second.'], ['user', 'Three']]);
  });

  it('keeps the reasoning effort that an item of an earlier turn has set', async () => {
    const { id } = await ask({ input: [{ type: 'configuration_update', reasoning: { effort: 'low' } }, { role: 'user', content: 'Hi' }] });
    await ask({ previous_response_id: id, input: 'And now?', reasoning: { effort: 'high' } });
    expect(gateway.provider.calls.map(({ request }) => request.reasoning)).toEqual(['low', 'low']);
  });

  it('is sent with the items that it references', async () => {
    const { output } = await ask({ input: 'One' });
    const reference = { type: 'item_reference', id: output[0]?.id };
    await ask({ input: [{ role: 'user', content: 'One' }, reference, { role: 'user', content: 'Two' }] });
    expect(sent()).toEqual([['user', 'One'], ['assistant', 'Hello there'], ['user', 'Two']]);
  });

  it('has the tokens of earlier turns in its token count', async () => {
    const { id } = await ask({ input: 'One' });
    const count = async (body: object) => (await (await gateway.post(`${PATH}/input_tokens`, { model: 'small', ...body })).json()) as unknown;
    const [alone, continued] = [await count({ input: 'Two' }), await count({ input: 'Two', previous_response_id: id })] as { readonly input_tokens: number }[];
    expect(alone).toEqual({ object: 'response.input_tokens', input_tokens: expect.any(Number) });
    expect(continued?.input_tokens).toBe((alone?.input_tokens ?? 0) + 'One'.length + 'Hello there'.length);
  });

  it('is refused without charge if the earlier response is not stored', async () => {
    expect(await ask({ input: 'Two', previous_response_id: 'resp_unknown' })).toMatchObject({ httpStatus: 404, error: { code: 'not_found', param: 'previous_response_id' } });
    expect(await ask({ input: [{ type: 'item_reference', id: 'msg_unknown_0' }] })).toMatchObject({ httpStatus: 400, error: { code: 'invalid_request', param: 'input[0]' } });
    expect(gateway.provider.calls).toHaveLength(0);
  });

  it('is refused for an unknown earlier response before it is refused for an invalid idempotency key', async () => {
    const { id } = await ask({ input: 'One' });
    const refusal = async (previousId: string) => (await ask({ input: 'Two', previous_response_id: previousId }, { 'idempotency-key': '' })).error;
    expect(await refusal('resp_unknown')).toMatchObject({ code: 'not_found', param: 'previous_response_id' });
    expect(await refusal(id)).toMatchObject({ code: 'invalid_request', param: 'Idempotency-Key' });
  });

  it('is replayed under its idempotency key even after the earlier response was deleted, and refused under another key', async () => {
    const { id } = await ask({ input: 'One' });
    const again = (key: string, body: object = { input: 'Two', previous_response_id: id }) => gateway.post(PATH, { model: 'small', ...body }, { 'idempotency-key': key });
    const first = await (await again('first')).text();
    await gateway.fetch(`${PATH}/${id}`, { method: 'DELETE' });
    const replayed = await again('first');
    expect([replayed.status, await replayed.text()]).toEqual([200, first]);
    for (const key of ['second', 'second']) expect((await again(key)).status).toBe(404);
    expect((await again('first', { input: 'Three', previous_response_id: id })).status).toBe(404);
    expect(gateway.provider.calls).toHaveLength(2);
  });

  it('loads references in batches, each of which counts as unbilled work until the request is admitted', async () => {
    await gateway.close();
    await start({ settings: { unbilledPerMinuteAccount: 20 }, limits: { requestsPerMinute: 20 } });
    const findAll = jest.spyOn(gateway.parts.store.responses, 'findAll');
    const input = [...Array.from({ length: 160 }, (_, number) => ({ type: 'item_reference', id: `rs_gone${number}_0` })), { role: 'user', content: 'Hi' }];
    expect((await ask({ input })).httpStatus).toBe(200);
    expect(findAll).toHaveBeenCalledTimes(10);
    expect((await ask({ input, model: 'unknown' })).httpStatus).toBe(404);
    expect((await ask({ input, model: 'unknown' })).httpStatus).toBe(429);
    expect(findAll.mock.calls.length).toBeLessThan(30);
  });

  describe('whose references are large', () => {
    /** Stores a chain of responses that together exceed the limits of a request. */
    async function keepLarge(): Promise<readonly string[]> {
      const ids = Array.from({ length: 17 }, (_, index) => `resp_large${index}`);
      for (const [index, id] of ids.entries()) {
        const inputItems = Buffer.from(JSON.stringify([{ role: 'user', content: 'x'.repeat(250_000) }]));
        const outputItems = JSON.stringify([{ id: `msg_large${index}_0`, type: 'message', role: 'assistant', content: 'Yes.' }]);
        await gateway.parts.store.responses.keep({
          id, previousId: ids[index - 1] ?? null, inputItems, outputItems, body: '{}', accountId: gateway.caller.account.id, expiresAt: later(gateway.clock.now(), 60_000),
        });
      }
      return ids;
    }

    it('is refused with the field name and advice if they exceed the limits of a request', async () => {
      const last = (await keepLarge()).at(-1) ?? '';
      expect(await ask({ input: 'Two', previous_response_id: last })).toMatchObject({
        httpStatus: 400, error: { code: 'invalid_request', param: 'previous_response_id', message: expect.stringContaining('start again with a summary') },
      });
      const input = Array.from({ length: 17 }, (_, index) => ({ type: 'item_reference', id: `msg_large${index}_0` }));
      expect(await ask({ input })).toMatchObject({ httpStatus: 400, error: { code: 'invalid_request', param: 'input[16]' } });
      expect(await ask({ input: input.slice(0, 16) })).toMatchObject({ httpStatus: 200 });
    });

    it('loads them while no other request of the account does, until the account’s units are used up', async () => {
      await gateway.close();
      await start({ settings: { unbilledPerMinuteAccount: 600 } });
      await keepLarge();
      const budget = gateway.gateway.container.get(BodyBudget);
      const { responses } = gateway.parts.store;
      const findAll = responses.findAll.bind(responses);
      const held: number[] = [];
      let [running, mostRunning] = [0, 0];
      responses.findAll = async (...look) => {
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        held.push(budget.used.large);
        const found = await findAll(...look);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        running -= 1;
        return found;
      };
      const input = Array.from({ length: 16 }, (_, index) => ({ type: 'item_reference', id: `msg_large${index}_0` }));
      const replies = await Promise.all(Array.from({ length: 300 }, () => ask({ input, model: 'unknown' })));
      const statuses = replies.map(({ httpStatus }) => httpStatus);
      expect([mostRunning, held.length, statuses.filter((status) => status === 404).length]).toEqual([1, 9, 9]);
      expect(new Set(statuses)).toEqual(new Set([404, 429]));
      const ids = Array.from({ length: 16 }, (_, index) => `resp_large${index}`);
      const body = Buffer.byteLength(JSON.stringify({ model: 'unknown', input }));
      expect(new Set(held)).toEqual(new Set([body + await responses.sizeOf(gateway.caller.account.id, ids, gateway.clock.now())]));
      expect(budget.used).toEqual({ small: 0, large: 0, arriving: 0 });
    });

    it('loads them in addition to its own large body, even if the gateway has room for little more', async () => {
      await gateway.close();
      await start({ settings: { bodyBytesInFlight: 4_194_304 } });
      await keepLarge();
      const references = Array.from({ length: 16 }, (_, index) => ({ type: 'item_reference', id: `msg_large${index}_0` }));
      const input = [{ role: 'user', content: 'Hi', note: 'x'.repeat(1_900_000) }, ...references];
      expect((await ask({ input, model: 'unknown' })).httpStatus).toBe(404);
    });

    it('counts as unbilled work like a body of the same size, until it is admitted', async () => {
      await gateway.close();
      await start({ settings: { unbilledPerMinuteAccount: 20 }, limits: { requestsPerMinute: 20 } });
      const [first, , , , , sixth] = await keepLarge();
      expect((await ask({ input: 'Two', previous_response_id: first, model: 'unknown' })).httpStatus).toBe(404);
      expect((await ask({ input: 'Two', previous_response_id: sixth, model: 'unknown' })).httpStatus).toBe(429);
    });
  });
});
