import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { allDocuments, anchorsOf, codeSpans, projectRoot, readDocument, relativeLinks } from './documents.js';

const DOCUMENTS = allDocuments();

/** A path that begins with one of the top folders, as URL paths and package names do not. */
const PROJECT_PATH = /^(?:packages|apps|tools|docs|test|scripts)\/[\w@.*{},/-]*$/u;

/** A path of what a build writes. */
const BUILT = /^apps\/\w+\/(?:bundle|dist)\//u;

/** The form "`name` in `path`". */
const NAME_IN_FILE = /`(\w+)` (?:in|of) `((?:packages|apps|tools|test|scripts)\/[\w./-]+\.ts)`/gu;
/** The form "`path` (`name`)". */
const FILE_WITH_NAME = /`((?:packages|apps|tools|test|scripts)\/[\w./-]+\.ts)` \(`(\w+)`/gu;

function namedDeclarations(text: string): readonly { readonly name: string; readonly path: string }[] {
  return [
    ...[...text.matchAll(NAME_IN_FILE)].map(([, name = '', path = '']) => ({ name, path })),
    ...[...text.matchAll(FILE_WITH_NAME)].map(([, path = '', name = '']) => ({ name, path })),
  ];
}

describe.each(DOCUMENTS.map((document) => [document.path, document] as const))('%s', (path, document) => {
  test('links only to files that exist', () => {
    const broken = relativeLinks(document).filter((link) => link.path !== '' && !existsSync(join(projectRoot, dirname(path), link.path)));
    expect(broken).toEqual([]);
  });

  test('links only to headings that exist', () => {
    const broken = relativeLinks(document).filter(({ path: target, anchor }) => {
      if (anchor === null) return false;
      const page = target === '' ? document : readDocument(join(dirname(path), target));
      return !anchorsOf(page).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('names only files and folders that exist', () => {
    const named = codeSpans(document).filter((span) => PROJECT_PATH.test(span) && !BUILT.test(span));
    expect(named.filter((span) => globSync(span.replace(/\/$/u, ''), { cwd: projectRoot }).length === 0)).toEqual([]);
  });

  test('names functions and classes with the file that contains them', () => {
    const missing = namedDeclarations(document.text).filter(({ name, path: file }) => !new RegExp(`\\b${name}\\b`, 'u').test(readFileSync(join(projectRoot, file), 'utf8')));
    expect(missing).toEqual([]);
  });

  test('names only commands of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { readonly scripts: Record<string, string> };
    const named = [...document.text.matchAll(/\bnpm (?:run (?:-s )?([a-z][\w:-]*)|(start|test)\b)/gu)].map((match) => match[1] ?? match[2] ?? '');
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('every page of the documentation can be reached from the README', () => {
  const reached = new Set<string>();
  const waiting = ['README.md'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const folder = dirname(path);
    waiting.push(...relativeLinks(readDocument(path)).map((link) => join(folder, link.path)).filter((target) => target.endsWith('.md')));
  }
  expect(DOCUMENTS.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
});
