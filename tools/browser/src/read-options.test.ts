import { describe, expect, it } from '@jest/globals';
import { readOptions } from './read-options.js';

const read = (...args: readonly string[]) => readOptions(args, [2, 1, 3, 10]);

describe('the options of the browser checks', () => {
  it('select all checks in their order if none are given', () => {
    expect(read()).toEqual({ act: 'check', numbers: [2, 1, 3, 10], isJson: false });
  });

  it('select checks and the form of their results', () => {
    expect(read('--only', '3, 10', '--json')).toEqual({ act: 'check', numbers: [3, 10], isJson: true });
  });

  it.each(['list', 'serve'])('select no checks if --%s is given', (act) => {
    expect(read(`--${act}`)).toEqual({ act });
  });

  it.each([
    [['--only', '3,4'], '--only takes numbers of checks: 1, 2, 3, 10.'],
    [['--serve', '--json'], '--serve runs no checks, so it takes neither --only nor --json.'],
    [['--serve', '--only', '3'], '--serve runs no checks, so it takes neither --only nor --json.'],
    [['--fast'], "Unknown option '--fast'"],
  ])('refuse %j', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});
