import { describe, expect, it } from '@jest/globals';
import { type CatalogueContents, instant, type ModelSlug, parseTokenRate, ServiceTokens } from '@tollgate/core';
import { aModel, catalogueSourceContract, clockContract, idGeneratorContract } from '@tollgate/testkit';
import { ManualClock } from './manual-clock.js';
import { SequentialIds } from './sequential-ids.js';
import { StaticCatalogue } from './static-catalogue.js';

clockContract('manual', () => {
  const clock = new ManualClock();
  return { clock, pass: (milliseconds) => clock.advance(milliseconds) };
});

clockContract('manual', () => {
  const clock = new ManualClock();
  return { clock, pass: (milliseconds) => clock.advance(milliseconds) };
});

describe('ManualClock', () => {
  it('stands still until advanced', () => {
    const clock = new ManualClock(instant(1_000));
    expect(clock.now()).toBe(1_000);
    clock.advance(250);
    expect(clock.now()).toBe(1_250);
  });

  it('runs due tasks in the order of their times, and those of equal times in the order of scheduling', () => {
    const clock = new ManualClock(instant(0));
    const seen: string[] = [];
    for (const [name, delay] of [['c', 30], ['a', 10], ['b1', 20], ['b2', 20], ['late', 31]] as const) {
      clock.schedule(delay, () => seen.push(`${name}@${clock.now()}`));
    }
    clock.advance(30);
    expect(seen).toEqual(['a@10', 'b1@20', 'b2@20', 'c@30']);
    expect(clock.pendingTasks).toBe(1);
  });

  it('runs tasks that other tasks schedule during the same advance', () => {
    const clock = new ManualClock(instant(0));
    const ticks: number[] = [];
    const tick = (): void => {
      ticks.push(clock.now());
      clock.schedule(10, tick);
    };
    clock.schedule(10, tick);
    clock.advance(35);
    expect(ticks).toEqual([10, 20, 30]);
    expect(clock.now()).toBe(35);
  });

  it('lets the promises of a task settle before advanceAsync runs the next task', async () => {
    const clock = new ManualClock(instant(0));
    const seen: string[] = [];
    clock.schedule(10, () => {
      void Promise.resolve().then(() => Promise.resolve()).then(() => seen.push(`promise@${clock.now()}`));
    });
    clock.schedule(20, () => seen.push('task@20'));
    await clock.advanceAsync(20);
    expect(seen).toEqual(['promise@10', 'task@20']);
  });

  it('refuses to advance by a negative time, but can be set to an earlier time', () => {
    const clock = new ManualClock(instant(100));
    expect(() => clock.advance(-1)).toThrow('time only advances');
    clock.set(instant(40));
    expect(clock.now()).toBe(40);
  });
});

idGeneratorContract('sequential', () => new SequentialIds());

function contentsOf(model: string): CatalogueContents {
  return { models: [aModel({ slug: model as ModelSlug })], plans: [], usdPerServiceToken: parseTokenRate('1'), minimumReservation: ServiceTokens.ZERO };
}

catalogueSourceContract('static', (model) => {
  const source = new StaticCatalogue(contentsOf(model));
  return { source, replace: (next) => source.replace(contentsOf(next)) };
});
