import { describe, expect, it } from '@jest/globals';
import { FEED_HELP, readFeedOptions } from './feed-options.js';

const DEFAULTS = { events: 100_000, databases: ['sqlite', 'postgres'], seed: 7, jsonFile: null };

describe('the command line of the feed run', () => {
  it.each([
    [[], DEFAULTS],
    [['--events', '500', '--seed', '5', '--json', 'report.json'], { ...DEFAULTS, events: 500, seed: 5, jsonFile: 'report.json' }],
    [['--database', 'sqlite'], { ...DEFAULTS, databases: ['sqlite'] }],
    [['--database=postgres'], { ...DEFAULTS, databases: ['postgres'] }],
    [['--database', 'both'], DEFAULTS],
  ])('accepts %j', (argv, options) => {
    expect(readFeedOptions(argv, 7)).toEqual({ outcome: 'run', options });
  });

  it.each([[['--events', '0']], [['--events', '1e3']], [['--events', '10000001']], [['--seed', 'x']], [['--database', 'oracle']], [['--often']], [['more']]])('refuses %j with a reason', (argv) => {
    expect(readFeedOptions(argv, 7)).toEqual({ outcome: 'wrong', problem: expect.stringMatching(/./) });
  });

  it('prints only the help with --help, whatever else it contains', () => {
    expect(readFeedOptions(['--help', '--events', '1'], 7)).toEqual({ outcome: 'help' });
    expect(FEED_HELP).toContain('npm run feed');
  });
});
