import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { allDocuments, projectRoot, proseOf, readDocument, tableRows, withoutCode } from './documents.js';

/** The end of a sentence with another one behind it. */
const TWO_SENTENCES = /[.!?]["”)]? +["“(]?[A-Z`*[]/u;
const ABBREVIATIONS = /\b(?:e\.g|i\.e|cf|vs)\./gu;

/** Whether a line of prose holds more than one sentence. Tables and headings are laid out by other rules. */
function isCrowded(line: string): boolean {
  if (/^\s*(?:\||#|<!--)/u.test(line)) return false;
  const sentence = line.replace(/^\s*(?:\d+\.|[-*>]) /u, '').replace(ABBREVIATIONS, '');
  return TWO_SENTENCES.test(withoutCode(sentence));
}

/** Phrases that hide the actor or describe what has a term. */
const VAGUE = /\b(?:who(?:m)?ever|somebody|anybody|what was asked|to be had|lets? go of|letting go of|anew|hears? of|comes of it|at leisure|of its own accord)\b/iu;

/** Whether a line uses one of them; code is not prose. */
const isVague = (line: string): boolean => VAGUE.test(withoutCode(line));

/** The lines of a TypeScript source that hold a comment, without the code before it. */
function commentLines(source: string): readonly string[] {
  const comments = source.match(/(?:^|[\s({[,;])(?:\/\*[\s\S]*?\*\/|\/\/ .*$)/gmu) ?? [];
  return comments.flatMap((comment) => comment.split('\n'));
}

/** A text with each link replaced by its words. */
const withoutLinks = (text: string): string => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1');

describe.each(allDocuments().map((document) => [document.path, document] as const))('%s', (_path, document) => {
  test('has one sentence per line', () => {
    expect(proseOf(document).filter(isCrowded)).toEqual([]);
  });

  test('names the actor and uses the terms of the field', () => {
    expect(proseOf(document).filter(isVague)).toEqual([]);
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

  test('are listed in ARCHITECTURE.md with their titles, dates and statuses', () => {
    const listed = tableRows(readDocument('docs/ARCHITECTURE.md'), 'decisions').map(([number = '', link = '', date = '', status = '']) =>
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
  const folders: readonly string[] = globSync(['packages/*', 'apps/{cli,gateway}', 'tools/*', 'test'], { cwd: projectRoot }).toSorted();

  test.each(folders)('of %s name the actor and use the terms of the field', (folder) => {
    const files = globSync(`${folder}/**/*.ts`, { cwd: projectRoot, exclude: ['**/{node_modules,dist}'] });
    expect(files.flatMap((file) => commentLines(readFileSync(join(projectRoot, file), 'utf8')).filter(isVague).map((line) => `${file}: ${line.trim()}`))).toEqual([]);
  });
});

test.each([['/** For whoever waits. */'], ['// Lets go of the request.'], ['a(); \x2f/ Nobody hears of it.'], ['/**\n * Reads it\n * anew.\n */']])('%j is reported', (source) => {
  expect(commentLines(source).filter(isVague)).toHaveLength(1);
});

test.each([["const url = 'http://anew';"], ["it('lets go of it', () => undefined);"], ['/** Takes `anew`. */']])('%j is accepted', (source) => {
  expect(commentLines(source).filter(isVague)).toEqual([]);
});

test.each([
  ['Two sentences. On one line.'],
  ['- A list item! And another sentence.'],
  ['Code ends it: `x`. Then more.'],
])('%s is caught', (line) => {
  expect(isCrowded(line)).toBe(true);
});

test.each([['1. One step.'], ['Version 1.2 is fine.'], ['Things, e.g. These.'], ['| A cell. | Another one. |'], ['`a. B` is code.']])('%s is one sentence', (line) => {
  expect(isCrowded(line)).toBe(false);
});
