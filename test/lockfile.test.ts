import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { missingOptionalPackages } from '../scripts/bootstrap/provisions.mjs';

const lockfile = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, { resolved?: string; link?: boolean }>;
};

describe('package-lock.json', () => {
  test('contains the optional packages for every system (npm run complete-lockfile adds missing ones)', () => {
    expect(missingOptionalPackages(lockfile.packages)).toEqual([]);
  });

  test('names no registry, so that each machine uses its own', () => {
    const resolved = Object.values(lockfile.packages).flatMap((entry) => entry.resolved ?? []);
    expect(resolved.filter((place) => place.includes(':'))).toEqual([]);
  });
});

describe('missingOptionalPackages', () => {
  const tool = { optionalDependencies: { 'tool-linux-x64': '1.0.0' } };

  test('finds a missing package', () => {
    expect(missingOptionalPackages({ 'node_modules/tool': tool })).toEqual([{ name: 'tool-linux-x64', version: '1.0.0', dev: false }]);
  });

  test.each(['node_modules/tool-linux-x64', 'node_modules/tool/node_modules/tool-linux-x64'])('accepts a package that is provided at %s', (path) => {
    expect(missingOptionalPackages({ 'node_modules/tool': tool, [path]: {} })).toEqual([]);
  });
});
