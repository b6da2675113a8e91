import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { codeBlock, projectRoot, readDocument } from './documents.js';

const DOCUMENT = readDocument('docs/embedding.md');

let folder = '';
let printed: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-embedding-'));
  printed = [];
  jest.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    printed.push(values.map(String).join(' '));
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

test.each(['embedding-work', 'embedding-generation', 'embedding-background'])('the program %s runs unchanged and prints the documented output', async (name) => {
  const program = join(folder, `${name}.ts`);
  writeFileSync(program, codeBlock(DOCUMENT, name));
  await import(program);
  expect(printed.join('\n')).toBe(codeBlock(DOCUMENT, `${name}-output`));
});

test('the example of a service that bills its own work has fewer than 40 lines', () => {
  expect(codeBlock(DOCUMENT, 'embedding-work').split('\n').length).toBeLessThan(40);
});

const EXAMPLES = globSync('packages/*/README.md', { cwd: projectRoot }).toSorted();

test.each(EXAMPLES)('the example of %s runs unchanged and prints what the page says', async (path) => {
  const { groups } = /```ts\n(?<code>.*?)\n```.*?```text\n(?<output>.*?)\n```/su.exec(readDocument(path).text) ?? {};
  const program = join(folder, 'example.ts');
  writeFileSync(program, groups?.['code'] ?? '');
  await import(program);
  expect(printed.join('\n')).toBe(groups?.['output']);
});

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const MANIFESTS = new Map(globSync('{packages,apps}/*/package.json', { cwd: projectRoot })
  .map((path) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8')) as Manifest).map((manifest) => [manifest.name, manifest]));

/** The named packages of the project, and all others on which they depend. */
function withDependencies(names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...Object.keys(MANIFESTS.get(name)?.dependencies ?? {}).filter((other) => MANIFESTS.has(other)));
  }
  return [...found];
}

test.each(['embedding-work', 'embedding-generation', 'embedding-background', 'embedding-contracts'])('the install line of %s names every tarball that it needs, and no other', (name) => {
  const imported = [...codeBlock(DOCUMENT, name).matchAll(/from '(@tollgate\/[a-z-]+)/gu)].map(([, from = '']) => from);
  const needed = withDependencies(imported).map((each) => `./tarballs/${each.slice(1).replace('/', '-')}-${MANIFESTS.get(each)?.version}.tgz`);
  const line = codeBlock(DOCUMENT, `${name}-install`).split(' ').filter((word) => word.endsWith('.tgz'));
  expect(line.toSorted()).toEqual(needed.toSorted());
});
