import { describe, expect, it } from '@jest/globals';
import { aGenerationRequest, aModel, endStep, Gate, type ProviderStep, reported, textSteps, until, yielding } from '@tollgate/testkit';
import { AT_REST, GenerationWorld, readAll } from '../test-support/generation-world.js';
import type { AssistantTurn, Conversation } from './conversation.js';
import type { BlockEvent } from './generation-event.js';
import type { Reasoning } from './generation-request.js';
import { thinkingDisplay } from './open-with-fallback.js';
import { ThinkingFilter } from './thinking-filter.js';

const THINKING = { type: 'block-start', index: 0, block: { type: 'thinking' } } as const;

function piece(index: number, delta: string): BlockEvent {
  return { type: 'block-delta', index, delta };
}

function end(index: number): BlockEvent {
  return { type: 'block-end', index, signature: null };
}

/** One batch per thought, then one with the text. */
function thinkingThenText(...thoughts: readonly string[]): readonly ProviderStep[] {
  return [
    ...thoughts.map((thought, position) => yielding(...(position === 0 ? [THINKING] : []), piece(0, thought))),
    yielding(end(0), { type: 'block-start', index: 1, block: { type: 'text' } }, piece(1, 'text'), end(1)),
  ];
}

describe('the display of thinking', () => {
  it.each<readonly [reasoning: boolean, asked: Reasoning, shown: 'shown' | 'withheld']>([
    [true, 'model-default', 'shown'], [true, 'on', 'shown'], [true, 'low', 'shown'], [true, 'off', 'withheld'],
    [false, 'model-default', 'withheld'], [false, 'max', 'withheld'],
  ])('for a model declared as reasoning: %p, at a request with reasoning %s, is %s', (reasoning, asked, shown) => {
    expect(thinkingDisplay(aGenerationRequest({ reasoning: asked }), aModel({ reasoning }))).toBe(shown);
  });
});

describe('ThinkingFilter', () => {
  it('returns a batch without thinking unchanged', () => {
    const blocks: readonly BlockEvent[] = [{ type: 'block-start', index: 0, block: { type: 'text' } }, piece(0, 'a'), end(0)];
    const batch = { blocks, end: null };
    expect(new ThinkingFilter().apply(batch)).toBe(batch);
  });

  it('removes thinking wherever it is and however it is split, and renumbers the other blocks without gaps', () => {
    const events: readonly BlockEvent[] = [
      THINKING, piece(0, 'a'), end(0),
      { type: 'block-start', index: 1, block: { type: 'text' } }, piece(1, 'b'), end(1),
      { ...THINKING, index: 2 }, piece(2, 'c'), end(2),
      { type: 'block-start', index: 3, block: { type: 'tool-call', id: 'call_1', name: 'look' } }, piece(3, '{}'), end(3),
    ];
    for (let cut = 0; cut <= events.length; cut += 1) {
      const filter = new ThinkingFilter();
      const visible = [events.slice(0, cut), events.slice(cut)].flatMap((blocks) => filter.apply({ blocks, end: null }).blocks);
      expect(visible).toEqual([
        { type: 'block-start', index: 0, block: { type: 'text' } }, piece(0, 'b'), end(0),
        { type: 'block-start', index: 1, block: { type: 'tool-call', id: 'call_1', name: 'look' } }, piece(1, '{}'), end(1),
      ]);
    }
  });
});

describe('thinking that can be withheld', () => {
  async function streaming(steps: readonly ProviderStep[], reasoning = true) {
    const world = await GenerationWorld.create({ models: [aModel({ reasoning })] });
    world.provider.script('small', { steps });
    return world;
  }

  it.each([['off', true], ['high', false]] as const)('is withheld, charged and recorded for reasoning %s and a model declared as reasoning: %p', async (reasoning, reasons) => {
    const world = await streaming([...thinkingThenText('think', 'ing'), endStep(reported(5, 12))], reasons);
    const seen = await readAll(await world.generate({ request: { reasoning } }));
    expect(seen).toMatchObject({ how: 'ended', text: 'text' });
    const { usage, charge } = await world.onlyRecord();
    expect(usage).toMatchObject({ reasoningTokens: 8, visibleOutputTokens: 4, source: 'reported', reasoningWithheld: true });
    expect(charge.amount.toString()).toBe('29');
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('is withheld from a whole reply as well as from a stream', async () => {
    const world = await streaming([...thinkingThenText('think', 'ing'), endStep(null)]);
    const reply = await world.generateWhole({ request: { reasoning: 'off' } });
    expect(reply.blocks).toEqual([{ type: 'text', text: 'text' }]);
    expect(reply.usage).toMatchObject({ reasoningTokens: 8, visibleOutputTokens: 4, source: 'counted', reasoningWithheld: true });
  });

  it('is returned, and recorded as shown, if the request asks for it', async () => {
    const world = await streaming([...thinkingThenText('thinking'), endStep(reported(5, 12))]);
    expect((await readAll(await world.generate({ request: { reasoning: 'on' } }))).text).toBe('thinkingtext');
    expect((await world.onlyRecord()).usage).toMatchObject({ reasoningTokens: 8, reasoningWithheld: false });
  });

  it('is not recorded as withheld if the model did not think', async () => {
    const world = await streaming([...textSteps('abc'), endStep(null)]);
    await readAll(await world.generate({ request: { reasoning: 'off' } }));
    expect((await world.onlyRecord()).usage).toMatchObject({ reasoningTokens: 0, reasoningWithheld: false });
  });

  it('delays all events after the start of the reply until the text begins', async () => {
    const gate = new Gate();
    const steps = thinkingThenText('a', 'b', 'c');
    const world = await streaming([...steps.slice(0, 1), { type: 'wait', gate }, ...steps.slice(1), endStep(null)]);
    const { events } = await world.generate({ request: { reasoning: 'off' } });
    expect((await events.next()).value).toEqual([{ type: 'generation-start', servedBy: 'small', fallbackUsed: false, upstreamModel: expect.any(String) }]);
    const next = events.next();
    gate.open();
    expect((await next).value).toMatchObject([{ type: 'block-start', index: 0, block: { type: 'text' } }, { type: 'block-delta', delta: 'text' }, { type: 'block-end' }]);
  });

  it('counts as output: if the upstream then fails, no fallback is started', async () => {
    const world = await GenerationWorld.create({ models: [aModel({ reasoning: true, fallbacks: ['other' as never] }), aModel({ slug: 'other' as never })] });
    world.provider.script('small', { steps: [yielding(THINKING, piece(0, 'a')), { type: 'fail', failure: new Error('gone') }] });
    world.provider.script('other', { steps: [...textSteps('abc'), endStep(null)] });
    expect((await readAll(await world.generate({ request: { reasoning: 'off' } }))).how).toBe('broken-off');
    expect(await world.ending()).toEqual(['provider_failed', 'counted', '7']);
  });

  it('is charged to a client that disconnects', async () => {
    const world = await streaming([...thinkingThenText('think', 'ing').slice(0, 2), { type: 'hang' }]);
    const leaving = new AbortController();
    const { events } = await world.generate({ request: { reasoning: 'off' }, signal: leaving.signal });
    await events.next();
    const pending = events.next();
    await until(() => world.provider.streams[0]?.reads === 3);
    leaving.abort();
    await events.return();
    expect((await pending).done).toBe(true);
    expect(await world.ending()).toEqual(['client_left', 'counted', '21']);
    expect((await world.onlyRecord()).usage.reasoningWithheld).toBe(true);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('uses the reservation like visible output, and the reply ends without output if the balance is used up', async () => {
    const world = await GenerationWorld.create({ balance: '8207', models: [aModel({ reasoning: true })] });
    world.provider.script('small', { steps: [yielding(THINKING, piece(0, 'a')), yielding(piece(0, 'b'.repeat(5000))), ...thinkingThenText('c').slice(1), endStep(null)] });
    const seen = await readAll(await world.generate({ request: { reasoning: 'off' } }));
    expect(seen).toMatchObject({ how: 'ended', text: '' });
    expect(seen.batches.flat().map(({ type }) => type)).toEqual(['generation-start', 'generation-end']);
    expect(await world.ending()).toEqual(['balance_exhausted', 'counted', '8197']);
  });
});

describe('thinking that is sent back to a model', () => {
  const thinking = (signedBy?: string) => ({ type: 'thinking', text: 'so', signature: 'signed', ...(signedBy === undefined ? {} : { signedBy }) }) as const;
  const conversationOf = (content: AssistantTurn['content']): Conversation => ({
    system: [], turns: [{ role: 'user', content: [{ type: 'text', text: 'q' }] }, { role: 'assistant', content }, { role: 'user', content: [{ type: 'text', text: 'r' }] }],
  });

  it('loses the signature of another model and keeps the text', async () => {
    const world = await GenerationWorld.create();
    world.provider.script('small', { steps: [...textSteps('abc'), endStep(null)] });
    await readAll(await world.generate({ request: { conversation: conversationOf([thinking('another-model'), { type: 'text', text: 'answer' }]) } }));
    const sent = world.provider.calls[0]?.request.conversation.turns[1]?.content;
    expect(sent).toEqual([{ ...thinking('another-model'), signature: null }, { type: 'text', text: 'answer' }]);
  });

  it('keeps a signature by the same or an unknown model', async () => {
    const world = await GenerationWorld.create();
    world.provider.script('small', { steps: [...textSteps('abc'), endStep(null)] });
    const { upstreamModel } = world.catalogue.current().models[0]?.targets[0] ?? {};
    const conversation = conversationOf([thinking(upstreamModel), thinking()]);
    await readAll(await world.generate({ request: { conversation } }));
    expect(world.provider.calls[0]?.request.conversation).toBe(conversation);
  });
});
