import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findLiteralTexts } from './literal-texts.js';

const pages = join(import.meta.dirname, '../../apps/dashboard/src');

test('every text of a page of the dashboard is in the folder of its language', () => {
  const files = globSync('**/*.tsx', { cwd: pages }).filter((file) => !file.startsWith('texts/') && !file.endsWith('.test.tsx'));
  const offenders = files.map((file) => ({ file, texts: findLiteralTexts(readFileSync(join(pages, file), 'utf8')) })).filter(({ texts }) => texts.length > 0);
  expect(files.length).toBeGreaterThan(100);
  expect(offenders).toEqual([]);
});

test.each([
  ['<p>Create key</p>', ['Create key']],
  ['<>Create <b>key</b></>', ['Create', 'key']],
  ['<p>{"Create key"}</p>', ['Create key']],
  ['<p>{isNew ? "Create" : texts.edit}</p>', ['Create']],
  ['<p>{isNew && `Create ${name}`}</p>', ['Create']],
  ['<button aria-label="Close" />', ['Close']],
  ['<TextInput label="Name" placeholder={"Ada"} description={`One line of ${most}`} title={label ?? "Key"} />', ['Name', 'Ada', 'One line of', 'Key']],
  ['<Row cell={<td title="Whole id">{id}</td>} />', ['Whole id']],
])('%s is reported', (source, texts) => {
  expect(findLiteralTexts(source)).toEqual(texts);
});

test.each(['<p className="muted">{texts.create}</p>', '<p>{name} · {count} %</p>', '<TextInput label={texts.name} type="email" autoComplete="off" size="xs" />', '<Link to="/keys" search={{ create: "1" }} />'])(
  '%s is permitted', (source) => {
    expect(findLiteralTexts(source)).toEqual([]);
  },
);
