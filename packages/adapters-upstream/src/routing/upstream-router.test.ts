import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import type { ProviderCall, Reasoning } from '@tollgate/core';
import { aGenerationRequest, aModel, answersStatus, type Behaviour, Gate, replies, type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import type { ReasoningRefusal } from '../http/reasoning-refusals.js';
import { aCall } from '../test-support/a-call.js';
import { readStream } from '../test-support/read-stream.js';
import type { UpstreamDefinition } from '../upstream-definition.js';
import { UpstreamRouter } from './upstream-router.js';

describe('UpstreamRouter', () => {
  let first: ScriptedUpstream;
  let second: ScriptedUpstream;
  let clock: ManualClock;
  let router: UpstreamRouter;
  let refusals: ReasoningRefusal[];

  const definition = (id: string, upstream: ScriptedUpstream): UpstreamDefinition => ({ id, kind: 'openai', baseUrl: upstream.baseUrl, apiKey: null });
  const callTo = (upstreamId: string, changes: Partial<ProviderCall> = {}): ProviderCall => ({ ...aCall(), target: { upstreamId, upstreamModel: 'scripted-model' }, ...changes });

  beforeEach(async () => {
    [first, second] = await Promise.all([startScriptedUpstream(), startScriptedUpstream()]);
    clock = new ManualClock();
    router = new UpstreamRouter([definition('first', first), definition('second', second), { id: 'sandbox', kind: 'sandbox' }], { clock, ids: new SequentialIds(), onReasoningRefused: (refusal) => void refusals.push(refusal) });
    refusals = [];
  });
  afterEach(async () => {
    await Promise.all([first.close(), second.close()]);
    await router.close();
  });

  it('sends a call to the upstream it names', async () => {
    await readStream(await router.open(callTo('second')));
    expect([first.requests.length, second.requests.length]).toEqual([0, 1]);
    const simulated = await readStream(await router.open(callTo('sandbox')));
    expect(JSON.stringify(simulated.blocks)).toContain('simulated');
  });

  it('fails for an upstream that nobody set up', async () => {
    await expect(router.open(callTo('third'))).rejects.toMatchObject({ kind: 'unavailable', reason: 'not-configured' });
  });

  it('gives an upstream that failed five times a rest of ten seconds, and no other upstream', async () => {
    first.always('*', answersStatus(500));
    for (let count = 0; count < 5; count += 1) await expect(router.open(callTo('first'))).rejects.toMatchObject({ reason: 'server-error' });
    clock.advance(2_500);
    await expect(router.open(callTo('first'))).rejects.toMatchObject({ kind: 'unavailable', reason: 'circuit-open', retryAfterSeconds: 8 });
    expect(first.requests).toHaveLength(5);
    await readStream(await router.open(callTo('second')));
    clock.advance(7_500);
    first.always('*', replies({ text: 'a' }));
    expect((await readStream(await router.open(callTo('first')))).blocks).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('lets a running call end after its upstream was replaced, and then closes the connections', async () => {
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

    it('asks once more without it, and not again until the catalogue changes', async () => {
      first.always('*', refusing('low'));
      for (let count = 0; count < 3; count += 1) expect((await readStream(await router.open(asking('low')))).blocks).toEqual([{ type: 'text', text: 'a' }]);
      expect(efforts()).toEqual(['low', undefined, undefined, undefined]);
      expect(refusals).toEqual([{ upstream: 'first', model: 'scripted-model', reasoning: 'low' }]);
      router.replace([definition('first', first)]);
      await readStream(await router.open(asking('low')));
      expect(efforts().slice(4)).toEqual(['low', undefined]);
      expect(refusals).toHaveLength(2);
    });

    it('still turns reasoning off where it is a level that is refused, and at other models', async () => {
      first.always('*', refusing('low'));
      await readStream(await router.open(asking('low')));
      await readStream(await router.open(asking('off')));
      await readStream(await router.open({ ...asking('low'), target: { upstreamId: 'first', upstreamModel: 'other' } }));
      expect(efforts()).toEqual(['low', undefined, 'none', 'low', undefined]);
    });

    it.each([400, 422])('says what the server says to the request without it, and remembers nothing (%d)', async (status) => {
      first.always('*', answersStatus(status));
      await expect(router.open(asking('off'))).rejects.toMatchObject({ reason: 'refused' });
      await expect(router.open(asking('off'))).rejects.toMatchObject({ reason: 'refused' });
      expect(efforts()).toEqual(['none', undefined, 'none', undefined]);
      expect(refusals).toEqual([]);
    });

    it.each<[string, number, Reasoning, ProviderCall['model'], string]>([
      ['another status', 500, 'off', reasoner, 'server-error'],
      ['a request without such a field', 400, 'model-default', reasoner, 'refused'],
      ['a model that does not reason', 400, 'off', aModel(), 'refused'],
    ])('asks once only after %s', async (_what, ...[status, reasoning, model, reason]) => {
      first.always('*', answersStatus(status));
      await expect(router.open({ ...asking(reasoning), model })).rejects.toMatchObject({ reason });
      expect(first.requests).toHaveLength(1);
    });

    it('asks once only where the prompt is too long', async () => {
      first.always('*', answersStatus(400, { error: { message: 'prompt is too long: 9 tokens > 8 maximum' } }));
      await expect(router.open(asking('off'))).rejects.toMatchObject({ reason: 'context-too-long' });
      expect(first.requests).toHaveLength(1);
    });
  });

  it('keeps the circuit and the connections of an upstream whose definition stays', async () => {
    first.always('*', answersStatus(500));
    for (let count = 0; count < 5; count += 1) await expect(router.open(callTo('first'))).rejects.toMatchObject({ reason: 'server-error' });
    router.replace([definition('first', first)]);
    await expect(router.open(callTo('first'))).rejects.toMatchObject({ reason: 'circuit-open' });
    router.replace([{ ...definition('first', first), apiKey: 'new' } as UpstreamDefinition]);
    await expect(router.open(callTo('first'))).rejects.toMatchObject({ reason: 'server-error' });
  });
});
