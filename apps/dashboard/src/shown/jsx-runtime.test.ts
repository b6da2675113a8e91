import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { jsx, jsxs } from './jsx-runtime';

const HOSTILE = 'prod\u202e\u200bkey';
const SHOWN = 'prod\\u202e\\u200bkey';
const ROOT = join(import.meta.dirname, '../..');

it('every visible text shows its hidden characters; the values of inputs and options are unchanged', () => {
  expect(jsx('td', { title: HOSTILE, children: HOSTILE }).props).toEqual({ title: SHOWN, children: SHOWN });
  expect(jsxs('p', { children: [HOSTILE, ' · ', 3] }).props).toEqual({ children: [SHOWN, ' · ', 3] });
  expect(jsx('input', { 'value': HOSTILE, 'aria-label': HOSTILE }).props).toEqual({ 'value': HOSTILE, 'aria-label': SHOWN });
  expect(jsx('select', { data: [{ value: HOSTILE, label: HOSTILE }] }).props).toEqual({ data: [{ value: HOSTILE, label: SHOWN }] });
});

it('every element of the pages is created by the runtime that shows hidden characters', () => {
  expect(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')).toContain('"jsxImportSource": "#shown"');
  expect(readFileSync(join(ROOT, 'vite.config.ts'), 'utf8')).toContain("react({ jsxImportSource: '#shown' })");
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name) && !name.startsWith('shown/'));
  expect(files.filter((name) => /createElement\(|@jsx|jsx-runtime|innerHTML/.test(readFileSync(join(ROOT, 'src', name), 'utf8').replaceAll(/document\.createElement\(/g, '')))).toEqual([]);
});
