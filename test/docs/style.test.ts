import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { allDocuments, projectRoot, proseOf, readDocument, tableRows, withoutCode } from './documents.js';

/** The end of a sentence that another one follows on the same line. */
const TWO_SENTENCES = /[.!?]["”)]? +["“(]?[A-Z`*[]/u;
const ABBREVIATIONS = /\b(?:e\.g|i\.e|cf|vs)\./gu;

/** True if a line has more than one sentence. Tables and headings are exempt. */
function isCrowded(line: string): boolean {
  if (/^\s*(?:\||#|<!--)/u.test(line)) return false;
  const sentence = line.replace(/^\s*(?:\d+\.|[-*>]) /u, '').replace(ABBREVIATIONS, '');
  return TWO_SENTENCES.test(withoutCode(sentence));
}

/** Phrases that hide the actor, or that describe a thing for which there is a term. */
const VAGUE = new RegExp(`\\b(?:${[
  'who(?:m)?ever', 'somebody', 'anybody', 'nobody', 'who holds', 'what was asked', 'what of an?', 'to be had', 'lets? go of', 'letting go of', 'anew', 'hears? of',
  '(?:be)?comes of it', 'at leisure', 'of its own accord', 'as good as', 'so (?:many|much) that', 'of which so', 'in the place of',
].join('|')})\\b`, 'iu');

/** True if a line contains a phrase of `VAGUE` outside code. */
const isVague = (line: string): boolean => VAGUE.test(withoutCode(line));

function commentLines(source: string): readonly string[] {
  const comments = source.match(/(?:^|[\s({[,;])(?:\/\*[\s\S]*?\*\/|\/\/ .*$)/gmu) ?? [];
  return comments.flatMap((comment) => comment.split('\n'));
}

function withoutComments(source: string): string {
  return source.replaceAll(/(^|[\s({[,;])(?:\/\*[\s\S]*?\*\/|\/\/ .*$)/gmu, '$1');
}

/** A string on one line, in quotes of any kind. */
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gu;

const stringsOf = (source: string): readonly string[] => withoutComments(source).match(STRING)?.map((string) => string.slice(1, -1)) ?? [];

/** Titles in a source: strings that a function follows in a call, and `title` properties. */
function titlesOf(source: string): readonly string[] {
  const before = String.raw`(?:\b(?:it|test|describe)(?:\.only)?\(|\btitle: |\((?=(?:${STRING.source}), (?:async )?(?:\(|function|[a-z_]\w* =>)))`;
  return [...withoutComments(source).matchAll(new RegExp(`${before}(${STRING.source})`, 'gu'))].map((match) => (match[1] ?? '').slice(1, -1));
}

const withoutLinks = (text: string): string => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1');

const FOLDERS: readonly string[] = globSync(['packages/*', 'apps/*', 'tools/*', 'test'], { cwd: projectRoot }).toSorted();

/** Vague texts in the files that match a pattern, each with its file. */
function vagueIn(pattern: string, partsOf: (source: string) => readonly string[]): readonly string[] {
  const files = globSync(pattern, { cwd: projectRoot, exclude: ['**/{node_modules,dist}', 'test/docs/style.test.ts'] });
  return files.flatMap((file) => partsOf(readFileSync(join(projectRoot, file), 'utf8')).filter(isVague).map((part) => `${file}: ${part.trim()}`));
}

describe.each(allDocuments().map((document) => [document.path, document] as const))('%s', (_path, document) => {
  test('has one sentence per line', () => {
    expect(proseOf(document).filter(isCrowded)).toEqual([]);
  });

  test('names the actor and uses the terms of the field', () => {
    expect(proseOf(document).filter(isVague)).toEqual([]);
  });

  test('has an empty line before and after each table', () => {
    const lines = proseOf(document);
    const isRow = (line: string | undefined): boolean => line?.startsWith('|') === true;
    expect(lines.filter((line, index) => index > 0 && line !== '' && lines[index - 1] !== '' && isRow(line) !== isRow(lines[index - 1]))).toEqual([]);
  });

  test('has one heading of the first level, at its top', () => {
    const lines = proseOf(document);
    expect(lines.filter((line) => line.startsWith('# '))).toEqual([lines[0]]);
  });
});

describe('the decision records', () => {
  const records = allDocuments().filter(({ path }) => /^docs\/decisions\/\d{4}-/u.test(path));

  test('have unique numbers', () => {
    const numbers = records.map(({ path }) => path.slice('docs/decisions/'.length, 'docs/decisions/'.length + 4));
    expect(numbers).toEqual([...new Set(numbers)].toSorted());
  });

  test.each(records.map((record) => [record.path, record] as const))('%s has a number, a date and a status', (path, record) => {
    const [title, , date, status] = proseOf(record);
    expect(title).toMatch(new RegExp(`^# ${Number(path.slice('docs/decisions/'.length, 'docs/decisions/'.length + 4))}\\. `, 'u'));
    expect(date).toMatch(/^- Date: \d{4}-\d{2}-\d{2}$/u);
    expect(status).toMatch(/^- Status: (?:accepted|superseded by |proposed)/u);
  });

  test('are listed in the README of their folder with their titles, dates and statuses', () => {
    const listed = tableRows(readDocument('docs/decisions/README.md'), 'decisions').map(([number = '', link = '', date = '', status = '']) =>
      [number, /^\[(.*)\]\([^)]*\)$/u.exec(link)?.[1], date, withoutLinks(status)]);
    const written = records.map((record) => {
      const [title = '', , date = '', status = ''] = proseOf(record);
      const [, number, choice = ''] = /^# (\d+)\. (.*)$/u.exec(title) ?? [];
      return [number, choice.replaceAll('`', ''), date.slice('- Date: '.length), withoutLinks(status.slice('- Status: '.length))];
    });
    expect(listed).toEqual(written);
  });

  test.each(records.map((record) => [record.path, record] as const))('%s states context, choice, alternatives and consequences', (_path, record) => {
    expect(proseOf(record).filter((line) => line.startsWith('## '))).toEqual(['## Context', '## Choice', '## Alternatives', '## Consequences']);
  });
});

describe('the comments of the sources', () => {
  test.each(FOLDERS)('of %s name the actor and use the terms of the field', (folder) => {
    expect(vagueIn(`${folder}/**/*.{ts,tsx}`, commentLines)).toEqual([]);
  });
});

test('the texts of the dashboard name the actor and use the terms of the field', () => {
  expect(vagueIn('apps/dashboard/src/**/*.{ts,tsx}', stringsOf)).toEqual([]);
});

describe('the titles of the tests', () => {
  test.each(FOLDERS)('of %s name the actor and use the terms of the field', (folder) => {
    expect(vagueIn(`${folder}/**/*.{ts,tsx}`, titlesOf)).toEqual([]);
  });

  test('are found by the rule in every test file', () => {
    const files = globSync('{packages,apps,tools,test}/**/*.test.{ts,tsx}', { cwd: projectRoot, exclude: ['**/{node_modules,dist}'] });
    const sources = files.map((file) => ({ file, source: withoutComments(readFileSync(join(projectRoot, file), 'utf8')) }));
    const named = sources.filter(({ source }) => /^\s*(?:it|test)(?:\(|\.each)/mu.test(source));
    expect(named.length).toBeGreaterThan(200);
    expect(named.filter(({ source }) => titlesOf(source).length === 0).map(({ file }) => file)).toEqual([]);
  });
});

test.each([
  ['apps/dashboard/src/texts/en/keys.ts', stringsOf, "  effect: 'Somebody can use it.',"],
  ['a component of the dashboard', stringsOf, '<Note text="Begins anew" />'],
  ['a template', stringsOf, 'lost: (name: string) => `Lets go of ${name}`,'],
  ['a test', titlesOf, "it('lets go of the request', async () => {"],
  ['a table of tests', titlesOf, "it.each([['a', 1], ['b', 2]])('serves %s anew', (name, count) => {"],
  ['a group of tests', titlesOf, 'describe(`whoever calls ${NAME}`, () => {'],
  ['a test with a named function', titlesOf, "test('is as good as new', run);"],
  ['a check of the browser', titlesOf, "export const check: Check = { number: 1, title: 'Nobody is signed in', run };"],
])('a vague phrase in %s is reported', (_where, read, source) => {
  expect(read(source).filter(isVague)).toHaveLength(1);
});

test.each([[stringsOf, '// Begins anew.'], [titlesOf, "expect(text('anew', count));"], [titlesOf, "// it('anew', () => {"]])('%p finds no vague phrase in %s', (read, source) => {
  expect(read(source).filter(isVague)).toEqual([]);
});

test.each([['/** For whoever waits. */'], ['// Lets go of the request.'], ['a(); \x2f/ Nobody hears of it.'], ['/**\n * Reads it\n * anew.\n */']])('a vague comment in %j is reported', (source) => {
  expect(commentLines(source).filter(isVague)).toHaveLength(1);
});

test.each([["const url = 'http://anew';"], ["it('lets go of it', () => undefined);"], ['/** Takes `anew`. */']])('no vague comment is reported in %j', (source) => {
  expect(commentLines(source).filter(isVague)).toEqual([]);
});

test.each([
  ['Two sentences. On one line.'],
  ['- A list item! And another sentence.'],
  ['Code ends it: `x`. Then more.'],
])('%s counts as several sentences', (line) => {
  expect(isCrowded(line)).toBe(true);
});

test.each([['1. One step.'], ['Version 1.2 is fine.'], ['Things, e.g. These.'], ['| A cell. | Another one. |'], ['`a. B` is code.']])('%s counts as one sentence', (line) => {
  expect(isCrowded(line)).toBe(false);
});
