import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, expectThat, type Peer, type World, WRONG_KEY } from './checks.js';
import { installNpmPackage, type ProgramResult, runProgram } from './programs.js';

const PACKAGE = '@anthropic-ai/claude-code';
const TIMEOUT_MILLISECONDS = 60_000;
/** Time within which the client must give up after a refusal. A client that is permitted to retry does so for about three minutes. */
const MAX_REFUSAL_SECONDS = 10;
const PLATFORM_PACKAGE = `${PACKAGE}-${process.platform}-${process.arch}`;

interface Release {
  readonly version: string;
  readonly peer: Peer;
  /** Program and arguments of an installation in this folder. */
  readonly program: (folder: string) => readonly [string, ...string[]];
}

function release(version: string, megabytes: number, program: Release['program']): Release {
  return { version, program, peer: { id: `claude-code-${version}`, megabytes, install: (folder) => installNpmPackage(folder, PACKAGE, version) } };
}

/** The newest releases of two major versions. */
export const CLAUDE_CODE_RELEASES: readonly Release[] = [
  release('1.0.128', 91, (folder) => [process.execPath, join(folder, 'node_modules', PACKAGE, 'cli.js')]),
  release('2.1.332', 364, (folder) => [join(folder, 'node_modules', PLATFORM_PACKAGE, 'claude')]),
];

interface Prompt {
  readonly key: string;
  readonly model: string;
}

/** Sends a prompt. The agent has a home folder of its own, and everything but the conversation is disabled. */
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

function checksOf({ version, peer, program }: Release): readonly Check[] {
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
        const isQuick = result.exitCode !== null && result.exitCode !== 0 && result.seconds < MAX_REFUSAL_SECONDS;
        expectThat(isQuick, `an error within ${MAX_REFUSAL_SECONDS} s`, seen(result));
        expectThat(/key/i.test(result.output), 'a text that names the key', seen(result));
        return seen(result);
      },
    },
    {
      title: `Claude Code ${version} gives up at once on an unknown model`,
      peer,
      run: async (world, folder) => {
        const result = await send(world, program(folder), { key: world.key, model: 'no-such-model' });
        expectThat(result.exitCode !== null && result.exitCode !== 0 && result.seconds < MAX_REFUSAL_SECONDS, `an error within ${MAX_REFUSAL_SECONDS} s`, seen(result));
        return seen(result);
      },
    },
  ];
}

export const CLAUDE_CODE_CHECKS: readonly Check[] = CLAUDE_CODE_RELEASES.flatMap(checksOf);
