import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const projectRoot = join(import.meta.dirname, '../..');
/** Conversions to floating-point numbers, and rounding. */
const FLOATING = /\bparseFloat\b|\bNumber\s*\(|\bNumber\.parse|\.toFixed\(|\.toPrecision\(/u;
/** Modules that format counts, durations, days and lengths of bars; .oxlintrc.json permits conversions there. */
const PERMITTED = ['geometry', 'number', 'day', 'duration'].map((name) => `apps/dashboard/src/format/${name}.ts`);

test('no page of the dashboard converts an amount to a number; only modules for other quantities parse numbers', () => {
  const sources = globSync('apps/dashboard/src/**/*.{ts,tsx}', { cwd: projectRoot }).filter((path) => !/\.test\.tsx?$|\/test-support\//.test(path));
  expect(sources.length).toBeGreaterThan(100);
  const floating = sources.filter((path) => !PERMITTED.includes(path) && FLOATING.test(readFileSync(join(projectRoot, path), 'utf8')));
  expect(floating).toEqual([]);
});
