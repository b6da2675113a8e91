import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { askAtTerminal } from './terminal.js';

it.each([
  ['an answer', 'yes\n', 'yes'],
  ['the first of several lines', 'no\nyes\n', 'no'],
  ['an end of input instead of an answer', '', ''],
])('returns %s', async (_, typed, answer) => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const asked = askAtTerminal('Continue? ', { stdin, stderr });
  stdin.end(typed);
  expect(await asked).toBe(answer);
  expect(String(stderr.read())).toBe('Continue? ');
});
