import { describe, expect, test } from '@jest/globals';
import { ATTACKS } from './attacks/attacks.js';
import { CHECKS } from './checks/checks.js';
import { HELP, readOptions } from './options.js';

describe('readOptions', () => {
  test('runs every attack and check for 15 seconds on this checkout by default', () => {
    expect(readOptions([])).toEqual({ outcome: 'run', options: { only: [...ATTACKS, ...CHECKS].map(({ id }) => id), seconds: 15, gatewayRoot: null, json: false, table: false } });
  });

  test('reads attacks, duration and checkout from the command line', () => {
    const reading = readOptions(['--only', 'pictures,summaries', '--seconds', '4', '--gateway', '/elsewhere', '--json', '--table']);
    expect(reading).toEqual({ outcome: 'run', options: { only: ['pictures', 'summaries'], seconds: 4, gatewayRoot: '/elsewhere', json: true, table: true } });
  });

  test.each([
    [['--only', 'nothing'], '--only: there is no attack or check nothing'],
    [['--seconds', '0'], '--seconds: 0 is not a number from 2 to 120'],
    [['--seconds', 'NaN'], '--seconds: NaN is not a number from 2 to 120'],
    [['--fast'], '--fast'],
  ])('refuses %j and names the error', (argv, problem) => {
    const reading = readOptions(argv);
    expect(reading.outcome === 'wrong' ? reading.problem : reading.outcome).toContain(problem);
  });

  test('accepts --help; the help lists every attack and check', () => {
    expect([...ATTACKS, ...CHECKS].filter(({ id }) => !HELP.includes(`  ${id} `))).toEqual([]);
    expect(readOptions(['--help'])).toEqual({ outcome: 'help' });
  });
});
