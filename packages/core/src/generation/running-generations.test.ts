import { describe, expect, it } from '@jest/globals';
import { endStep, Gate, reported, textSteps } from '@tollgate/testkit';
import { GenerationWorld, readAll } from '../test-support/generation-world.js';

describe('running generations', () => {
  it('report the prompt and the delivered output only between the acceptance by an upstream and their end', async () => {
    const world = await GenerationWorld.create();
    const [accepts, ends] = [new Gate(), new Gate()];
    world.provider.script('small', { opensAfter: accepts, steps: [...textSteps('abc', 'de'), { type: 'wait', gate: ends }, endStep(reported(5, 5))] });
    const sizes = () => [...world.running.progress().values()].map(({ usage }) => [usage.uncachedPromptTokens, usage.visibleOutputTokens, usage.source]);
    const pending = world.generate();
    await world.clock.advanceAsync(0);
    expect([world.running.size, sizes()]).toEqual([1, []]);
    accepts.open();
    const generation = await pending;
    expect(sizes()).toEqual([[5, 3, 'counted']]);
    const reading = readAll(generation);
    await world.clock.advanceAsync(0);
    expect(sizes()).toEqual([[5, 5, 'counted']]);
    ends.open();
    await reading;
    expect([world.running.size, sizes()]).toEqual([0, []]);
  });

  it('report only the prompt for a whole reply, since no output has been delivered', async () => {
    const world = await GenerationWorld.create();
    const ends = new Gate();
    world.provider.script('small', { steps: [...textSteps('abc'), { type: 'wait', gate: ends }, endStep(reported(5, 3))] });
    const pending = world.generateWhole();
    await world.clock.advanceAsync(0);
    expect([...world.running.progress().values()].map(({ usage }) => [usage.uncachedPromptTokens, usage.visibleOutputTokens])).toEqual([[5, 0]]);
    ends.open();
    await pending;
    expect(await world.ending()).toEqual(['completed', 'reported', '11']);
  });
});
