import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot, readDocument, tableRows } from './documents.js';

const ROWS = tableRows(readDocument('docs/monitoring.md'), 'failures');
const CHAOS = 'npm run chaos';

test('monitoring.md states for every failure what users see, what happens to money and limits, and which test covers it', () => {
  expect(ROWS.length).toBeGreaterThan(0);
  expect(ROWS.filter((cells) => cells.length !== 4 || cells.some((cell) => cell === ''))).toEqual([]);
});

test.each(ROWS.map(([failure = '', , , shownBy = '']) => [failure, shownBy]))('the failure “%s” is covered by existing tests', (_failure, shownBy) => {
  const named = shownBy.split(',').map((name) => name.trim().replaceAll('`', ''));
  expect(named.filter((name) => name !== CHAOS && !(name.endsWith('.test.ts') && existsSync(join(projectRoot, name))))).toEqual([]);
});
