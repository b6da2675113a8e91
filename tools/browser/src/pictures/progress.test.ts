import { expect, it } from '@jest/globals';
import { progressLine } from './progress.js';

it.each([
  [1, 200, 1_000, '1 of 200'],
  [10, 200, 10_000, '10 of 200, about 3 min left'],
  [190, 200, 190_500, '190 of 200, about 11 s left'],
  [200, 200, 200_000, '200 of 200'],
])('the progress after %i of %i pictures in %i ms states the remaining time', (done, total, milliseconds, line) => {
  expect(progressLine(done, total, milliseconds)).toBe(line);
});
