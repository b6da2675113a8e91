import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CACHE, createAccount, makeWorkingFolder, ROOT, startGateway } from '@tollgate/kit';
import {
  type Check, type CheckResult, expectThat, installNpmPackage, installPythonPackages, type Peer, type ProgramResult, pythonIn, runChecks,
  runCheckTool, runOrThrow, runProgram, type World,
} from './checks.js';

const PACKAGE = '@anthropic-ai/claude-code';
const TIMEOUT_MILLISECONDS = 60_000;
/** It retries what it may retry for about three minutes. */
const LONGEST_REFUSAL_SECONDS = 10;
const WRONG_KEY = `sk-${'0'.repeat(48)}`;
const PLATFORM_PACKAGE = `${PACKAGE}-${process.platform}-${process.arch}`;

interface Release {
  readonly version: string;
  readonly megabytes: number;
  /** The program and its first arguments, by the folder it was installed into. */
  readonly program: (folder: string) => readonly [string, ...string[]];
}

const RELEASES: readonly Release[] = [
  { version: '1.0.128', megabytes: 91, program: (folder) => [process.execPath, join(folder, 'node_modules', PACKAGE, 'cli.js')] },
  { version: '2.1.330', megabytes: 364, program: (folder) => [join(folder, 'node_modules', PLATFORM_PACKAGE, 'claude')] },
];

interface Prompt {
  readonly key: string;
  readonly model: string;
}

/** Sends one prompt, with a home folder of its own and everything switched off that is not the conversation. */
async function send({ baseUrl, folder }: World, [command, ...argv]: readonly [string, ...string[]], { key, model }: Prompt): Promise<ProgramResult> {
  mkdirSync(folder, { recursive: true });
  return runProgram({
    command, argv: [...argv, '-p', 'Say hello.'], folder, timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    environment: {
      HOME: folder, ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_API_KEY: key, ANTHROPIC_MODEL: model, ANTHROPIC_SMALL_FAST_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1', DISABLE_ERROR_REPORTING: '1',
    },
  });
}

function seen({ exitCode, seconds, output }: ProgramResult): string {
  return `exit ${exitCode ?? 'none'} after ${seconds.toFixed(1)} s: ${output.split('\n')[0] ?? ''}`;
}

function checksOf({ version, megabytes, program }: Release): readonly Check[] {
  const peer: Peer = { id: `claude-code-${version}`, megabytes, install: (folder) => installNpmPackage(folder, PACKAGE, version) };
  return [
    {
      title: `Claude Code ${version} answers a prompt`,
      peer,
      run: async (world, folder) => {
        const result = await send(world, program(folder), { key: world.key, model: 'sandbox-small' });
        expectThat(result.exitCode === 0 && result.output.includes('simulated reply'), 'a reply of the sandbox model', seen(result));
        return seen(result).slice(0, 160);
      },
    },
    {
      title: `Claude Code ${version} gives up at once with a wrong key`,
      peer,
      run: async (world, folder) => {
        const result = await send(world, program(folder), { key: WRONG_KEY, model: 'sandbox-small' });
        const isQuick = result.exitCode !== null && result.exitCode !== 0 && result.seconds < LONGEST_REFUSAL_SECONDS;
        expectThat(isQuick, `an error within ${LONGEST_REFUSAL_SECONDS} s`, seen(result));
        expectThat(/key/i.test(result.output), 'a text that names the key', seen(result));
        return seen(result);
      },
    },
    {
      title: `Claude Code ${version} gives up at once on an unknown model`,
      peer,
      run: async (world, folder) => {
        const result = await send(world, program(folder), { key: world.key, model: 'no-such-model' });
        expectThat(result.exitCode !== null && result.exitCode !== 0 && result.seconds < LONGEST_REFUSAL_SECONDS, `an error within ${LONGEST_REFUSAL_SECONDS} s`, seen(result));
        return seen(result);
      },
    },
  ];
}

/** The coding agent in two major releases. */
const CLAUDE_CODE_CHECKS: readonly Check[] = RELEASES.flatMap(checksOf);

const SDK_RELEASES = ['openai==3.54.0', 'anthropic==2.12.0'];

const PEER: Peer = { id: 'python-sdks', megabytes: 106, install: (folder) => installPythonPackages(folder, SDK_RELEASES) };

/** The functions of `python/sdk_checks.py`, each of which prints what it saw or raises. */
const SDK_SCRIPTS: readonly (readonly [name: string, title: string])[] = [
  ['openai_whole', 'Python openai: a whole reply with its receipt'],
  ['openai_stream', 'Python openai: a stream that ends with its receipt'],
  ['openai_wrong_key', 'Python openai: a wrong key is refused in one request'],
  ['openai_context_field', 'Python openai: a prompt that does not fit is refused in the words of its own format'],
  ['anthropic_first_block', 'Python anthropic: content[0].text of a reasoning model without a reasoning setting'],
  ['anthropic_stream', 'Python anthropic: a stream of a reasoning model begins with text'],
  ['anthropic_thinking', 'Python anthropic: thinking is shown where it is asked for'],
  ['anthropic_wrong_key', 'Python anthropic: a wrong key is refused in one request'],
];

const PYTHON_SDK_CHECKS: readonly Check[] = SDK_SCRIPTS.map(([name, title]) => ({
  title,
  peer: PEER,
  run: async ({ baseUrl, key, folder }, peerFolder) => {
    mkdirSync(folder, { recursive: true });
    const script = fileURLToPath(new URL('../python/sdk_checks.py', import.meta.url));
    const { output } = await runOrThrow({
      command: pythonIn(peerFolder), argv: [script, name], folder, environment: { BASE_URL: baseUrl, KEY: key }, timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    });
    return output;
  },
}));

const CHECKS = [...PYTHON_SDK_CHECKS, ...CLAUDE_CODE_CHECKS];

const HELP = `Tries a gateway of its own, with the sandbox models, with real clients that are too large to be test dependencies:
the official Python SDKs and two major releases of Claude Code. Installs them from PyPI and npm, about 560 MB, the first time.
The clients talk to this machine alone. Needs python3 with venv.

npm run clients -- [options]

  --only TEXT          only checks whose title contains this
  --gateway FOLDER     the compiled gateway of another checkout
  --help               prints this

The exit code is 1 when a check failed.
`;

interface ClientOptions {
  readonly checks: readonly Check[];
  readonly root: string;
}

async function run({ checks, root }: ClientOptions): Promise<readonly CheckResult[]> {
  const work = makeWorkingFolder('clients');
  const gateway = await startGateway({ root, folder: work, environment: {}, descriptorLimit: null });
  try {
    const key = await createAccount(gateway.commandLine, { name: 'client', plan: 'pro', credit: '1000000' });
    return await runChecks(checks, {
      world: { baseUrl: `http://127.0.0.1:${gateway.port}`, key },
      folders: { peers: join(CACHE, 'peers'), work },
      terminal: { out: (text) => process.stdout.write(text), progress: (text) => process.stderr.write(`${text}\n`) },
    });
  } finally {
    await gateway.child.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

/** `null` when the help was asked for. */
function readOptions(argv: readonly string[]): ClientOptions | null {
  const { values } = parseArgs({
    args: [...argv], options: { only: { type: 'string' }, gateway: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) return null;
  const checks = CHECKS.filter(({ title }) => title.includes(values.only ?? ''));
  if (checks.length === 0) throw new Error(`--only: no check has ${values.only ?? ''} in its title`);
  return { checks, root: values.gateway === undefined ? ROOT : resolve(values.gateway) };
}

await runCheckTool({ help: HELP, readOptions, run });
