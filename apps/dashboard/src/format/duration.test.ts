import { expect, it } from '@jest/globals';
import { aboutDays, duration, wait } from './duration.js';

it.each([
  [0, '0 s'], [59, '59 s'], [60, '1 min'], [61, '1 min 1 s'], [3_600, '1 h'], [7_500, '2 h 5 min'], [86_400, '1 day'],
])('a wait of %d seconds is %s', (seconds, text) => expect(wait(seconds)).toBe(text));

it.each([
  [412, '412 ms'], [6_310, '6.31 s'], [200_000, '3 min 20 s'], [7_500_000, '2 h 5 min'], [12 * 86_400_000, '12 days'],
])('a duration of %d ms is shown as %s', (milliseconds, text) => expect(duration(milliseconds)).toBe(text));

it.each([[1, 'about 1 day'], [59, 'about 59 days'], [90, 'about 3 months'], [3_000, 'about 8 years'], [3_660, 'about 10 years'], [5_000, 'more than 10 years']])('%d days are %s', (days, text) => expect(aboutDays(days)).toBe(text));
