import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { DISABLED_FEATURES } from './disabled-features.js';

test('every feature that Playwright disables stays disabled', () => {
  const playwright = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
  const [, list = ''] = /\bdisabledFeatures = \[([^\]]+)\]/.exec(readFileSync(join(playwright, 'lib/coreBundle.js'), 'utf8')) ?? [];
  const theirs = [...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name);
  expect(theirs).toContain('PaintHolding');
  expect(theirs.filter((name) => name === undefined || !DISABLED_FEATURES.includes(name))).toEqual([]);
});
