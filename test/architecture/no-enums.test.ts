import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { declaresEnum } from './no-enums.js';

const projectRoot = join(import.meta.dirname, '../..');

test('no source declares an enum', () => {
  const files = globSync('{packages,apps,tools,test}/**/*.{ts,tsx}', { cwd: projectRoot, exclude: (path) => /^(?:node_modules|dist)$/u.test(path) });
  expect(files.length).toBeGreaterThan(2_000);
  expect(files.filter((file) => declaresEnum(readFileSync(join(projectRoot, file), 'utf8')))).toEqual([]);
});

test.each(['enum Side { Left, Right }', 'export enum Side {', '  const enum Side{', 'export const enum Side {', 'export declare const enum Side {', 'declare enum Side\n{'])('the declaration of an enum in %j is reported', (source) => {
  expect(declaresEnum(`const first = 1;\n${source}`)).toBe(true);
});

test.each(['const sides = z.enum([]);', 'readonly enum?: readonly unknown[];', '// An enum { would be reported.', 'const enumerated = {};', "const text = 'enum Side {';"])('%j is permitted', (source) => {
  expect(declaresEnum(`const first = 1;\n${source}`)).toBe(false);
});
