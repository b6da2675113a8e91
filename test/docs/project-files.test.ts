import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { projectRoot, proseOf, readDocument } from './documents.js';

const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const MANIFESTS = ['package.json', ...globSync('{apps,packages,tools}/*/package.json', { cwd: projectRoot })]
  .map((path) => {
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(textOf(path)) as Manifest;
    return { path, wanted: Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }) };
  });

describe('CHANGELOG.md', () => {
  const headings = proseOf(readDocument('CHANGELOG.md')).filter((line) => line.startsWith('## '));

  test('begins with the unreleased changes, then lists releases, newest first', () => {
    expect(headings[0]).toBe('## [Unreleased]');
    expect(headings.slice(1).filter((line) => !/^## \[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/u.test(line))).toEqual([]);
  });

  test('uses the groups of Keep a Changelog', () => {
    const groups = proseOf(readDocument('CHANGELOG.md')).filter((line) => line.startsWith('### '));
    expect(groups.length).toBeGreaterThan(0);
    expect(groups.filter((line) => !/^### (?:Added|Changed|Deprecated|Removed|Fixed|Security)$/u.test(line))).toEqual([]);
  });
});

test('SECURITY.md states an address, or that it is a placeholder', () => {
  const { text } = readDocument('SECURITY.md');
  const [address = ''] = /[\w.+-]+@[\w-]+\.[\w.-]+\w/u.exec(text) ?? [];
  expect(address).not.toBe('');
  expect(address.endsWith('@example.com')).toBe(text.includes('This address is a placeholder'));
});

interface Template {
  readonly name: string;
  readonly description: string;
  readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: { readonly label?: string; readonly value?: string } }[];
}

describe.each(['bug', 'feature'])('the issue template %s', (name) => {
  const template = parse(textOf(`.github/ISSUE_TEMPLATE/${name}.yml`)) as Template;

  test('has a name and a description, and each question has a label and an id', () => {
    expect([template.name, template.description].every((text) => text.length > 0)).toBe(true);
    const questions = template.body.filter(({ type }) => type !== 'markdown');
    expect(questions.length).toBeGreaterThan(0);
    expect(questions.filter(({ id, attributes: { label } }) => id === undefined || label === undefined)).toEqual([]);
  });
});

test('the issue template for bugs says where to report vulnerabilities', () => {
  expect(textOf('.github/ISSUE_TEMPLATE/bug.yml')).toContain('SECURITY.md');
});

interface Rule {
  readonly matchUpdateTypes?: readonly string[];
  readonly matchPackageNames?: readonly string[];
  readonly automerge?: boolean;
}

describe('renovate.json', () => {
  const { automerge, rangeStrategy, packageRules } = JSON.parse(textOf('renovate.json')) as {
    readonly automerge: boolean; readonly rangeStrategy: string; readonly packageRules: readonly Rule[];
  };

  test('keeps versions pinned, as every package.json does', () => {
    expect(rangeStrategy).toBe('pin');
    const wanted = MANIFESTS.flatMap(({ path, wanted: packages }) => packages.map(([name, version]) => `${path}: ${name} ${version}`));
    expect(wanted.filter((line) => !/ (?:npm:.+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(line))).toEqual([]);
  });

  test('merges no major version by itself', () => {
    expect(automerge).toBe(false);
    const merging = packageRules.flatMap((rule, index) => (rule.automerge === true ? [index] : []));
    const majors = packageRules.findIndex(({ matchUpdateTypes, automerge: merges }) => matchUpdateTypes?.includes('major') && merges === false);
    expect(merging.filter((index) => index > majors)).toEqual([]);
    expect(merging.filter((index) => packageRules[index]?.matchUpdateTypes?.includes('major') ?? true)).toEqual([]);
  });

  test('names only packages that the project uses', () => {
    // The last package is the image on which the Dockerfile builds.
    const used = [...MANIFESTS.flatMap(({ wanted }) => wanted.map(([name]) => name)), 'node'];
    const named = packageRules.flatMap(({ matchPackageNames = [] }) => matchPackageNames);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !used.some((other) => (name.endsWith('/**') ? other.startsWith(name.slice(0, -2)) : other === name)))).toEqual([]);
  });
});
