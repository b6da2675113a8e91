import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, buildDashboardWhenStale } from './bootstrap/built.mjs';
import { changedFiles, testsOf } from './bootstrap/changed-tests.mjs';
import { CHECKS, failedChecks } from './bootstrap/checks.mjs';
import { asksForHelp, endWith } from './bootstrap/command-line.mjs';
import { root, runJest } from './bootstrap/run.mjs';
import { provide } from './bootstrap/provisions.mjs';
import { FOR_TESTS } from './bootstrap/scopes.mjs';

const CHANGED = '--changed';
const isForChanged = process.argv.includes(CHANGED);
const jestArguments = process.argv.slice(2).filter((argument) => argument !== CHANGED);

const USAGE = `npm test [-- arguments]

Installs and builds what is missing, provides the databases that tests need, and runs the linter, the type check and all tests.
With arguments, which are passed to jest, runs only the tests that they select, without the linter and the type check:

  npm test -- packages/core             tests of a folder
  npm test -- -t 'name of a test'       tests whose name contains this
  npm test -- --changed                 tests of the files that differ from the last commit: x.test.ts of x.ts
  npm test -- --help                    prints this
`;

/** A file system that Linux keeps in memory, where fsync takes no time. */
const MEMORY = '/dev/shm';
const MIN_MEMORY_BYTES = 2 ** 31;

async function buildAll() {
  const code = await build(FOR_TESTS);
  return code === 0 ? buildDashboardWhenStale() : code;
}

await endWith(async () => {
  if (asksForHelp(jestArguments)) {
    process.stdout.write(USAGE);
    return 0;
  }
  await provide();
  if (isForChanged && !selectChanged()) return 0;
  const isFull = jestArguments.length === 0;
  const folder = makeFolder();
  try {
    return await runAll(folder, isFull);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * A full run builds first, because tests use the compiled programs. Its checks run beside the tests, which mostly wait for servers and timers. A run
 * of selected tests skips both: jest compiles what it needs.
 */
async function runAll(folder, isFull) {
  const isBuilt = isFull && (await buildAll()) === 0;
  const checking = isFull ? failedChecks(CHECKS, folder) : [];
  const { code, passed, failed } = await runTests(folder, isBuilt ? { TOLLGATE_BUILT: 'yes' } : {});
  const problems = [...(isFull && !isBuilt ? [{ name: 'build', output: 'See above the tests.' }] : []), ...(await checking)];
  for (const { name, output } of problems) process.stdout.write(`Failed: ${name}\n${output}\n`);
  if (passed + failed === 0) process.stdout.write('No test ran.\n');
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return problems.length > 0 || passed + failed === 0 ? code || 1 : code;
}

/** Adds the tests of changed files to jest's arguments. If there are none, prints a line and returns false. */
function selectChanged() {
  const tests = testsOf(changedFiles(root), root);
  if (tests.length === 0) process.stdout.write('No changed file has a test of its name.\n');
  jestArguments.push('--runTestsByPath', ...tests);
  return tests.length > 0;
}

/**
 * A folder for all files of one run, in memory if there is room. The user of the database servers may enter it. Its name is short, because paths of
 * sockets are limited to 104 bytes on macOS.
 */
function makeFolder() {
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'tg-'));
  chmodSync(folder, 0o711);
  return folder;
}

function hasRoom(path) {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= MIN_MEMORY_BYTES;
}

/** Runs jest. Tests of compiled programs compile them first, unless `TOLLGATE_BUILT` is set. */
async function runTests(folder, env) {
  const results = join(folder, 'results.json');
  const code = await runJest([...jestArguments, '--json', `--outputFile=${results}`], {
    // With --json, jest reports on standard error, and prints only the path of the results file on standard output.
    stdio: ['inherit', 'ignore', 'inherit'],
    env: { TMPDIR: folder, TOLLGATE_TEST_FOLDER: folder, ...env },
  });
  return { code, ...readCounts(results) };
}

/**
 * A test file that could not be loaded counts as one failure, because it hides tests that did not run. jest writes no results if it ends before the
 * tests, for example because of its settings.
 */
function readCounts(results) {
  if (!existsSync(results)) return { passed: 0, failed: 0 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(results, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}
