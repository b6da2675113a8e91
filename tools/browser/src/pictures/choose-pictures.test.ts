import { describe, expect, it } from '@jest/globals';
import { type Choice, choosePictures, drawPictures } from './choose-pictures.js';
import { ALL_LOOKS, NARROW_LOOKS, ONE_LOOK, pictureName, picturesOf, type State } from './state.js';

const STATES: readonly State[] = [
  { name: 'overview', viewer: 'owner', path: '/overview', looks: ALL_LOOKS },
  { name: 'account-plan', viewer: 'owner', path: '/account?tab=plan', looks: ONE_LOOK },
  { name: 'drawer', viewer: 'owner', path: '/overview', looks: NARROW_LOOKS, isNarrow: true },
];

function namesOf(choice: Partial<Choice>): readonly string[] {
  return choosePictures(STATES, { only: [], schemes: null, widths: null, ...choice }).map(pictureName);
}

describe('a choice of pictures', () => {
  it('has the default schemes and widths of each state unless others are chosen', () => {
    expect(namesOf({})).toEqual(['overview-light-1280', 'overview-light-390', 'overview-dark-1280', 'overview-dark-390', 'account-plan-light-1280', 'drawer-light-390', 'drawer-dark-390']);
  });

  it('has every state in the chosen schemes and widths, but a state of narrow windows in no wide picture', () => {
    expect(namesOf({ widths: [1920, 390], schemes: ['dark'] })).toEqual(['overview-dark-1920', 'overview-dark-390', 'account-plan-dark-1920', 'account-plan-dark-390', 'drawer-dark-390']);
    expect(namesOf({ schemes: ['light'] })).toEqual(['overview-light-1280', 'overview-light-390', 'account-plan-light-1280', 'account-plan-light-390', 'drawer-light-390']);
    expect(namesOf({ widths: [1920] })).toEqual(['overview-light-1920', 'overview-dark-1920', 'account-plan-light-1920', 'account-plan-dark-1920']);
  });

  it('can be limited to pictures whose names contain one of the given parts', () => {
    expect(namesOf({ only: ['plan', 'overview-dark-3'] })).toEqual(['overview-dark-390', 'account-plan-light-1280']);
  });
});

describe('a random sample of pictures', () => {
  const pictures = picturesOf(Array.from({ length: 100 }, (_, index) => ({ name: `page-${index}`, viewer: 'owner', path: '/', looks: ONE_LOOK })));
  const drawn = (count: number, seed: string, from = pictures): readonly string[] => drawPictures(from, count, seed).map(pictureName);

  it('has the given number of different pictures in their usual order, or all if there are fewer', () => {
    const names = drawn(20, 'a');
    expect(new Set(names).size).toBe(20);
    expect(names).toEqual(pictures.map(pictureName).filter((name) => names.includes(name)));
    expect(drawn(200, 'a')).toHaveLength(100);
  });

  it('is the same for the same seed, and different for another seed', () => {
    expect(drawn(20, 'a')).toEqual(drawn(20, 'a'));
    expect(drawn(20, 'a')).not.toEqual(drawn(20, 'b'));
  });

  it('contains each smaller sample of the same seed, and loses at most one picture if a state is added', () => {
    expect(drawn(30, 'a')).toEqual(expect.arrayContaining([...drawn(20, 'a')]));
    const before = drawn(20, 'a');
    const after = drawn(20, 'a', [...picturesOf([{ name: 'new', viewer: 'owner', path: '/', looks: ONE_LOOK }]), ...pictures]);
    expect(before.filter((name) => !after.includes(name)).length).toBeLessThanOrEqual(1);
  });
});
