import { describe, expect, it } from '@jest/globals';
import { readOptions } from './read-options.js';

const read = (...args: readonly string[]) => readOptions(args, () => 'commit');

describe('the options of the pictures', () => {
  it('select the usual states with their default schemes and widths if none are given', () => {
    expect(read()).toEqual({
      conditions: ['usual', 'error', 'loading', 'further'], only: [], schemes: null, widths: null, draw: null, isGerman: false, isList: false, folder: 'data/screenshots',
    });
  });

  it('select with --draw at random from all states, schemes and widths; the commit is the default seed', () => {
    expect(read('--draw', '200')).toMatchObject({ schemes: ['light', 'dark'], widths: [1280, 390, 1920], draw: { count: 200, seed: 'commit' } });
    expect(read('--draw', '200').conditions).toHaveLength(8);
    expect(read('--draw', '9', '--seed', 'abc', '--state', 'rtl', '--width', '390')).toMatchObject({ conditions: ['rtl'], widths: [390], draw: { count: 9, seed: 'abc' } });
  });

  it('select states, schemes, widths and the language', () => {
    expect(read('--state', 'empty, large', '--scheme', 'dark', '--width', 'all', '--only', 'keys,usage', '--language', 'de', '--list')).toMatchObject({
      conditions: ['empty', 'large'], schemes: ['dark'], widths: [1280, 390, 1920], only: ['keys', 'usage'], isGerman: true, isList: true,
    });
  });

  it.each([
    [['--state', 'full'], '--state takes all or some of usual, empty, large, long, rtl, error, loading, further.'],
    [['--width', '800'], '--width takes all or some of 1280, 390, 1920.'],
    [['--scheme', 'dim'], '--scheme takes all or some of light, dark.'],
    [['--draw', '0'], '--draw takes a number of pictures from 1 to 99999.'],
  ])('refuse %j with a list of valid values', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});
