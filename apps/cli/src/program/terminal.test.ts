import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { askAtTerminal, terminalColumns } from './terminal.js';

it.each([
  ['an answer', 'yes\n', 'yes'],
  ['the first of several lines', 'no\nyes\n', 'no'],
  ['an end of input instead of an answer', '', ''],
])('a question at the terminal returns %s', async (_, typed, answer) => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const asked = askAtTerminal('Continue? ', { stdin, stderr });
  stdin.end(typed);
  expect(await asked).toBe(answer);
  expect(String(stderr.read())).toBe('Continue? ');
});

it.each([
  [{ isTTY: true, columns: 80 }, {}, 80], [{ isTTY: true, columns: 80 }, { COLUMNS: '132' }, 132], [{ isTTY: true, columns: 80 }, { COLUMNS: 'wide' }, 80], [{ isTTY: true, columns: 80 }, { COLUMNS: '0' }, 80],
  [{ isTTY: true }, {}, null], [{}, { COLUMNS: '132' }, null],
])('the width of the terminal %j with the environment %j is %j', (stdout, environment, columns) => {
  expect(terminalColumns({ stdout, environment })).toBe(columns);
});
