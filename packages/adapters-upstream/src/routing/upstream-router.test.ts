import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import type { ProviderCall } from '@tollgate/core';
import { answersStatus, Gate, replies, type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import { aCall } from '../test-support/a-call.js';
import { readStream } from '../test-support/read-stream.js';
import type { UpstreamDefinition } from '../upstream-definition.js';
import { UpstreamRouter } from './upstream-router.js';

describe('UpstreamRouter', () => {
  let first: ScriptedUpstream;
  let second: ScriptedUpstream;
  let clock: ManualClock;
  let router: UpstreamRouter;

  const definition = (id: string, upstream: ScriptedUpstream): UpstreamDefinition => ({ id, kind: 'openai', baseUrl: upstream.baseUrl, apiKey: null });
  const callTo = (upstreamId: string, changes: Partial<ProviderCall> = {}): ProviderCall => ({ ...aCall(), target: { upstreamId, upstreamModel: 'scripted-model' }, ...changes });

  beforeEach(async () => {
    [first, second] = await Promise.all([startScriptedUpstream(), startScriptedUpstream()]);
    clock = new ManualClock();
    router = new UpstreamRouter([definition('first', first), definition('second', second), { id: 'sandbox', kind: 'sandbox' }], { clock, ids: new SequentialIds() });
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

  it('keeps the circuit and the connections of an upstream whose definition stays', async () => {
    first.always('*', answersStatus(500));
    for (let count = 0; count < 5; count += 1) await expect(router.open(callTo('first'))).rejects.toMatchObject({ reason: 'server-error' });
    router.replace([definition('first', first)]);
    await expect(router.open(callTo('first'))).rejects.toMatchObject({ reason: 'circuit-open' });
    router.replace([{ ...definition('first', first), apiKey: 'new' } as UpstreamDefinition]);
    await expect(router.open(callTo('first'))).rejects.toMatchObject({ reason: 'server-error' });
  });
});
