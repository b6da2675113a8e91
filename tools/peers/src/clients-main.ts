import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CACHE, createAccount, makeWorkingFolder, ROOT, startGateway } from '@tollgate/kit';
import { type Check, type CheckResult, runChecks, runCheckTool } from './checks.js';
import { CLAUDE_CODE_CHECKS, PYTHON_SDK_CHECKS } from './clients.js';

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
