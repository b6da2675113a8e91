import { describe, expect, it } from '@jest/globals';
import { readOptions, STANDING_COMMIT } from './options.js';

describe('the command line of the bench', () => {
  it('runs the usual scenarios for five rounds by default', () => {
    expect(readOptions([])).toMatchObject({ outcome: 'run', options: { extent: 'usual', only: [], rounds: 5, longRounds: 3, secondsFactor: 1, peers: false, bounds: false, jsonFile: null } });
  });

  it('reads every option', () => {
    const argv = ['--quick', '--only', 'small,streams', '--rounds', '4', '--seconds', '0.5', '--json', 'a.json', '--profile', 'p', '--peers', '--bounds', '--compare', '../b', '--growth', '7', '--usage', '9', '--database', 'full.db'];
    expect(readOptions(argv)).toEqual({
      outcome: 'run',
      options: {
        extent: 'quick', only: ['small', 'streams'], rounds: 4, longRounds: 4, secondsFactor: 0.5, jsonFile: 'a.json', profileFolder: 'p', peers: true, bounds: true,
        compareWith: '../b', growthAccounts: 7, usageRecords: 9, fullDatabase: 'full.db',
      },
    });
  });

  it('accepts the name “standing” for the commit with which the checkout is compared', () => {
    expect(readOptions(['--compare', 'standing'])).toMatchObject({ options: { compareWith: STANDING_COMMIT } });
  });

  it.each([[['--quick', '--full']], [['--rounds', 'many']], [['--seconds', '0']], [['--fast']]])('refuses %j', (argv) => {
    expect(readOptions(argv).outcome).toBe('wrong');
  });

  it('prints help', () => {
    expect(readOptions(['--help'])).toEqual({ outcome: 'help' });
  });
});
