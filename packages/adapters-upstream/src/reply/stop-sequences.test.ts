import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { StopSequenceCutter } from './stop-sequences.js';

function cut(sequences: readonly string[], pieces: readonly string[]): { readonly text: string; readonly stopped: boolean } {
  const cutter = new StopSequenceCutter(sequences);
  let text = '';
  for (const piece of pieces) {
    const result = cutter.push(piece);
    text += result.text;
    if (result.stopped) return { text, stopped: true };
  }
  return { text: text + cutter.flush(), stopped: false };
}

function cutNaively(sequences: readonly string[], text: string): { readonly text: string; readonly stopped: boolean } {
  for (let end = 1; end <= text.length; end += 1) {
    const completed = sequences.filter((sequence) => text.slice(0, end).endsWith(sequence)).map(({ length }) => length);
    if (completed.length > 0) return { text: text.slice(0, end - Math.max(...completed)), stopped: true };
  }
  return { text, stopped: false };
}

describe('StopSequenceCutter', () => {
  it.each<[string, readonly string[], readonly string[], string]>([
    ['inside one piece', ['STOP'], ['a STOP b'], 'a '],
    ['across pieces', ['STOP'], ['a S', 'T', 'OP b'], 'a '],
    ['after a beginning that led nowhere', ['aab'], ['aa', 'ab'], 'a'],
    ['after a long beginning that led back to a short one', ['aabaaac'], ['aabaaab', 'aaac'], 'aaba'],
    ['at the first of several', ['zz', 'bc'], ['abcdzz'], 'a'],
    ['never', ['STOP'], ['STO', 'ST', 'O'], 'STOSTO'],
  ])('cuts %s', (_name, ...[sequences, pieces, text]) => {
    expect(cut(sequences, pieces).text).toBe(text);
  });

  it('cuts where a search of every prefix would, however the text is split', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 8 });
    const sequencesAndPieces = fc.array(letters, { minLength: 1, maxLength: 3 }).chain((sequences) => {
      // Texts consist of beginnings of the sequences, because only those reveal a mistake.
      const beginnings = sequences.flatMap((sequence) => Array.from(sequence, (_, length) => sequence.slice(0, length + 1))).filter((text) => !sequences.includes(text));
      return fc.tuple(fc.constant(sequences), fc.array(fc.oneof(letters, fc.constantFrom('a', ...beginnings))));
    });
    fc.assert(fc.property(sequencesAndPieces, ([sequences, pieces]) => {
      expect(cut(sequences, pieces)).toEqual(cutNaively(sequences, pieces.join('')));
    }), { numRuns: 3_000 });
  });

  it('withholds only what may become a stop sequence', () => {
    const cutter = new StopSequenceCutter(['xyz']);
    expect([cutter.push('abcx').text, cutter.push('y').text, cutter.push('a').text]).toEqual(['abc', '', 'xya']);
  });

  it('takes linear time even if a long beginning of a stop sequence arrives in many pieces', () => {
    const cutter = new StopSequenceCutter([`${'a'.repeat(200_000)}b`]);
    const startedAt = process.cpuUsage();
    for (let count = 0; count < 50_000; count += 1) cutter.push('aaaa');
    expect(process.cpuUsage(startedAt).user).toBeLessThan(1_500_000);
    expect(cutter.flush()).toHaveLength(200_000);
  });
});
