import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import type { AccountId, ProviderStream } from '@tollgate/core';
import { answersStatus, Gate, replies, type ScriptedUpstream, startScriptedUpstream, until } from '@tollgate/testkit';
import { UpstreamRouter } from '../routing/upstream-router.js';
import { aCall, readStream, says, turns } from '../test-support/calls.js';

const FIRST_BYTE_MILLISECONDS = 60_000;

describe('calls to an upstream with a limited number of connections', () => {
  let upstream: ScriptedUpstream;
  let clock: ManualClock;
  let router: UpstreamRouter;
  let failures: string[];
  let probes: string[];
  /** Gates that hold the replies, one per received request, in order. */
  let gates: Gate[];

  beforeEach(async () => {
    upstream = await startScriptedUpstream();
    [clock, failures, probes, gates] = [new ManualClock(), [], [], []];
    upstream.always('*', (request) => {
      const gate = new Gate();
      gates.push(gate);
      return replies({ text: 'a' }, { pauses: [{ before: 'headers', gate }] })(request);
    });
  });
  afterEach(async () => {
    await upstream.close();
    await router.close();
  });

  function bound(maxConnections: number): void {
    router = new UpstreamRouter([{ id: 'main', kind: 'openai', baseUrl: upstream.baseUrl, apiKey: null, options: { maxConnections } }], {
      clock,
      ids: new SequentialIds(),
      report: {
        failed: ({ failure }) => { failures.push(failure.reason); },
        probed: (_facts, outcome) => { probes.push(outcome); },
        answered: () => undefined, noticed: () => undefined, circuitChanged: () => undefined,
      },
    });
  }

  function open(account: string, { upstreamModel = 'm', signal = new AbortController().signal } = {}): Promise<ProviderStream> {
    return router.open(aCall({ accountId: account as AccountId, request: turns(says(account)), target: { upstreamId: 'main', upstreamModel }, signal }));
  }

  /** Resolves to `served`, or to the failure's reason. */
  function outcomeOf(stream: Promise<ProviderStream>): Promise<string> {
    return stream.then(readStream).then(() => 'served', ({ reason }: { reason: string }) => reason);
  }

  /** The accounts of the requests that reached the upstream, in order. */
  function received(): readonly string[] {
    return upstream.requests.map(({ rawBody }) => /"content":"(\w+)"/.exec(rawBody)?.[1] ?? '');
  }

  /** Opens the first `count` gates as their requests arrive. */
  async function letThrough(count: number): Promise<void> {
    for (let opened = 0; opened < count; opened += 1) {
      await until(() => gates.length > opened);
      gates[opened]?.open();
    }
  }

  /** Takes a connection by a reply that does not end. */
  async function occupy(account: string): Promise<ProviderStream> {
    upstream.script('other', replies({ text: ['a', 'b'] }, { pauses: [{ before: 2, gate: new Gate() }] }));
    const stream = await open(account, { upstreamModel: 'other' });
    await stream.next();
    return stream;
  }

  it('leave a quarter of the connections to accounts without running calls', async () => {
    bound(8);
    const calls = Array.from({ length: 20 }, () => outcomeOf(open('busy')));
    await until(() => gates.length === 6);
    calls.push(...['one', 'two', 'three'].map((account) => outcomeOf(open(account))));
    await until(() => gates.length === 8);
    expect(received().slice(6).toSorted()).toEqual(['one', 'two']);
    await letThrough(calls.length);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['served']));
    expect(received()[8]).toBe('three');
  });

  it('take turns by account', async () => {
    bound(1);
    const calls = ['one', 'one', 'one', 'two', 'three'].map((account) => outcomeOf(open(account)));
    await letThrough(calls.length);
    await Promise.all(calls);
    expect(received()).toEqual(['one', 'two', 'three', 'one', 'one']);
  });

  it('wait for a connection up to the first-byte timeout, and then fail without counting as failures of the server', async () => {
    bound(2);
    const streams = [await occupy('one'), await occupy('two')];
    const waiting = ['one', 'one', 'one', 'two', 'two', 'two', 'three'].map((account) => outcomeOf(open(account)));
    let ended = 0;
    for (const outcome of waiting) void outcome.then(() => { ended += 1; });
    await clock.advanceAsync(FIRST_BYTE_MILLISECONDS - 1);
    expect(ended).toBe(0);
    await clock.advanceAsync(1);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'no-free-connection'));
    expect(failures).toEqual(waiting.map(() => 'no-free-connection'));
    expect([router.circuits().map(({ state }) => state), probes]).toEqual([['closed', 'closed'], []]);
    for (const stream of streams) await stream.return();
  });

  it('stop waiting when their client disconnects', async () => {
    bound(1);
    const leaving = new AbortController();
    const calls = [outcomeOf(open('one')), outcomeOf(open('two', { signal: leaving.signal })), outcomeOf(open('three'))];
    await until(() => gates.length === 1);
    leaving.abort();
    expect(await calls[1]).toBe('cancelled');
    expect(await outcomeOf(open('four', { signal: leaving.signal }))).toBe('cancelled');
    expect(failures).toEqual([]);
    await letThrough(2);
    expect(await Promise.all(calls)).toEqual(['served', 'cancelled', 'served']);
    expect(received()).toEqual(['one', 'three']);
    expect(clock.pendingTasks).toBe(0);
  });

  it('return their connection exactly once, even if the client disconnects before the call is sent', async () => {
    bound(1);
    expect(await outcomeOf(open('one', { signal: AbortSignal.abort() }))).toBe('cancelled');
    const calls = [outcomeOf(open('one')), outcomeOf(open('two'))];
    await until(() => gates.length === 1);
    // In the pool's own queue, the call would have exceeded the connect timeout by now.
    await clock.advanceAsync(FIRST_BYTE_MILLISECONDS / 2);
    await letThrough(2);
    expect(await Promise.all(calls)).toEqual(['served', 'served']);
  });

  it('that the gateway itself makes do not wait for a connection, and change no circuit if none is free', async () => {
    bound(2);
    const streams = [await occupy('one')];
    upstream.always('*', answersStatus(503));
    for (const account of ['one', 'one', 'one', 'two', 'two']) await outcomeOf(open(account === 'one' ? 'four' : account));
    const states = (): readonly string[] => router.circuits().filter(({ upstreamModel }) => upstreamModel === 'm').map(({ state }) => state);
    expect(states()).toEqual(['open']);
    streams.push(await occupy('three'));
    await clock.advanceAsync(10_000);
    const trying = outcomeOf(open('two'));
    await clock.advanceAsync(FIRST_BYTE_MILLISECONDS);
    expect(await trying).toBe('no-free-connection');
    await until(() => probes.length === 1);
    expect([probes, states()]).toEqual([['given-up'], ['open']]);
    for (const stream of streams) await stream.return();
    upstream.always('*', replies({ text: 'a' }));
    expect(await outcomeOf(open('two'))).toBe('served');
    expect(states()).toEqual(['closed']);
  });

  it('are completed before the connections close, even those that are still waiting', async () => {
    bound(1);
    const calls = [outcomeOf(open('one')), outcomeOf(open('two'))];
    await until(() => gates.length === 1);
    const closing = router.close();
    await letThrough(2);
    expect(await Promise.all(calls)).toEqual(['served', 'served']);
    await closing;
  });
});
