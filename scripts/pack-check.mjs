import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, buildDashboardWhenStale } from './bootstrap/built.mjs';
import { endWith, readOptions } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { NODE_PACKAGE, npmCommand, pinnedNode, root } from './bootstrap/run.mjs';
import { FOR_TESTS } from './bootstrap/scopes.mjs';
import { embeddingPrograms, entriesProgram, installOf, readmePrograms } from './pack-check/programs.mjs';

const USAGE = `npm run pack-check

Packs the packages, the gateway and the command line. For each program of docs/embedding.md it makes an empty folder outside the
repository, installs there what the line before the program names, compiles the program under strict, and runs it on the earliest
Node release that its packages support and on the pinned one. The programs of the packages' READMEs, one that imports all entries, and
the command tollgate are run in the same way. Prints a table. It takes no options but --help.
`;

const COMPILER_OPTIONS = {
  target: 'ES2023', lib: ['ES2023'], module: 'NodeNext', types: ['node'], strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true,
  rootDir: '.', outDir: 'built',
};
const GATEWAY = '@tollgate/gateway';
/** Widths of the table's columns, in characters. */
const WIDTHS = [28, 10, 10, 18, 18];

await endWith(async () => {
  if (readOptions(USAGE) === null) return 0;
  await installDependencies(FOR_TESTS);
  const packages = publishable();
  // The compiler does not delete the output of removed sources.
  for (const { place } of packages) rmSync(join(root, place, 'dist'), { recursive: true, force: true });
  if (await build(FOR_TESTS) !== 0) throw new Error('The sources do not compile.');
  if (await buildDashboardWhenStale() !== 0) throw new Error('The dashboard cannot be built.');
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-pack-'));
  try {
    checkAll(folder, packages);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return 0;
});

/** Workspaces that are to be published. */
function publishable() {
  const places = ['packages', 'apps'].flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`));
  const packages = places.filter((place) => existsSync(join(root, place, 'package.json'))).map((place) => ({ place, ...readJson(join(root, place, 'package.json')) }))
    .filter((one) => one.private !== true);
  const names = packages.map(({ name }) => name);
  for (const { name, license, dependencies = {} } of packages) {
    const missing = Object.keys(dependencies).filter((other) => other.startsWith('@tollgate/') && !names.includes(other));
    if (missing.length > 0) throw new Error(`${name} depends on ${missing.join(', ')}, which is private`);
    if (license === undefined) throw new Error(`${name} names no license`);
  }
  return packages;
}

function checkAll(folder, packages) {
  const tarballs = join(folder, 'tarballs');
  mkdirSync(tarballs);
  npm(['pack', '--ignore-scripts', '--pack-destination', tarballs, ...packages.flatMap(({ place }) => ['--workspace', place])], root);
  const files = readdirSync(tarballs).sort();
  const releases = nodeReleases(folder, packages);
  print(['program', 'tarballs', 'packages', ...releases.map(({ version }) => `Node ${version}`)]);
  for (const program of embeddingPrograms(files)) checkPrograms({ folder, releases }, { title: program.name, install: program.install, programs: [program] });
  const readmes = packages.filter(({ place }) => place.startsWith('packages/')).flatMap(({ place }) => readmePrograms(place));
  const libraries = packages.filter(({ name }) => name !== GATEWAY);
  const all = installOf('tollgate', files);
  const entries = [entriesProgram('entries', libraries), entriesProgram('entries-gateway', packages)];
  checkPrograms({ folder, releases }, { title: 'entries, READMEs, tollgate', install: all, programs: [...entries, ...readmes], command: 'tollgate' });
}

/** The pinned Node release, and the minimum release that packages state, if npm has it as a package. */
function nodeReleases(folder, packages) {
  const pinned = { version: outputOf(pinnedNode, ['--version']).slice(1), node: pinnedNode };
  if (NODE_PACKAGE === undefined) return [pinned];
  const [version] = packages.map((one) => leastNode(one)).sort(compareReleases);
  const place = emptyProject(folder, `node-${version}`);
  npm(['install', '--no-audit', '--no-fund', '--loglevel=error', `${NODE_PACKAGE}@${version}`], place);
  const program = pinnedNode.slice(pinnedNode.indexOf(NODE_PACKAGE));
  return [{ version, node: join(place, 'node_modules', program) }, pinned];
}

/** The minimum release that a package states: `>=22.19` becomes 22.19.0. */
function leastNode({ name, engines }) {
  const [, release] = /^>=(\d+\.\d+)$/.exec(engines?.node ?? '') ?? [];
  if (release === undefined) throw new Error(`${name}: "engines.node" has no minimum release`);
  return `${release}.0`;
}

function compareReleases(a, b) {
  const [[major, minor], [otherMajor, otherMinor]] = [a, b].map((release) => release.split('.').map(Number));
  return major - otherMajor || minor - otherMinor;
}

function emptyProject(folder, name) {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'embedder', version: '1.0.0', private: true, type: 'module' }));
  return place;
}

function checkPrograms({ folder, releases }, { title, install, programs, command = null }) {
  const place = emptyProject(folder, title.replaceAll(/\W+/g, '-'));
  cpSync(join(folder, 'tarballs'), join(place, 'tarballs'), { recursive: true });
  const { dependencies } = readJson(join(root, 'package.json'));
  const compiler = ['typescript', '@types/node'].map((name) => `${name}@${dependencies[name]}`);
  npm(['install', '--no-audit', '--no-fund', '--loglevel=error', ...install, ...compiler], place);
  for (const { name, code } of programs) writeFileSync(join(place, `${name}.ts`), code);
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: programs.map(({ name }) => `${name}.ts`) }));
  outputOf(pinnedNode, [join(place, 'node_modules/typescript/bin/tsc')], { cwd: place });
  const installed = Object.keys(readJson(join(place, 'node_modules/.package-lock.json')).packages).length;
  print([title, install.filter((argument) => argument.endsWith('.tgz')).length, installed, ...releases.map((release) => runOn(release, { place, programs, command }))]);
}

/** Runs the programs on a Node release; returns the cell of the table. */
function runOn({ version, node }, { place, programs, command }) {
  const startedAt = performance.now();
  const runs = programs.filter((program) => compareReleases(earliestFor(program, place), version) <= 0);
  if (runs.length === 0) return `needs ${earliestFor(programs[0], place)}`;
  for (const program of runs) runProgram(node, program, place);
  if (command !== null && !outputOf(node, [join(place, 'node_modules/.bin', command), '--help'], { cwd: place }).startsWith(`Usage: ${command}`)) throw new Error(`${command} prints no usage`);
  return `${runs.length === 1 && command === null ? 'runs' : `${runs.length} run`}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

/** The minimum Node release of the packages that a program imports. */
function earliestFor({ code }, place) {
  const imported = [...code.matchAll(/from '(@tollgate\/[a-z-]+)/g)].map(([, name]) => leastNode(readJson(join(place, 'node_modules', name, 'package.json'))));
  return imported.sort(compareReleases).at(-1);
}

function runProgram(node, { name, output }, place) {
  const printed = outputOf(node, [`built/${name}.js`], { cwd: place }).trimEnd();
  if (output !== null && printed !== output) throw new Error(`${name} prints\n${printed}\ninstead of\n${output}`);
}

function print(cells) {
  process.stdout.write(`${cells.map((cell, index) => String(cell).padEnd(WIDTHS[index])).join('').trimEnd()}\n`);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function npm(npmArguments, folder) {
  const { command, arguments: given, options } = npmCommand(npmArguments);
  return outputOf(command, given, { cwd: folder, ...options });
}

function outputOf(program, programArguments, options = {}) {
  const { status, stdout, stderr } = spawnSync(program, programArguments, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${program} ${programArguments.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
