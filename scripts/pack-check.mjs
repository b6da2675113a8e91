import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './bootstrap/built.mjs';
import { endWith, readOptions } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { npmCommand, pinnedNode, root } from './bootstrap/run.mjs';
import { FOR_TESTS } from './bootstrap/scopes.mjs';

const USAGE = `npm run pack-check

Packs every workspace under packages/ that is not private, installs the tarballs in an empty project outside the repository, compiles
under strict what imports all of their entries and the programs of docs/embedding.md and of each README, and runs these programs.
It takes no options but --help.
`;

const COMPILER_OPTIONS = {
  target: 'ES2023', lib: ['ES2023'], module: 'NodeNext', types: ['node'], strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true,
  rootDir: '.', outDir: 'built',
};

await endWith(async () => {
  if (readOptions(USAGE) === null) return 0;
  await installDependencies(FOR_TESTS);
  // The compiler leaves what it made of sources that are gone.
  for (const { place } of publishable()) rmSync(join(root, place, 'dist'), { recursive: true, force: true });
  if (await build(FOR_TESTS) !== 0) throw new Error('The sources do not compile.');
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-pack-'));
  try {
    check(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return 0;
});

function check(folder) {
  const packages = publishable();
  install(folder, packages);
  const programs = [entriesOf(packages), ...programsOf('docs/embedding.md'), ...packages.flatMap(({ place }) => programsOf(`${place}/README.md`))];
  for (const { name, code } of programs) writeFileSync(join(folder, `${name}.ts`), code);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: programs.map(({ name }) => `${name}.ts`) }));
  run(pinnedNode, [join(folder, 'node_modules/typescript/bin/tsc')], { cwd: folder });
  for (const { name, output } of programs) {
    const printed = run(pinnedNode, [`built/${name}.js`], { cwd: folder }).trimEnd();
    if (printed !== output) throw new Error(`${name} prints\n${printed}\nin place of\n${output}`);
  }
  process.stdout.write(`${packages.length} packages install, compile and run: ${programs.length} programs\n`);
}

/** The workspaces under packages/ that are meant to be published. */
function publishable() {
  const places = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`).filter((place) => existsSync(join(root, place, 'package.json')));
  const described = places.map((place) => ({ place, ...readJson(join(root, place, 'package.json')) }));
  const packages = described.filter((one) => one.private !== true);
  const names = packages.map(({ name }) => name);
  for (const { name, license, dependencies = {} } of packages) {
    const missing = Object.keys(dependencies).filter((other) => other.startsWith('@tollgate/') && !names.includes(other));
    if (missing.length > 0) throw new Error(`${name} depends on ${missing.join(', ')}, which is private`);
    if (license === undefined) throw new Error(`${name} names no license`);
  }
  return packages;
}

/** An empty project whose only dependencies are the tarballs, the compiler and the types of Node. */
function install(folder, packages) {
  const tarballs = join(folder, 'tarballs');
  mkdirSync(tarballs);
  const workspaces = packages.flatMap(({ place }) => ['--workspace', place]);
  const packed = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', tarballs, ...workspaces], root));
  const { dependencies } = readJson(join(root, 'package.json'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({
    name: 'embedder', version: '1.0.0', private: true, type: 'module',
    dependencies: Object.fromEntries(listOf(packed).map(({ name, filename }) => [name, `file:tarballs/${filename}`])),
    devDependencies: { 'typescript': dependencies.typescript, '@types/node': dependencies['@types/node'] },
  }));
  npm(['install', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  for (const { name, filename, entryCount } of listOf(packed)) {
    process.stdout.write(`${name}: ${Math.ceil(statSync(join(tarballs, filename)).size / 1024)} KiB, ${entryCount} files\n`);
  }
}

/** npm prints a list of tarballs, or from version 12 on an object with one member for each. */
function listOf(packed) {
  return Array.isArray(packed) ? packed : Object.values(packed);
}

/** A program that imports every entry of every package, so that the compiler reads all types that a user may meet. */
function entriesOf(packages) {
  const entries = packages.flatMap(({ name, exports }) => Object.keys(exports).map((entry) => name + entry.slice(1)));
  const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}';`);
  const loaded = `[${entries.map((_entry, index) => `entry${index}`).join(', ')}]`;
  return { name: 'entries', code: `${imports.join('\n')}\nconsole.log(${loaded}.every((entry) => Object.keys(entry).length > 0));\n`, output: 'true' };
}

/** The programs of a page, each of which the page shows before what it prints. */
function programsOf(page) {
  if (!existsSync(join(root, page))) throw new Error(`${page} is missing`);
  const text = readFileSync(join(root, page), 'utf8');
  const programs = [...text.matchAll(/```ts\n(?<code>.*?)\n```\n\n[^`]*?(?:<!-- tested: \S+ -->\n)?```text\n(?<output>.*?)\n```/gs)];
  if (programs.length === 0) throw new Error(`${page} has no program with what it prints`);
  const name = page.replace(/\.md$/, '').replaceAll('/', '-');
  return programs.map(({ groups }, index) => ({ name: `${name}-${index + 1}`, code: groups.code, output: groups.output }));
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function npm(npmArguments, folder) {
  const { command, arguments: given, options } = npmCommand(npmArguments);
  return run(command, given, { cwd: folder, ...options });
}

function run(program, programArguments, options) {
  const { status, stdout, stderr } = spawnSync(program, programArguments, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${program} ${programArguments.join(' ')} ends with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
