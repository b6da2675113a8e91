import { describe, expect, it } from '@jest/globals';
import { FAULT_NAMES } from './faults/fault-names.js';
import { HELP, readOptions } from './options.js';

const DEFAULTS = { setups: ['sqlite', 'postgres'], seed: 7, minutes: 5, killPoints: 3, random: 30, torn: 200, faults: FAULT_NAMES, checkout: null, jsonFile: null };

describe('the command line of the chaos run', () => {
  it.each([
    [[], DEFAULTS],
    [['--seed', '5', '--minutes', '0.5', '--json', 'report.json'], { ...DEFAULTS, seed: 5, minutes: 0.5, jsonFile: 'report.json' }],
    [['--kill-points', '1', '--random', '0', '--torn', '3'], { ...DEFAULTS, killPoints: 1, random: 0, torn: 3 }],
    [['--setup', 'sqlite'], { ...DEFAULTS, setups: ['sqlite'] }],
    [['--setup=postgres'], { ...DEFAULTS, setups: ['postgres'] }],
    [['--setup', 'both'], DEFAULTS],
    [['--setup', 'none', '--faults', 'failover,clock-ahead'], { ...DEFAULTS, setups: [], faults: ['failover', 'clock-ahead'] }],
    [['--faults', 'none', '--checkout', '/elsewhere'], { ...DEFAULTS, faults: [], checkout: '/elsewhere' }],
    [['--faults', 'all'], DEFAULTS],
  ])('accepts %j', (argv, options) => {
    expect(readOptions(argv, 7)).toEqual({ outcome: 'run', options });
  });

  it.each([[['--seed', 'x']], [['--minutes', '0']], [['--kill-points', '1.5']], [['--setup', 'oracle']], [['--faults', 'failover,fire']], [['--often']], [['more']]])('refuses %j with a reason', (argv) => {
    expect(readOptions(argv, 7)).toEqual({ outcome: 'wrong', problem: expect.stringMatching(/./) });
  });

  it('prints only the help with --help, whatever else it contains', () => {
    expect(readOptions(['--help', '--random', '1'], 7)).toEqual({ outcome: 'help' });
  });

  it('has a help that names every fault round', () => {
    for (const name of FAULT_NAMES) expect(HELP).toContain(` ${name} `);
  });
});
