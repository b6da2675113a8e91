import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../scripts/bootstrap/follow-npm.mjs')).href;
const TEST_MILLISECONDS = 30_000;

/** Runs until it gets SIGTERM, reports that, and exits. */
const SCRIPT = `import { Worker } from 'node:worker_threads';
process.on('SIGTERM', () => { console.log('told'); process.exit(0); });
setInterval(() => {}, 1_000);`;
/** Scripts that follow npm; the second one replaces its process, as start.mjs does. */
const FOLLOWER = {
  'one that goes on': `import { followNpm } from '${MODULE}';\nfollowNpm();\n${SCRIPT}\nconsole.log('running ' + process.pid);`,
  'one whose process another Node replaces': `import { flagsToFollowNpm } from '${MODULE}';
const script = ${JSON.stringify(`${SCRIPT}\nnew Worker('setInterval(() => {}, 1000)', { eval: true });\nconsole.log('running ' + process.pid);`)};
process.execve(process.execPath, [process.execPath, ...flagsToFollowNpm(), '--input-type=module', '-e', script], process.env);`,
};

let shell: ChildProcess | null = null;
let followerId: number | null = null;

afterEach(() => {
  shell?.kill('SIGKILL');
  try {
    if (followerId !== null) process.kill(followerId, 'SIGKILL');
  } catch {
    // The follower has ended already.
  }
  followerId = null;
});

/** Starts a script under a process that stands for npm's shell. Resolves once the script runs, with its further output. */
async function startUnder(environment: NodeJS.ProcessEnv, script: string): Promise<{ readonly parent: ChildProcess; readonly rest: AsyncIterator<string> }> {
  const program = `require('node:child_process').spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(script)}], { stdio: 'inherit' });`;
  const parent = spawn(process.execPath, ['-e', program], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  shell = parent;
  const printed = parent.stdout.setEncoding('utf8');
  const [first] = await once(printed, 'data') as [string];
  followerId = Number(/^running (\d+)\n$/.exec(first)?.[1]);
  return { parent, rest: (printed as AsyncIterable<string>)[Symbol.asyncIterator]() };
}

test.each(Object.entries(FOLLOWER))('a script that npm started, %s, gets one SIGTERM after npm’s shell has exited', async (_name, script) => {
  const { parent, rest } = await startUnder({ npm_lifecycle_event: 'start' }, script);
  parent.kill('SIGKILL');
  expect((await rest.next()).value).toBe('told\n');
  expect((await rest.next()).done).toBe(true);
}, TEST_MILLISECONDS);

test('a script that npm did not start outlives its parent', async () => {
  const { parent } = await startUnder({}, `${FOLLOWER['one that goes on']}\nsetTimeout(() => console.log('still there'), 1_500);`);
  parent.kill('SIGKILL');
  const [text] = await once(parent.stdout ?? parent, 'data') as [string];
  expect(text).toBe('still there\n');
}, TEST_MILLISECONDS);
