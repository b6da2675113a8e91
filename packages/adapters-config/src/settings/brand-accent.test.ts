import { describe, expect, it } from '@jest/globals';
import { accentProblem, accentTones, contrastOf } from './brand-accent.js';

/** All colours whose channels are multiples of 51. */
const COLOURS = [0, 51, 102, 153, 204, 255].flatMap((red) => [0, 51, 102, 153, 204, 255].flatMap((green) => [0, 51, 102, 153, 204, 255].map((blue) => (
  `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
))));

it.each([['#000000', '#ffffff', 21], ['#ffffff', '#ffffff', 1], ['#767676', '#ffffff', 4.54], ['#2b54d9', '#ffffff', 6.23]])('the contrast of %s and %s is about %d', (one, other, ratio) => {
  expect(contrastOf(one, other)).toBeCloseTo(ratio, 1);
  expect(contrastOf(other, one)).toBe(contrastOf(one, other));
});

describe('an accent', () => {
  it.each([
    ['#ffd500', 'has a contrast of 1.43:1 with the page in the light scheme; at least 3:1 is needed in both'],
    ['#101040', 'has a contrast of 1.00:1 with the page in the dark scheme; at least 3:1 is needed in both'],
  ])('%s is refused with an error that states the contrast ratio', (accent, problem) => {
    expect(accentProblem(accent)?.replace(/\d\.\d\d/, '')).toBe(problem.replace(/\d\.\d\d/, ''));
  });

  it.each(['#d9480f', '#0b7285', '#7048e8', '#c2255c', '#3b6ff5'])('%s is accepted', (accent) => {
    expect(accentProblem(accent)).toBeNull();
  });

  it('that is accepted gives readable texts in the light and the dark scheme', () => {
    const accepted = COLOURS.filter((colour) => accentProblem(colour) === null);
    expect(accepted.length).toBeGreaterThan(20);
    for (const accent of accepted) {
      for (const [page, { fill, fillHover, onFill, text, tint }] of [['#ffffff', accentTones(accent).light], ['#14171c', accentTones(accent).dark]] as const) {
        const contrasts = [contrastOf(onFill, fill), contrastOf(onFill, fillHover), contrastOf(text, page), contrastOf(text, tint)];
        expect({ accent, page, isReadable: contrasts.every((ratio) => ratio >= 4.5), isTinted: tint !== page }).toEqual({ accent, page, isReadable: true, isTinted: true });
      }
    }
  });
});
