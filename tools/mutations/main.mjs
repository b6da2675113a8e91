import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { endWith, readOptions } from '../../scripts/bootstrap/command-line.mjs';
import { listWorkspaces } from '../../scripts/bootstrap/built.mjs';
import { provide } from '../../scripts/bootstrap/provisions.mjs';
import { pinnedNode, root, run } from '../../scripts/bootstrap/run.mjs';
import { mutated, readMutations } from './mutation-list.mjs';
import { SourceIndex } from './source-index.mjs';

const USAGE = `npm run mutations -- [options]

Breaks rules of money, limits and access on purpose, one after the other, in a copy of the project, and expects a test to fail each time.
tools/mutations/mutations.json lists the ways. The exit code is 1 if no test notices one of them.

  --only NAME    the mutation of this name, or those whose names contain it; may be repeated
  --list         names them, and what each breaks
  --json         the results as JSON
  --help         prints this
`;

/** Time after which the tests are stopped, because a broken program may never end. */
const MAX_MILLISECONDS = 180_000;

await endWith(async () => {
  const given = readOptions(USAGE, {
    options: {
      only: { type: 'string', multiple: true, default: [] }, list: { type: 'boolean', default: false }, json: { type: 'boolean', default: false },
    },
  });
  if (given === null) return 0;
  const { values } = given;
  const mutations = readMutations(values.only);
  if (values.list) return print(mutations.map(({ name, breaks }) => `${name}: ${breaks}\n`).join(''));
  await provide();
  const results = await withCopyOfTheProject((copy) => tryAll(mutations, copy));
  print(values.json ? `${JSON.stringify(results, null, 2)}\n` : tableOf(results));
  return results.every(({ noticed }) => noticed) ? 0 : 1;
});

function print(text) {
  process.stdout.write(text);
  return 0;
}

async function tryAll(mutations, copy) {
  const results = [];
  for (const [index, mutation] of mutations.entries()) {
    const result = await tryMutation(mutation, copy);
    process.stderr.write(`${index + 1} of ${mutations.length}: ${mutation.name} ${result.noticed ? 'is noticed' : 'SURVIVES'} (${result.seconds} s)\n`);
    results.push(result);
  }
  return results;
}

function tableOf(results) {
  const rows = results.map(({ name, noticed, by }) => `| ${name} | ${noticed ? by : `SURVIVES: ${by}`} |\n`);
  const survivors = results.filter(({ noticed }) => !noticed).length;
  return `| Mutation | Noticed by |\n|---|---|\n${rows.join('')}\n${results.length - survivors} of ${results.length} mutations are noticed.\n`;
}

/** Applies a mutation, runs the tests that must fail, and reverts the mutation. Returns the test that failed. */
async function tryMutation(mutation, copy) {
  const startedAt = performance.now();
  const broken = mutated(mutation, new SourceIndex(copy));
  const sound = new Map([...broken.keys()].map((file) => [file, readFileSync(file, 'utf8')]));
  for (const [file, text] of broken) writeFileSync(file, text);
  try {
    const verdict = await runTests(mutation, copy);
    return { name: mutation.name, breaks: mutation.breaks, ...verdict, seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
  } finally {
    for (const [file, text] of sound) writeFileSync(file, text);
  }
}

async function runTests({ tests, only }, copy) {
  const results = join(copy, 'mutation-results.json');
  rmSync(results, { force: true });
  const chosen = only === undefined ? [] : ['--testNamePattern', only];
  const jest = join(copy, 'node_modules/jest/bin/jest.js');
  // Jest is forced to exit, because a failed test may leave connections open.
  const code = await run(pinnedNode, [jest, '--runInBand', '--forceExit', '--json', `--outputFile=${results}`, ...chosen, '--runTestsByPath', ...tests], {
    cwd: copy, stdio: 'ignore', timeout: MAX_MILLISECONDS, killSignal: 'SIGKILL',
  });
  if (!existsSync(results)) return { noticed: code > 128, by: code > 128 ? 'the tests did not end in time' : `jest ended with code ${code} and no results` };
  return verdictOf(JSON.parse(readFileSync(results, 'utf8')), copy);
}

/** The outcome of a run. A test file that cannot be loaded shows that the mutation is not a valid program. */
function verdictOf({ testResults }, copy) {
  const ran = testResults.flatMap(({ name, assertionResults }) => assertionResults.map((result) => ({ ...result, file: relative(copy, name) })));
  const failed = ran.find(({ status }) => status === 'failed');
  if (failed !== undefined) return { noticed: true, by: `${failed.file}: ${failed.fullName}` };
  const unloaded = testResults.find(({ status, assertionResults }) => status === 'failed' && assertionResults.every((result) => result.status !== 'failed'));
  if (unloaded !== undefined) return { noticed: false, by: `${relative(copy, unloaded.name)} failed as a whole: ${unloaded.message.slice(0, 300)}` };
  const passed = ran.filter(({ status }) => status === 'passed').length;
  return { noticed: false, by: passed === 0 ? 'no test ran' : `all ${passed} tests passed` };
}

/** Paths of the project's own files, including those that are not committed. */
function ownFiles() {
  const { status, stdout, stderr } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`git cannot list the project's files: ${stderr}`);
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

/** Hard-links the files of a folder, because they are many and are only read. Throws if the file system does not permit it. */
function linkFolder(from, to) {
  const linked = spawnSync('cp', ['-al', from, to], { encoding: 'utf8' });
  if (linked.status !== 0) throw new Error(`${from} cannot be linked to ${to}: ${linked.stderr}`);
}

function linkDependencies(copy) {
  const folders = [root, ...listWorkspaces()].map((folder) => join(folder, 'node_modules')).filter((folder) => existsSync(folder));
  for (const folder of folders) linkFolder(folder, join(copy, relative(root, folder)));
}

/** Runs the task on a copy of the project, which is deleted afterwards. */
async function withCopyOfTheProject(task) {
  // The copy is in the same file system as the project, as hard links require.
  const copy = mkdtempSync(join(dirname(root), '.tollgate-mutations-'));
  try {
    for (const file of ownFiles()) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      copyFileSync(join(root, file), join(copy, file));
    }
    linkDependencies(copy);
    return await task(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
