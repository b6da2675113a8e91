import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { aCall } from '../test-support/calls.js';
import { UpstreamFailure } from '../upstream-failure.js';
import { Circuits } from './circuits.js';

const MOST = 1_000;

function aSet(): { readonly circuits: Circuits; readonly clock: ManualClock; readonly open: (model: string) => void; readonly fill: (from: number, to: number) => void } {
  const clock = new ManualClock();
  const circuits = new Circuits({ clock, probe: () => Promise.resolve('answered'), changed: () => undefined });
  const open = (model: string): void => {
    for (let count = 0; count < 5; count += 1) circuits.of(model).begin(aCall())?.failed(new UpstreamFailure('connect-failed', 'no'));
  };
  const fill = (from: number, to: number): void => {
    for (let model = from; model < to; model += 1) circuits.of(`m${model}`);
  };
  return { circuits, clock, open, fill };
}

it('keeps one circuit for each model', () => {
  const { circuits, open } = aSet();
  open('m1');
  expect([circuits.of('m1').state, circuits.of('m2').state]).toEqual(['open', 'closed']);
  expect(circuits.states()).toEqual([['m1', 'open'], ['m2', 'closed']]);
});

it('holds a thousand at most: those that know nothing go first', () => {
  const { circuits, open, fill } = aSet();
  open('m0');
  fill(1, MOST + 1);
  expect(circuits.states()).toEqual([['m0', 'open'], [`m${MOST}`, 'closed']]);
});

it('drops the oldest where all of them know something', () => {
  const { circuits, open } = aSet();
  for (let model = 0; model <= MOST; model += 1) open(`m${model}`);
  expect(circuits.states()).toHaveLength(MOST);
  expect(circuits.of('m0').state).toBe('closed');
});
