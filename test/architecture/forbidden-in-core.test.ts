import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findForbidden } from './forbidden-in-core.js';

const packages = join(import.meta.dirname, '../../packages');

test.each(['core', 'identity'])('no source of %s reads a clock, draws a random number or does I/O', (name) => {
  const sources = join(packages, name, 'src');
  const files = globSync('**/*.ts', { cwd: sources }).filter((file) => !file.endsWith('.test.ts'));
  const offenders = files
    .map((file) => ({ file, forbidden: findForbidden(readFileSync(join(sources, file), 'utf8')) }))
    .filter(({ forbidden }) => forbidden.length > 0);
  expect(files.length).toBeGreaterThan(0);
  expect(offenders).toEqual([]);
});

test.each([
  ['const at = Date.now();', 'the clock'],
  ['const at = new Date();', 'the clock'],
  ['const at = performance.now();', 'the clock'],
  ['setTimeout(() => {}, 1);', 'timers'],
  ['const draw = Math.random();', 'chance'],
  ['const id = crypto.randomUUID();', 'chance'],
  ['const port = process.env["PORT"];', 'the process'],
  ['const reply = await fetch("/");', 'the network'],
])('%s is reported', (source, name) => {
  expect(findForbidden(source)).toEqual([name]);
});

test.each([
  ['// Callers used to pass Date.now() here.\nexport const at = 1;'],
  ['export interface Store { fetch(id: string): void }\nexport const read = (store: Store) => store.fetch("a");'],
  ['export type At = Date;'],
])('%s is permitted', (source) => {
  expect(findForbidden(source)).toEqual([]);
});
