import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.js';

const DEFAULTS = { seed: 7, minutes: 2, runs: 20, random: 100, torn: 200, jsonFile: null };

describe('the command line of the chaos run', () => {
  it.each([
    [[], DEFAULTS],
    [['--seed', '5', '--minutes', '0.5', '--json', 'report.json'], { ...DEFAULTS, seed: 5, minutes: 0.5, jsonFile: 'report.json' }],
    [['--runs', '1', '--random', '0', '--torn', '3'], { ...DEFAULTS, runs: 1, random: 0, torn: 3 }],
  ])('%j is understood', (argv, options) => {
    expect(readOptions(argv, 7)).toEqual({ outcome: 'run', options });
  });

  it.each([[['--seed', 'x']], [['--minutes', '0']], [['--runs', '1.5']], [['--often']], [['more']]])('%j is refused with a reason', (argv) => {
    expect(readOptions(argv, 7)).toEqual({ outcome: 'wrong', problem: expect.stringMatching(/./) });
  });

  it('--help is answered whatever else is asked', () => {
    expect(readOptions(['--help', '--runs', '1'], 7)).toEqual({ outcome: 'help' });
  });
});
