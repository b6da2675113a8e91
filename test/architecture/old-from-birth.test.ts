import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { functionsOldFromBirth } from './old-from-birth.js';

interface Offence {
  readonly file: string;
  readonly properties: readonly string[];
}

const ROOT = join(import.meta.dirname, '../..');
const RUNS_IN_A_GATEWAY = ['packages/{core,wire-*,adapters-*}/src/**/*.ts', 'apps/gateway/src/**/*.ts'];
/** Made once for each process, and kept as long as it runs. */
const MADE_ONCE: readonly Offence[] = [{ file: 'packages/adapters-sqlite/src/durability/group-commit.ts', properties: ['together', 'apart'] }];

test('nothing that comes with a request is kept by a function that V8 takes for one that stays', () => {
  const files = globSync(RUNS_IN_A_GATEWAY, { cwd: ROOT }).filter((file) => !/\.test\.ts$|\/test-support\//.test(file));
  const offenders = files
    .map((file) => ({ file, properties: functionsOldFromBirth(readFileSync(join(ROOT, file), 'utf8')) }))
    .filter(({ properties }) => properties.length > 0);
  expect(files.length).toBeGreaterThan(100);
  expect(offenders).toEqual(MADE_ONCE);
});

test.each([
  ['class A { #stop = () => {}; follow() { this.#stop = () => {}; } }', 'stop'],
  ['class A { stop; constructor() { this.stop = () => {}; } }', 'stop'],
  ['const a: { stop?: () => void } = {}; a.stop = function () {};', 'stop'],
  ['const a: { stop?: () => void } = {}; a.stop ??= () => {};', 'stop'],
  ['const a: Record<string, () => void> = {}; a[`stop`] = async () => {};', 'computed'],
  ['class A { stop; constructor() { this.stop = (() => {}); } }', 'stop'],
  ['class A { stop; constructor() { (this.stop) = () => {}; } }', 'stop'],
  ['class A { stop; constructor() { this.stop! = (() => {}) as () => void; } }', 'stop'],
  ['class A { stop; constructor() { this.stop = (() => {}) satisfies () => void; } }', 'stop'],
  ['class A extends B { constructor() { super.stop = () => {}; } }', 'stop'],
  ['const a: { stop?: () => void } = {}; ({ b: a.stop = () => {} } = {});', 'stop'],
  ['const a: { stop?: () => void } = {}; [a.stop = () => {}] = [];', 'stop'],
])('%s is caught', (source, property) => {
  expect(functionsOldFromBirth(source)).toEqual([property]);
});

test.each([
  ['class A { #stop = () => {}; follow() { const stop = () => {}; this.#stop = stop; } }'],
  ['class A { stop; follow(make: (end: () => void) => void) { this.stop = make(() => {}); } }'],
  ['const a = { stop: () => {}, go() {} };'],
  ['let stop; stop = () => {};'],
])('%s is permitted', (source) => {
  expect(functionsOldFromBirth(source)).toEqual([]);
});
