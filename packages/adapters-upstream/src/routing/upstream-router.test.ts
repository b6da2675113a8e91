import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import type { AccountId, ProviderCall, Reasoning, UpstreamDefinition } from '@tollgate/core';
import { aGenerationRequest, aModel, answersStatus, type Behaviour, breaksAfter, Gate, hangsBeforeHeaders, replies, resetsBeforeHeaders, type ScriptedUpstream, startScriptedUpstream, until } from '@tollgate/testkit';
import type { ReasoningRefusal } from '../http/reasoning-refusals.js';
import { UpstreamSockets } from '../http/upstream-sockets.js';
import { aCall, readStream, says, turns } from '../test-support/calls.js';
import type { ProbeOutcome } from './circuit.js';
import { type FailedCall, UpstreamRouter } from './upstream-router.js';

const ONE = 'acct_one' as AccountId;
const OTHER = 'acct_other' as AccountId;

describe('UpstreamRouter', () => {
  let first: ScriptedUpstream;
  let second: ScriptedUpstream;
  let clock: ManualClock;
  let router: UpstreamRouter;
  let sockets: UpstreamSockets;
  let refusals: ReasoningRefusal[];
  let failures: FailedCall[];
  let changes: string[];
  let probes: (readonly [requestId: string, outcome: ProbeOutcome])[];

  const definition = (id: string, upstream: ScriptedUpstream): UpstreamDefinition => ({ id, kind: 'openai', baseUrl: upstream.baseUrl, apiKey: 'our-secret-key' });
  const callTo = (upstreamId: string, changed: Partial<ProviderCall> = {}): ProviderCall => ({ ...aCall(), target: { upstreamId, upstreamModel: 'scripted-model' }, ...changed });

  function unsendable(): ProviderCall {
    return callTo('first', { request: { ...aCall().request, get conversation(): never { throw new TypeError('a fault of the encoder'); } } });
  }

  /** Resolves to each call's failure reason, or to `served`. */
  async function outcomes(...calls: readonly ProviderCall[]): Promise<readonly string[]> {
    const told: string[] = [];
    for (const call of calls) {
      told.push(await router.open(call).then(readStream).then(() => 'served', ({ reason }: { reason: string }) => reason));
    }
    return told;
  }

  function times(count: number, call: ProviderCall): readonly ProviderCall[] {
    return Array.from({ length: count }, () => call);
  }

  async function changesTold(count: number): Promise<void> {
    while (changes.length < count) await new Promise(setImmediate);
  }

  beforeEach(async () => {
    [first, second] = await Promise.all([startScriptedUpstream(), startScriptedUpstream()]);
    clock = new ManualClock();
    refusals = [];
    failures = [];
    changes = [];
    probes = [];
    sockets = new UpstreamSockets();
    router = new UpstreamRouter([definition('first', first), definition('second', second), { id: 'sandbox', kind: 'sandbox' }], {
      clock,
      ids: new SequentialIds(),
      sockets,
      onReasoningRefused: (refusal) => void refusals.push(refusal),
      report: {
        failed: (call) => { failures.push(call); },
        answered: () => undefined,
        noticed: () => undefined,
        probed: ({ requestId }, outcome) => { probes.push([requestId, outcome]); },
        circuitChanged: ({ target }, state) => { changes.push(`${target.upstreamId} ${target.upstreamModel} ${state}`); },
      },
    });
  });
  afterEach(async () => {
    await Promise.all([first.close(), second.close()]);
    await router.close();
  });

  it('sends a call to the named upstream', async () => {
    await readStream(await router.open(callTo('second')));
    expect([first.requests.length, second.requests.length]).toEqual([0, 1]);
    const simulated = await readStream(await router.open(callTo('sandbox')));
    expect(JSON.stringify(simulated.blocks)).toContain('simulated');
  });

  it('fails for an unknown upstream', async () => {
    await expect(router.open(callTo('third'))).rejects.toMatchObject({ kind: 'unavailable', reason: 'not-configured' });
    expect(failures).toMatchObject([{ failure: { reason: 'not-configured' }, status: null, said: null }]);
    expect(Object.keys(failures[0]?.facts ?? {}).toSorted()).toEqual(['accountId', 'model', 'requestId', 'target']);
  });

  it('refuses calls to a model for ten seconds after it hung up five times, but no calls to other models or upstreams', async () => {
    first.always('*', resetsBeforeHeaders());
    await outcomes(...times(5, callTo('first')));
    await changesTold(1);
    clock.advance(2_500);
    await expect(router.open(callTo('first'))).rejects.toMatchObject({ kind: 'unavailable', reason: 'circuit-open', retryAfterSeconds: 8 });
    expect(first.requests).toHaveLength(6);
    first.always('*', replies({ text: 'a' }));
    expect(await outcomes(callTo('second'), callTo('first', { target: { upstreamId: 'first', upstreamModel: 'another-model' } }))).toEqual(['served', 'served']);
    expect(router.circuits()).toEqual([
      { upstreamId: 'first', upstreamModel: 'scripted-model', state: 'open' },
      { upstreamId: 'first', upstreamModel: 'another-model', state: 'closed' },
      { upstreamId: 'second', upstreamModel: 'scripted-model', state: 'closed' },
    ]);
    clock.advance(7_500);
    expect(await outcomes(callTo('first'), callTo('first'))).toEqual(['served', 'served']);
    expect(changes).toEqual(['first scripted-model open', 'first scripted-model closed']);
  });

  it('refuses no calls although an upstream answers all requests of one account with status 500', async () => {
    first.always('*', answersStatus(500, { error: { message: 'image input is not supported' } }));
    expect(await outcomes(...times(20, callTo('first')))).toEqual(times(20, callTo('first')).map(() => 'server-error'));
    expect(first.requests).toHaveLength(20);
  });

  it('opens the circuit immediately for all callers if connections are refused', async () => {
    await first.close();
    expect(await outcomes(...times(6, callTo('first', { accountId: ONE })))).toEqual([...times(5, callTo('first')).map(() => 'connect-failed'), 'circuit-open']);
    expect([changes, probes]).toEqual([['first scripted-model open'], []]);
  });

  it('refuses calls to a model after two accounts have found it unavailable', async () => {
    first.always('*', answersStatus(503));
    await outcomes(...times(3, callTo('first', { accountId: ONE })), ...times(2, callTo('first', { accountId: OTHER })));
    expect(await outcomes(callTo('first'))).toEqual(['circuit-open']);
  });

  /** Fails only for requests that contain this text. */
  const chokesOn = (text: string, failing: Behaviour = answersStatus(504)): Behaviour => (request) => (JSON.stringify(request.body).includes(text) ? failing(request) : replies({ text: 'a' })(request));
  const poisoned = (): ProviderCall => callTo('first', { accountId: ONE, request: aCall({ request: turns(says('the poison')) }).request });

  /** At each kind of upstream, failures that requests alone can cause must not affect other accounts. */
  describe.each(['openai', 'anthropic', 'responses'] as const)('with one account whose requests make an upstream of the kind %s fail', (kind) => {
    it.each<[string, Behaviour, string]>([
      ['connections reset before the headers', resetsBeforeHeaders(), 'hung-up'],
      ['connections closed before the headers', () => [{ type: 'close' }], 'hung-up'],
      ['connections reset after the headers', breaksAfter(0, 'reset'), 'cut-off'],
      ['connections reset in the middle of the reply', breaksAfter(3, 'reset'), 'cut-off'],
      ['502', answersStatus(502), 'server-unavailable'],
      ['503', answersStatus(503), 'server-unavailable'],
      ['504', answersStatus(504), 'server-unavailable'],
      ['500', answersStatus(500), 'server-error'],
    ])('serves other accounts: %s', async (_what, ...[failing, reason]) => {
      router.replace([{ id: 'first', kind, baseUrl: first.baseUrl, apiKey: null }]);
      first.always('*', chokesOn('the poison', failing));
      const told: string[] = [];
      for (let round = 0; round < 10; round += 1) {
        expect(await outcomes(...times(3, poisoned()))).toEqual([reason, reason, reason]);
        told.push(...await outcomes(callTo('first', { accountId: OTHER })));
        clock.advance(5_000);
      }
      expect([told, changes]).toEqual([told.map(() => 'served'), []]);
      expect(probes.length).toBeLessThanOrEqual(1);
    });

    it('opens the circuit after five failed calls of that account, if the router’s own call fails too', async () => {
      router.replace([{ id: 'first', kind, baseUrl: first.baseUrl, apiKey: null }]);
      first.always('*', resetsBeforeHeaders());
      await outcomes(...times(5, callTo('first', { accountId: ONE })));
      await changesTold(1);
      expect(await outcomes(callTo('first', { accountId: ONE }))).toEqual(['circuit-open']);
      expect([changes, probes]).toEqual([['first scripted-model open'], [[expect.stringMatching(/^probe_/), 'failed']]]);
    });
  });

  it('limits its own call to half a minute', async () => {
    const hanging = (request: Parameters<Behaviour>[0]): ReturnType<Behaviour> => (JSON.stringify(request.body).includes('"Hi"') ? hangsBeforeHeaders() : resetsBeforeHeaders())(request);
    first.always('*', hanging);
    await outcomes(...times(5, poisoned()));
    const { ended } = await first.request(5);
    await clock.advanceAsync(29_999);
    expect([changes, probes]).toEqual([[], []]);
    await outcomes(poisoned());
    await clock.advanceAsync(1);
    await expect(ended).resolves.toBe('aborted');
    await changesTold(1);
    expect([changes, probes.map(([, outcome]) => outcome)]).toEqual([['first scripted-model open'], ['failed']]);
  });

  it('makes its own call, without client content, if only one account finds a model unavailable', async () => {
    first.always('*', chokesOn('the poison'));
    await outcomes(...times(5, poisoned()));
    const { body, headers } = await first.request(5);
    expect(body).toMatchObject({ model: 'scripted-model', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] });
    expect(headers['x-request-id']).toMatch(/^probe_/);
    expect(await outcomes(callTo('first'))).toEqual(['served']);
    expect(changes).toEqual([]);
  });

  it('makes its own call if the client of a trial call disconnects', async () => {
    first.always('*', resetsBeforeHeaders());
    await outcomes(...times(5, callTo('first')));
    await changesTold(1);
    clock.advance(10_000);
    first.script('*', replies({ text: ['a'] }, { pauses: [{ before: 0, gate: new Gate() }] }));
    first.always('*', replies({ text: 'a' }));
    const stream = await router.open(callTo('first'));
    await stream.return();
    const { headers } = await first.request(7);
    expect(headers['x-request-id']).toMatch(/^probe_/);
    await changesTold(2);
    expect(changes).toEqual(['first scripted-model open', 'first scripted-model closed']);
  });

  /** Opens the circuit of the first upstream, which hangs up on every call, and waits until it allows a trial. */
  async function untilTrial(): Promise<void> {
    first.always('*', resetsBeforeHeaders());
    await outcomes(...times(5, callTo('first')));
    await changesTold(1);
    clock.advance(10_000);
  }

  it('keeps the circuit open if no socket is free for a trial call or for its own call', async () => {
    await untilTrial();
    const failed = failures.length;
    sockets.boundBy(() => false);
    await expect(router.open(callTo('first'))).rejects.toMatchObject({ code: 'server_busy' });
    await until(() => probes.length === 2);
    expect(failures).toHaveLength(failed);
    expect([changes, probes.at(-1)?.[1], first.requests.length]).toEqual([['first scripted-model open'], 'given-up', 6]);
    sockets.boundBy(() => true);
    first.always('*', replies({ text: 'a' }));
    clock.advance(10_000);
    expect(await outcomes(callTo('first'))).toEqual(['served']);
  });

  it('makes its own call after a trial whose request could not be encoded', async () => {
    await untilTrial();
    expect(await outcomes(unsendable())).toEqual(['not-sent']);
    await until(() => probes.length === 2);
    expect([changes, probes.at(-1)?.[1], first.requests.length]).toEqual([['first scripted-model open'], 'failed', 7]);
  });

  it('neither reports its own call as failed nor opens the circuit if the upstream is removed meanwhile', async () => {
    first.always('*', answersStatus(503));
    await outcomes(...times(4, callTo('first')));
    first.script('*', answersStatus(503));
    first.always('*', hangsBeforeHeaders());
    await outcomes(callTo('first'));
    await first.request(5);
    router.replace([]);
    await router.close();
    expect([changes, failures.length]).toEqual([[], 5]);
  });

  it('opens the circuit if its own call fails after five failed calls, and reports that failure', async () => {
    first.always('*', answersStatus(503));
    await outcomes(...times(5, callTo('first')));
    await changesTold(1);
    expect(await outcomes(callTo('first'))).toEqual(['circuit-open']);
    expect(failures.at(-1)).toMatchObject({ facts: { requestId: expect.stringMatching(/^probe_/) }, status: 503 });
  });

  it('reports every failed or refused call once, even one that fails in mid-reply, with the upstream’s message', async () => {
    first.script('scripted-model', answersStatus(401, { error: { message: 'bad key our-secret-key' } }), answersStatus(400, { error: { message: 'no\nway' } }));
    await outcomes(callTo('first'), callTo('first'), callTo('sandbox', { request: aCall({ request: turns(says('[[fail:middle]] [[tokens:4]]')) }).request }));
    expect(failures.map(({ facts, failure, status, said }) => [facts.requestId, facts.target.upstreamId, failure.reason, status, said])).toEqual([
      ['req_1', 'first', 'bad-credentials', 401, 'bad key [redacted]'],
      ['req_1', 'first', 'refused', 400, 'no way'],
      ['req_1', 'sandbox', 'cut-off', null, null],
    ]);
  });

  it('reports a request that it cannot encode as not sent', async () => {
    expect(await outcomes(unsendable())).toEqual(['not-sent']);
    expect(failures).toMatchObject([{ failure: { reason: 'not-sent', cause: { message: 'a fault of the encoder' } }, status: null }]);
    expect(first.requests).toEqual([]);
  });

  it('reports no failure for a call that its client cancelled', async () => {
    const controller = new AbortController();
    first.script('*', replies({ text: ['a', 'b'] }, { pauses: [{ before: 2, gate: new Gate() }] }));
    const stream = await router.open(callTo('first', { signal: controller.signal }));
    await stream.next();
    controller.abort();
    await expect(stream.next()).rejects.toMatchObject({ reason: 'cancelled' });
    expect(failures).toEqual([]);
  });

  it('completes a running call after its upstream was replaced, then closes the connections', async () => {
    const gate = new Gate();
    first.script('*', replies({ text: ['a', 'b'] }, { pauses: [{ before: 2, gate }] }));
    const stream = await router.open(callTo('first'));
    await stream.next();
    router.replace([definition('first', second)]);
    await readStream(await router.open(callTo('first')));
    expect(second.requests).toHaveLength(1);
    gate.open();
    expect((await stream.next()).value?.[0]).toEqual({ type: 'block-delta', index: 0, delta: 'b' });
    await first.requests[0]?.ended;
    await router.close();
    await new Promise((resolve) => { setImmediate(resolve); });
    expect(await first.connectionCount()).toBe(0);
  });

  describe('with a server that refuses a reasoning field', () => {
    const refusing = (...fields: readonly string[]): Behaviour => (request) => (fields.some((field) => field === request.body['reasoning_effort'])
      ? answersStatus(400, { error: { message: 'this model does not support thinking' } })(request)
      : replies({ text: 'a' })(request));
    const reasoner = aModel({ reasoning: true });
    const asking = (reasoning: Reasoning) => callTo('first', { model: reasoner, request: aGenerationRequest({ reasoning }) });
    const efforts = () => first.requests.map(({ body }) => body['reasoning_effort']);

    /** Sends a request, and waits for the given number of the gateway's own calls. */
    async function asks(reasoning: Reasoning, ownCalls = 0, call = asking(reasoning)): Promise<void> {
      const before = first.requests.length;
      expect((await readStream(await router.open(call))).blocks).toEqual([{ type: 'text', text: 'a' }]);
      if (ownCalls > 0) await first.request(before + 1 + ownCalls);
      await new Promise((resolve) => { setImmediate(resolve); });
    }

    it('omits the field in a retry, and in all requests for ten minutes once its own call was refused too', async () => {
      first.always('*', refusing('low'));
      await asks('low', 2);
      await until(() => refusals.length === 1);
      for (let count = 0; count < 2; count += 1) await asks('low');
      expect(efforts()).toEqual(['low', undefined, 'low', undefined, undefined, undefined]);
      expect(refusals).toEqual([{ upstream: 'first', model: 'scripted-model', reasoning: 'low' }]);
      for (const { body } of first.requests.slice(2, 4)) expect(body['messages']).toEqual([{ role: 'user', content: 'Hi' }]);
      clock.advance(10 * 60_000);
      await asks('low', 2);
      expect(efforts().slice(6)).toEqual(['low', undefined, 'low', undefined]);
    });

    it('forgets the refusal when the catalogue changes, even if its own call to check it is still running', async () => {
      const gate = new Gate();
      first.script('*', refusing('low'), refusing('low'), (request) => [{ type: 'wait', gate }, ...refusing('low')(request)]);
      first.always('*', refusing('low'));
      await asks('low', 1);
      router.replace([definition('first', first)]);
      gate.open();
      await first.request(3);
      await asks('low', 2);
      expect(efforts()).toEqual(['low', undefined, 'low', undefined, 'low', undefined, 'low', undefined]);
      await until(() => refusals.length === 1);
    });

    it('still sends a field that the server refuses only together with tools, and makes only one call of its own', async () => {
      const refusingBoth: Behaviour = (request) => ('tools' in request.body ? refusing('low') : replies({ text: 'a' }))(request);
      first.always('*', refusingBoth);
      const tools = [{ name: 'look', description: null, inputSchema: null }];
      const withTools = callTo('first', { model: reasoner, request: aGenerationRequest({ reasoning: 'low', tools }) });
      await asks('low', 1, withTools);
      await asks('low', 0, withTools);
      await asks('low');
      expect(efforts()).toEqual(['low', undefined, 'low', 'low', undefined, 'low']);
      expect(refusals).toEqual([]);
    });

    it('still sends the field if its own calls did not show whether the server refuses it', async () => {
      first.script('*', refusing('low'), refusing('low'), answersStatus(500));
      first.always('*', refusing('low'));
      await asks('low', 1);
      await asks('low');
      expect(efforts()).toEqual(['low', undefined, 'low', 'low', undefined]);
      expect(refusals).toEqual([]);
    });

    it('aborts its own calls when it closes', async () => {
      first.script('*', refusing('low'), refusing('low'), hangsBeforeHeaders());
      await asks('low', 1);
      await router.close();
      expect(await first.requests[2]?.ended).toBe('aborted');
    });

    it.each([null, 2])('retries a request without the field even if its upstream is removed meanwhile (maximum of connections: %s)', async (maxConnections) => {
      const bounded: UpstreamDefinition = { id: 'first', kind: 'openai', baseUrl: first.baseUrl, apiKey: null, options: { maxConnections } };
      router.replace([bounded]);
      first.always('*', (request) => {
        router.replace([]);
        return refusing('low')(request);
      });
      await asks('low');
      expect(efforts()).toEqual(['low', undefined]);
      await router.close();
      await until(async () => await first.connectionCount() === 0);
    });

    it('still sends `off` after the level `low` was refused, and sends `low` to other models', async () => {
      first.always('*', refusing('low'));
      await asks('low', 2);
      await until(() => refusals.length === 1);
      await asks('off');
      await asks('low', 2, { ...asking('low'), target: { upstreamId: 'first', upstreamModel: 'other' } });
      expect(efforts()).toEqual(['low', undefined, 'low', undefined, 'none', 'low', undefined, 'low', undefined]);
    });

    it('reports that it omitted the reasoning field', async () => {
      first.always('*', refusing('low'));
      const omittedOf = async (call: ProviderCall) => {
        const stream = await router.open(call);
        await readStream(stream);
        return stream.omitted;
      };
      expect(await omittedOf(asking('low'))).toEqual(['reasoning']);
      await until(() => refusals.length === 1);
      expect(await omittedOf(asking('low'))).toEqual(['reasoning']);
      expect(await omittedOf(asking('off'))).toEqual([]);
    });

    it('reports omitted reasoning once although the model’s rules omit several reasoning fields', async () => {
      first.always('*', replies({ text: 'a' }));
      router.replace([{ id: 'first', kind: 'openai', baseUrl: first.baseUrl, apiKey: null, options: { reasoningStyle: 'thinking' } }]);
      const none = { omit: [], fix: {} };
      const ruled = aModel({ reasoning: true, parameters: { always: { omit: ['thinking', 'reasoning_effort'], fix: {} }, withTools: none, withoutTools: none } });
      const stream = await router.open({ ...asking('low'), model: ruled });
      await readStream(stream);
      expect(stream.omitted).toEqual(['reasoning']);
    });

    describe('if the server refuses only the thinking of earlier turns', () => {
      const thinking = { type: 'thinking', text: 'Hm.', signature: null } as const;
      const goingOn = (reasoning: Reasoning) => callTo('first', {
        model: reasoner,
        request: aGenerationRequest({ reasoning, ...turns(says('a'), { role: 'assistant', content: [thinking, { type: 'text', text: 'b' }] }, says('c')) }),
      });
      const refusingThinking = (message: string): Behaviour => (request) =>
        (request.rawBody.includes('Hm.') ? answersStatus(400, { error: { message } }) : replies({ text: 'a' }))(request);

      it.each(['low', 'model-default'] as const)('omits the thinking and the reasoning field in a retry, and sends the field in the next request as before (reasoning: %s)', async (reasoning) => {
        first.always('*', refusingThinking('messages.1.content.0: Invalid `signature` in `thinking` block'));
        await asks(reasoning, 0, goingOn(reasoning));
        expect(efforts()).toEqual([reasoning === 'low' ? 'low' : undefined, undefined]);
        expect(first.requests[1]?.body['messages']).toEqual([{ role: 'user', content: 'a' }, { role: 'assistant', content: 'b' }, { role: 'user', content: 'c' }]);
        expect(first.requests).toHaveLength(2);
        await asks(reasoning);
        expect(efforts()[2]).toBe(reasoning === 'low' ? 'low' : undefined);
      });

      it('keeps the thinking in a retry if the refusal does not mention it', async () => {
        first.always('*', refusingThinking('no'));
        await expect(router.open(goingOn('low'))).rejects.toMatchObject({ reason: 'refused' });
        expect(first.requests.map(({ rawBody }) => rawBody.includes('Hm.'))).toEqual([true, true]);
        await expect(router.open(goingOn('model-default'))).rejects.toMatchObject({ reason: 'refused' });
        expect(first.requests).toHaveLength(3);
      });
    });

    it.each([400, 422])('fails if the retry without the field is refused too, and sends the field again in the next request (status %d)', async (status) => {
      first.always('*', answersStatus(status));
      await expect(router.open(asking('off'))).rejects.toMatchObject({ reason: 'refused' });
      await expect(router.open(asking('off'))).rejects.toMatchObject({ reason: 'refused' });
      expect(efforts()).toEqual(['none', undefined, 'none', undefined]);
      expect(refusals).toEqual([]);
    });

    it.each<[string, number, Reasoning, ProviderCall['model'], string]>([
      ['the status is 500', 500, 'off', reasoner, 'server-error'],
      ['the request has no such field', 400, 'model-default', reasoner, 'refused'],
      ['the model does not reason', 400, 'off', aModel(), 'refused'],
    ])('does not repeat a failed request if %s', async (_what, ...[status, reasoning, model, reason]) => {
      first.always('*', answersStatus(status));
      await expect(router.open({ ...asking(reasoning), model })).rejects.toMatchObject({ reason });
      expect(first.requests).toHaveLength(1);
    });

    it('sends a request only once if the prompt is too long', async () => {
      first.always('*', answersStatus(400, { error: { message: 'prompt is too long: 9 tokens > 8 maximum' } }));
      await expect(router.open(asking('off'))).rejects.toMatchObject({ reason: 'context-too-long' });
      expect(first.requests).toHaveLength(1);
    });
  });

  it('keeps the circuit of an upstream that a new catalogue leaves unchanged, and resets that of a changed one', async () => {
    first.always('*', resetsBeforeHeaders());
    await outcomes(...times(5, callTo('first')));
    await changesTold(1);
    router.replace([definition('first', first)]);
    expect(await outcomes(callTo('first'))).toEqual(['circuit-open']);
    router.replace([{ ...definition('first', first), apiKey: 'new' } as UpstreamDefinition]);
    expect(await outcomes(callTo('first'))).toEqual(['hung-up']);
  });
});
