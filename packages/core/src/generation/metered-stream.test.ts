import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { aModel, reported, yielding } from '@tollgate/testkit';
import { type BlockEvent, outputTokensOf, type ProviderEvent, tokenCount } from '../index.js';
import { AT_REST, GenerationWorld, readAll } from '../test-support/generation-world.js';

const NAME = 'look';

interface ReplyPlan {
  readonly blocks: readonly { readonly type: 'thinking' | 'text' | 'tool-call'; readonly pieces: readonly string[] }[];
  /** Indexes of the events before which a new batch begins. */
  readonly cuts: readonly number[];
  readonly endsApart: boolean;
  readonly maximum: number;
  readonly stated: number | null;
  readonly enforcesMaxTokens: boolean;
  readonly delivery: 'stream' | 'whole';
  readonly thinking: 'shown' | 'withheld';
}

const PLANS: fc.Arbitrary<ReplyPlan> = fc.record({
  blocks: fc.array(fc.record({
    type: fc.constantFrom('thinking', 'text', 'tool-call'),
    pieces: fc.array(fc.integer({ min: 1, max: 400 }).map((length) => 'abcdefghij'.repeat(40).slice(0, length)), { maxLength: 4 }),
  }), { maxLength: 4 }),
  cuts: fc.array(fc.nat(20), { maxLength: 6 }),
  endsApart: fc.boolean(),
  maximum: fc.integer({ min: 1, max: 300 }),
  stated: fc.option(fc.integer({ min: 0, max: 2_000 })),
  enforcesMaxTokens: fc.boolean(),
  delivery: fc.constantFrom('stream', 'whole'),
  thinking: fc.constantFrom('shown', 'withheld'),
});

function eventsOf({ blocks }: ReplyPlan): readonly BlockEvent[] {
  return blocks.flatMap(({ type, pieces }, index): readonly BlockEvent[] => [
    { type: 'block-start', index, block: type === 'tool-call' ? { type, id: `call_${index}`, name: NAME } : { type } },
    ...pieces.map((delta): BlockEvent => ({ type: 'block-delta', index, delta })),
    { type: 'block-end', index, signature: null },
  ]);
}

function batchesOf(plan: ReplyPlan): readonly (readonly ProviderEvent[])[] {
  const events = eventsOf(plan);
  const places = [...new Set([0, ...plan.cuts.filter((cut) => cut < events.length), events.length])].toSorted((a, b) => a - b);
  const batches: (readonly ProviderEvent[])[] = places.slice(1).map((to, position) => events.slice(places[position], to));
  const end: ProviderEvent = { type: 'provider-end', stopReason: 'end', usage: plan.stated === null ? null : reported(5, plan.stated) };
  const last = plan.endsApart ? undefined : batches.pop();
  return [...batches, [...last ?? [], end]];
}

/** Text of the blocks that the client sees. */
function textOf(events: readonly { readonly type: string }[], { thinking }: ReplyPlan): string {
  let isHidden = false;
  return (events as readonly BlockEvent[]).map((event) => {
    if (event.type === 'block-start') isHidden = thinking === 'withheld' && event.block.type === 'thinking';
    return event.type === 'block-delta' && !isHidden ? event.delta : '';
  }).join('');
}

/** What to expect of a plan; a character, even of a name, is one token. */
function expectedOf(plan: ReplyPlan) {
  const { blocks, maximum, stated, enforcesMaxTokens } = plan;
  const counted = blocks.reduce((sum, { type, pieces }) => sum + (type === 'tool-call' ? NAME.length : 0) + pieces.join('').length, 0);
  const charged = Math.min(counted, maximum);
  const canBeTrue = stated !== null && (counted === 0 || stated > 0) && (charged < 64 || stated >= charged / 8);
  return {
    counted,
    hasRunAway: counted > (enforcesMaxTokens ? 4 * maximum + 1_024 : Math.floor(1.5 * maximum) + 64),
    report: !canBeTrue ? 'none' : stated * 100 <= maximum * 102 ? 'within' : 'above',
    // Reported output above the maximum is cut in proportion to the count.
    clippedLength: Math.floor(maximum * Math.max(1, counted / (stated ?? 1))),
  } as const;
}

describe('a reply of any length, however it arrives', () => {
  it('is cut only if it is reported above the maximum or runs far beyond it, and is never charged above the maximum', async () => {
    await fc.assert(fc.asyncProperty(PLANS, async (plan) => {
      const { delivery, maximum, stated, thinking } = plan;
      const world = await GenerationWorld.create({ balance: '1000000', models: [aModel({ enforcesMaxTokens: plan.enforcesMaxTokens, reasoning: true })] });
      const batches = batchesOf(plan);
      world.provider.script('small', { steps: batches.map((batch) => yielding(...batch)) });
      const seen = await readAll(await world.generate({ delivery, request: { maxOutputTokens: tokenCount(maximum), reasoning: thinking === 'shown' ? 'on' : 'off' } }));
      const [all, got] = [textOf(eventsOf(plan), plan), textOf(seen.batches.flat(), plan)];
      const { counted, hasRunAway, report, clippedLength } = expectedOf(plan);
      const { usage, reason } = await world.onlyRecord();
      const output = outputTokensOf(usage);
      const isClipped = got !== all;
      expect([seen.how, all.startsWith(got), output <= maximum]).toEqual(['ended', true, true]);
      expect(isClipped && !hasRunAway && report !== 'above').toBe(false);
      const isReported = usage.source === 'reported' && output === Math.min(stated ?? 0, maximum);
      expect(report !== 'within' || hasRunAway || isReported).toBe(true);
      const last = seen.batches.flat().at(-1);
      const endsAtMaximum = last?.type === 'generation-end' && last.stopReason === 'max-tokens' && output === maximum;
      expect(!isClipped || endsAtMaximum).toBe(true);
      const isShare = Math.abs(got.length - Math.min(all.length, clippedLength)) <= 1;
      expect(batches.length > 1 || report !== 'above' || counted > all.length || isShare).toBe(true);
      expect(reason === 'empty').toBe(plan.blocks.length === 0 && output === 0);
      expect(await world.atRest()).toEqual(AT_REST);
    }), { numRuns: 400 });
  });

  it('is delivered in full, although the reported usage exceeds the maximum, if the report’s total is wrong', async () => {
    const world = await GenerationWorld.create({ balance: '1000000', models: [aModel()] });
    const text = 'abcdefghij'.repeat(50);
    const end: ProviderEvent = { type: 'provider-end', stopReason: 'end', usage: { ...reported(5, 2_000), totalTokens: 1 } };
    world.provider.script('small', { steps: [yielding({ type: 'block-start', index: 0, block: { type: 'text' } }, { type: 'block-delta', index: 0, delta: text }, { type: 'block-end', index: 0, signature: null }, end)] });
    const { batches } = await readAll(await world.generate({ request: { maxOutputTokens: tokenCount(300) } }));
    expect(batches.flat()).toContainEqual({ type: 'block-delta', index: 0, delta: text });
    expect(batches.flat().at(-1)).toMatchObject({ type: 'generation-end', stopReason: 'end', usage: { source: 'counted', visibleOutputTokens: 300 } });
  });
});
