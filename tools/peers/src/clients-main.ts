import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CACHE, createAccount, ROOT, startGateway } from '@tollgate/kit';
import { aiSdkChecks } from './ai-sdk-checks.js';
import { type Check, type CheckResult, runChecks, runCheckTool } from './checks.js';
import { CLAUDE_CODE_CHECKS } from './claude-code-checks.js';
import { codexChecks } from './codex-checks.js';
import { opencodeChecks } from './opencode-checks.js';
import { PYTHON_SDK_CHECKS, pythonAgentChecks } from './python-checks.js';
import { SESSION_CHECKS } from './session-checks.js';
import { inScriptedWorld, SCRIPTED_KINDS, type ScriptedKind, type ScriptedWorld } from './scripted-world.js';
import { inStrictWorld, type StrictWorld } from './strict-world.js';

const HELP = `Tries gateways of its own with real clients that are too large to be test dependencies, over real sockets:
the official Python SDKs and two major releases of Claude Code with the sandbox models; Codex, opencode, the AI SDK, openai-agents
and pydantic-ai with an upstream that says what its script says, once of each kind;
sessions of ten turns of Claude Code and Codex with vendors that enforce their published rules.
Installs them from PyPI and npm, about 1.3 GB, the first time. The clients talk to this machine alone. Needs python3 with venv.
A check whose client cannot be installed is skipped, and the line says why.

npm run clients -- [options]

  --only TEXT          only checks whose title contains this
  --gateway FOLDER     the compiled gateway of another checkout
  --help               prints this

The exit code is 1 when a check failed, else 2 when one was skipped.
`;

/** Checks that use a scripted upstream of one kind. */
interface ScriptedGroup {
  readonly kind: ScriptedKind;
  readonly checks: readonly Check<ScriptedWorld>[];
}

interface ClientOptions {
  readonly sandboxChecks: readonly Check[];
  readonly scriptedGroups: readonly ScriptedGroup[];
  readonly sessionChecks: readonly Check<StrictWorld>[];
  readonly root: string;
}

const TERMINAL = { out: (text: string) => process.stdout.write(text), progress: (text: string) => process.stderr.write(`${text}\n`) };
const PEERS = join(CACHE, 'peers');

async function runSandboxChecks({ sandboxChecks, root }: ClientOptions, work: string): Promise<readonly CheckResult[]> {
  if (sandboxChecks.length === 0) return [];
  const gateway = await startGateway({ root, folder: work, environment: {}, descriptorLimit: null });
  try {
    const key = await createAccount(gateway.commandLine, { name: 'client', plan: 'pro', credit: '1000000' });
    const world = { baseUrl: `http://127.0.0.1:${gateway.port}`, key };
    return await runChecks(sandboxChecks, { world, folders: { peers: PEERS, work }, terminal: TERMINAL });
  } finally {
    await gateway.child.stop();
  }
}

async function runSessionChecks({ sessionChecks, root }: ClientOptions, folder: string): Promise<readonly CheckResult[]> {
  if (sessionChecks.length === 0) return [];
  return inStrictWorld({ root, folder }, (world) => runChecks(sessionChecks, { world, folders: { peers: PEERS, work: folder }, terminal: TERMINAL }));
}

async function run(options: ClientOptions): Promise<readonly CheckResult[]> {
  // The folder is outside this checkout, because coding agents read the instructions of the repository in which they run.
  const work = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
  try {
    const results = [...await runSandboxChecks(options, join(work, 'sandbox')), ...await runSessionChecks(options, join(work, 'strict'))];
    for (const { kind, checks } of options.scriptedGroups) {
      const folder = join(work, kind);
      results.push(...await inScriptedWorld({ root: options.root, folder, kind }, (world) => (
        runChecks(checks, { world, folders: { peers: PEERS, work: folder }, terminal: TERMINAL })
      )));
    }
    return results;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function scriptedChecks(kind: ScriptedKind): readonly Check<ScriptedWorld>[] {
  return [...codexChecks(kind), ...opencodeChecks(kind), ...aiSdkChecks(kind), ...pythonAgentChecks(kind)];
}

/** Reads the options; `null` for the help. */
function readOptions(argv: readonly string[]): ClientOptions | null {
  const { values } = parseArgs({
    args: [...argv], options: { only: { type: 'string' }, gateway: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) return null;
  const chosen = ({ title }: { readonly title: string }): boolean => title.includes(values.only ?? '');
  const sandboxChecks = [...PYTHON_SDK_CHECKS, ...CLAUDE_CODE_CHECKS].filter(chosen);
  const scriptedGroups = SCRIPTED_KINDS.map((kind) => ({ kind, checks: scriptedChecks(kind).filter(chosen) })).filter(({ checks }) => checks.length > 0);
  const sessionChecks = SESSION_CHECKS.filter(chosen);
  if (sandboxChecks.length + scriptedGroups.length + sessionChecks.length === 0) throw new Error(`--only: no check has ${values.only ?? ''} in its title`);
  return { sandboxChecks, scriptedGroups, sessionChecks, root: values.gateway === undefined ? ROOT : resolve(values.gateway) };
}

await runCheckTool({ help: HELP, readOptions, run });
