import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CACHE, Child, createAccount, makeWorkingFolder, ROOT, startGateway } from '@tollgate/kit';
import { type CheckResult, runChecks, runCheckTool } from './checks.js';
import { ask, at, CONTEXT_TOKENS, LLAMA_CPP, llamaChecks, type ModelScript } from './llama-checks.js';
import { pythonIn, runOrThrow } from './programs.js';

const SCRIPTS: readonly ModelScript[] = ['plain', 'thinking', 'tool'];
const KINDS = ['openai', 'anthropic', 'responses'] as const;

const HELP = `Puts a gateway of its own before llama.cpp's real HTTP server, with three tiny models that say what their script says,
once as an upstream of each kind. Installs the server from PyPI, about 210 MB, the first time.
Everything stays on this machine. Needs python3 with venv.

npm run servers -- [options]

  --kind KIND          openai, anthropic or responses alone
  --gateway FOLDER     the compiled gateway of another checkout
  --help               prints this

The exit code is 1 when a check failed.
`;

const ADDRESS = /listening on (http:\/\/127\.0\.0\.1:\d+)/;
const WRITING_MILLISECONDS = 60_000;

function pythonProgram(name: string): string {
  return fileURLToPath(new URL(`../python/${name}`, import.meta.url));
}

interface LlamaServer {
  /** URL without the path of the API's version. */
  readonly url: string;
  readonly child: Child;
}

/** Creates a tiny model, and serves it by llama.cpp. */
async function startLlamaServer(model: ModelScript, folder: string, peerFolder: string): Promise<LlamaServer> {
  const file = join(folder, `${model}.gguf`);
  const python = pythonIn(peerFolder);
  await runOrThrow({ command: python, argv: [pythonProgram('tiny_model.py'), file, model], folder, environment: {}, timeoutMilliseconds: WRITING_MILLISECONDS });
  const child = Child.start({
    name: 'llama.cpp', command: python, argv: [pythonProgram('serve_model.py'), file, `${CONTEXT_TOKENS}`], folder, environment: {}, logFile: join(folder, 'llama.log'),
  });
  const [, url = ''] = await child.printed(ADDRESS);
  return { url, child };
}

interface ServerOptions {
  readonly kinds: readonly string[];
  readonly root: string;
}

interface Stage extends ServerOptions {
  readonly work: string;
  readonly peers: string;
}

async function runKind(script: ModelScript, kind: string, { server, stage }: { readonly server: LlamaServer; readonly stage: Stage }): Promise<readonly CheckResult[]> {
  const { root, work, peers } = stage;
  const folder = join(work, `${script}-${kind}`);
  const environment = { UPSTREAM_BASE_URL: server.url, UPSTREAM_KIND: kind };
  const gateway = await startGateway({ root, folder, environment, descriptorLimit: null });
  try {
    const { commandLine } = gateway;
    const account = { plan: 'pro', credit: '1000000' };
    const [key, otherKey] = [await createAccount(commandLine, { ...account, name: 'one' }), await createAccount(commandLine, { ...account, name: 'other' })];
    const baseUrl = `http://127.0.0.1:${gateway.port}`;
    const models = await ask({ baseUrl, key }, '/v1/models', null);
    const model = String(at(models.events[0], 'data.0.id'));
    const terminal = { out: (text: string) => process.stdout.write(text), progress: (text: string) => process.stderr.write(`${text}\n`) };
    return await runChecks(llamaChecks(script, kind), { world: { baseUrl, key, otherKey, model }, folders: { peers, work: folder }, terminal });
  } finally {
    await gateway.child.stop();
  }
}

/** Runs the checks of a model once for each kind of upstream. */
async function runModel(script: ModelScript, peerFolder: string, stage: Stage): Promise<readonly CheckResult[]> {
  const server = await startLlamaServer(script, stage.work, peerFolder);
  const results: CheckResult[] = [];
  for (const kind of stage.kinds) results.push(...await runKind(script, kind, { server, stage }));
  await server.child.stop();
  return results;
}

async function runAll(options: ServerOptions): Promise<readonly CheckResult[]> {
  const stage = { ...options, work: makeWorkingFolder('servers'), peers: join(CACHE, 'peers') };
  const peerFolder = join(stage.peers, LLAMA_CPP.id);
  process.stderr.write(`Installing ${LLAMA_CPP.id}, about ${LLAMA_CPP.megabytes} MB unless it is there\n`);
  await LLAMA_CPP.install(peerFolder);
  const results: CheckResult[] = [];
  try {
    for (const script of SCRIPTS) results.push(...await runModel(script, peerFolder, stage));
    return results;
  } finally {
    rmSync(stage.work, { recursive: true, force: true });
  }
}

/** Reads the options; `null` for the help. */
function readOptions(argv: readonly string[]): ServerOptions | null {
  const { values } = parseArgs({
    args: [...argv], options: { kind: { type: 'string' }, gateway: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) return null;
  const kinds = KINDS.filter((kind) => values.kind === undefined || kind === values.kind);
  if (kinds.length === 0) throw new Error(`--kind: ${values.kind ?? ''} is not one of ${KINDS.join(', ')}`);
  return { kinds, root: values.gateway === undefined ? ROOT : resolve(values.gateway) };
}

await runCheckTool({ help: HELP, readOptions, run: runAll });
