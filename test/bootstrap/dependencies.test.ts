import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { nodeModules, pinnedNode } from '../../scripts/bootstrap/run.mjs';

const SCRIPTS = join(import.meta.dirname, '../../scripts/bootstrap');
/** True if npm installs the pinned Node as a package. If not, the tests use an invented name for the package. */
const HAS_NODE_PACKAGE = pinnedNode.startsWith(nodeModules);
const [NODE_PACKAGE = ''] = HAS_NODE_PACKAGE ? relative(nodeModules, pinnedNode).split(sep) : ['node-here'];

type Scope = 'FOR_START' | 'FOR_TESTS';
interface Outcome { readonly status: number | null; readonly output: string }

let folder = '';
let project = '';

/** Packs a package as a registry would serve it. */
function pack(file: string, manifest: { readonly name: string; readonly version: string; readonly engines?: object; readonly os?: readonly string[] }): void {
  const place = join(folder, 'packing', file, 'package');
  mkdirSync(join(place, 'bin'), { recursive: true });
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(place, 'index.js'), '');
  writeFileSync(join(place, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'), '');
  expect(spawnSync('tar', ['-czf', join(folder, 'template', file), '-C', dirname(place), 'package']).status).toBe(0);
}

const manifestWith = (kept: string): object => ({
  name: 'project', version: '1.0.0', private: true, workspaces: ['packages/*'],
  dependencies: { kept: `file:${kept}`, [NODE_PACKAGE]: 'file:node.tgz' }, devDependencies: { tool: 'file:tool.tgz' }, optionalDependencies: { native: 'file:native.tgz' },
});

/** Writes package.json and the lockfile of a project, without installing anything. */
function describeProject(place: string, kept: string): void {
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifestWith(kept)));
  const { status, stderr } = spawnSync('npm', ['install', '--package-lock-only', '--offline', '--no-audit'], { cwd: place, encoding: 'utf8', shell: process.platform === 'win32' });
  expect([status, stderr]).toEqual([0, '']);
}

beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'tollgate-dependencies-'));
  const template = join(folder, 'template');
  mkdirSync(join(template, 'packages/own'), { recursive: true });
  cpSync(SCRIPTS, join(template, 'scripts/bootstrap'), { recursive: true });
  writeFileSync(join(template, 'packages/own/package.json'), JSON.stringify({ name: 'own', version: '1.0.0' }));
  pack('kept.tgz', { name: 'kept', version: '1.0.0' });
  pack('kept-2.tgz', { name: 'kept', version: '2.0.0' });
  pack('tool.tgz', { name: 'tool', version: '1.0.0' });
  pack('node.tgz', { name: NODE_PACKAGE, version: '99.0.0' });
  pack('native.tgz', { name: 'native', version: '1.0.0', engines: { node: HAS_NODE_PACKAGE ? '>=99' : '>=18' }, os: [process.platform] });
  cpSync(template, join(folder, 'later'), { recursive: true });
  describeProject(template, 'kept.tgz');
  describeProject(join(folder, 'later'), 'kept-2.tgz');
  prepare('FOR_START');
  prepare('FOR_TESTS');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  project = mkdtempSync(join(folder, 'project-'));
  cpSync(join(folder, 'template'), project, { recursive: true });
});

/** Prepares a project in which this scope is installed; `begin` copies it. */
function prepare(scope: Scope): void {
  project = join(folder, scope);
  cpSync(join(folder, 'template'), project, { recursive: true });
  expect(install(scope).output).toMatch(DONE);
}

/** Begins a test in a copy of the project in which this scope is installed. */
function begin(scope: Scope): void {
  cpSync(join(folder, scope), project, { recursive: true, verbatimSymlinks: true });
  // npm ignores its record if a package is newer than the record.
  utimesSync(place('.package-lock.json'), new Date(), new Date());
}

function script(scope: Scope): readonly string[] {
  const at = (name: string): string => pathToFileURL(join(project, 'scripts/bootstrap', name)).href;
  return ['--input-type=module', '-e', `const { installDependencies } = await import('${at('dependencies.mjs')}'); const scopes = await import('${at('scopes.mjs')}');
    const { endWith } = await import('${at('command-line.mjs')}'); await endWith(() => installDependencies(scopes.${scope}));`];
}

const OFFLINE = { ...process.env, npm_config_offline: 'true' };

function install(scope: Scope, path = process.env['PATH'] ?? ''): Outcome {
  const { status, stderr } = spawnSync(process.execPath, script(scope), { cwd: project, encoding: 'utf8', env: { ...OFFLINE, PATH: path } });
  return { status, output: stderr };
}

/** A `PATH` on which `npm` is this Node script. */
function pathWithNpm(code: string): string {
  const place = mkdtempSync(join(folder, 'npm-'));
  writeFileSync(join(place, 'npm'), `#!${process.execPath}\n${code}\n`);
  chmodSync(join(place, 'npm'), 0o755);
  return [place, process.env['PATH']].join(delimiter);
}

const place = (name: string): string => join(project, 'node_modules', name);
const isWhole = (name: string): boolean => existsSync(join(place(name), 'index.js'));
const versionOf = (name: string): string => (JSON.parse(readFileSync(join(place(name), 'package.json'), 'utf8')) as { readonly version: string }).version;

/** A number that changes if the package is installed again. */
const identityOf = (name: string): number => statSync(join(place(name), 'index.js')).ino;

const DONE = /^Installing about (\d+) packages: [^\n]*\n(?: {2}\d+ of about [^\n]*\n)*Installed \1 packages in \d+ s\.\n$/u;
/** An npm that installs half of a package, removes another one, and is killed. */
const INTERRUPTED = `const { mkdirSync, writeFileSync, rmSync, renameSync } = require('node:fs');
mkdirSync('node_modules/tool', { recursive: true });
writeFileSync('node_modules/tool/package.json', JSON.stringify({ name: 'tool', version: '1.0.0' }));
mkdirSync('node_modules/.tool-aB3dE5fG', { recursive: true });
process.kill(process.pid, 'SIGKILL');`;

describe('an install for a start', () => {
  test('installs what programs need, without test packages; a second install does not call npm', () => {
    const lockfile = readFileSync(join(project, 'package-lock.json'), 'utf8');
    const { status, output } = install('FOR_START');
    expect(output).toMatch(DONE);
    expect([status, isWhole('kept'), isWhole(NODE_PACKAGE), existsSync(place('own/package.json')), existsSync(place('tool'))]).toEqual([0, true, true, true, false]);
    expect(readFileSync(join(project, 'package-lock.json'), 'utf8')).toBe(lockfile);
    expect(install('FOR_START', '/nowhere')).toEqual({ status: 0, output: '' });
  });

  test('keeps the packages of an install for tests', () => {
    begin('FOR_TESTS');
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(folder, 'later', name), join(project, name));
    const tool = identityOf('tool');
    expect(install('FOR_START').status).toBe(0);
    expect([versionOf('kept'), identityOf('tool')]).toEqual(['2.0.0', tool]);
  });

  test('installs optional packages for the pinned Node, not for npm’s own Node', () => {
    begin('FOR_START');
    expect(isWhole('native')).toBe(true);
  });

  test('restores a removed package', () => {
    begin('FOR_START');
    rmSync(place('kept'), { recursive: true });
    expect(install('FOR_START').status).toBe(0);
    expect(isWhole('kept')).toBe(true);
  });
});

test('an install for tests after one for `npm start` adds packages and keeps the others, which a running gateway may use', () => {
  begin('FOR_START');
  const before = ['kept', NODE_PACKAGE].map(identityOf);
  const { status, output } = install('FOR_TESTS');
  expect(output).toMatch(DONE);
  expect([status, isWhole('tool')]).toEqual([0, true]);
  expect(['kept', NODE_PACKAGE].map(identityOf)).toEqual(before);
  expect(install('FOR_START', '/nowhere')).toEqual({ status: 0, output: '' });
});

describe('an install that was interrupted', () => {
  test('is reported, and repaired by the next install, which keeps complete packages', () => {
    begin('FOR_START');
    const kept = identityOf('kept');
    const interrupted = install('FOR_TESTS', pathWithNpm(INTERRUPTED));
    expect(interrupted.status).toBe(1);
    expect(interrupted.output).toContain('npm install ended with code 137. Run this again to continue');
    const { status, output } = install('FOR_TESTS');
    expect(output).toContain('Removed 2 packages of an install that did not finish.\n');
    expect([status, isWhole('tool'), existsSync(place('.tool-aB3dE5fG')), identityOf('kept')]).toEqual([0, true, false, kept]);
  });

  test('is repaired by a start too', () => {
    install('FOR_START', pathWithNpm(INTERRUPTED));
    expect(install('FOR_START').status).toBe(0);
    expect([isWhole('kept'), existsSync(place('tool'))]).toEqual([true, false]);
  });

  test('is repaired even if npm was called directly and has left no record', () => {
    begin('FOR_TESTS');
    rmSync(place('.package-lock.json'));
    rmSync(join(place('tool'), 'index.js'));
    expect(install('FOR_TESTS').status).toBe(0);
    expect(isWhole('tool')).toBe(true);
  });
});

test('of two concurrent installs, one waits and finds everything installed', async () => {
  const start = (): Promise<string> => new Promise((resolve) => {
    const child = spawn(process.execPath, script('FOR_START'), { cwd: project, env: OFFLINE, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => { output += text; });
    child.once('close', () => resolve(output));
  });
  const outputs = await Promise.all([start(), start()]);
  expect(outputs.filter((output) => DONE.test(output))).toHaveLength(1);
  expect(outputs).toContain('Waiting for another process that installs packages.\n');
});

test('a lockfile that contradicts package.json is reported', () => {
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifestWith('kept-2.tgz')));
  const { status, output } = install('FOR_START');
  expect(status).toBe(1);
  expect(output).toContain('npm has not installed node_modules/kept in the version that package-lock.json names.');
});

test('an optional package for the pinned Node that npm omits is reported', () => {
  const { status, output } = install('FOR_START', pathWithNpm(''));
  expect(status).toBe(1);
  expect(output).toContain(`npm could not install ${NODE_PACKAGE}. Run this again.`);
});
