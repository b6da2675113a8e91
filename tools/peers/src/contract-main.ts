import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CACHE, createAccount, createMachine, type OptionsReading, readingOf, ROOT, runTool, startGateway, type StartedGateway, type Terminal, wholeNumber } from '@tollgate/kit';
import { installPythonPackages, type ProgramResult, runProgram } from './programs.js';

const SCHEMATHESIS = '4.32.5';
const MACHINES = 20;
const SCOPES = ['accounts:read', 'accounts:write', 'money:write', 'usage:read', 'events:read', 'webhooks:write', 'controls:write', 'keys:write'] as const;
const SURFACES = ['v1', 'admin'] as const;
type Surface = (typeof SURFACES)[number];
/** Settings of the gateway without the limits that would slow down the run. */
const ENVIRONMENT = { ADMIN_KEYS: 'on', LOG_LEVEL: 'error', UNBILLED_PER_MINUTE_KEY: '0', UNBILLED_PER_MINUTE_ACCOUNT: '0', UNBILLED_PER_MINUTE_ADDRESS: '0', REFUSAL_DELAY_MS: '0' };
const MAX_RUN_MILLISECONDS = 3_600_000;

const HELP = `Tries every described operation with schemathesis: requests made from the OpenAPI document, valid and invalid ones, each answer
compared with it. Finds server errors, and statuses and shapes that the document lacks. Needs python3 with venv; installs schemathesis
${SCHEMATHESIS} from PyPI the first time.

npm run contract -- [options]

  --surface NAME   v1, admin, or both (default)
  --examples N     for each operation (default 100, which takes about five minutes for both)
  --seed N         of the random requests (default 1)
  --help           prints this

The exit code is 1 if something was found.
`;

/** Configuration of schemathesis. A valid request may get 400 for what a schema cannot express, such as an unknown model or a time in the past. */
const CONFIGURATION = `[checks]
positive_data_acceptance.expected-statuses = ["2xx", "3xx", "400", "401", "403", "404", "409", "410", "429", "5xx"]
`;

/**
 * Checks of schemathesis that demand more than the document states: `/v1` treats an empty parameter as absent, and `Allow` names routes that explain
 * a refusal.
 */
const EXCLUDED: Readonly<Record<Surface, readonly string[]>> = { v1: ['negative_data_rejection', 'allow_header_conformance'], admin: [] };

interface ContractOptions {
  readonly surfaces: readonly Surface[];
  readonly examples: string;
  readonly seed: string;
}

const MAX_COUNT = 999_999_999;

function whole(option: string, text: string): string {
  return `${wholeNumber(option, text, MAX_COUNT)}`;
}

function surfacesOf(text: string): readonly Surface[] {
  const named = text === 'both' ? SURFACES : SURFACES.filter((surface) => surface === text);
  if (named.length === 0) throw new Error(`--surface must be one of ${SURFACES.join(', ')} or both, not ${text}`);
  return named;
}

function readOptions(argv: readonly string[]): OptionsReading<ContractOptions> {
  return readingOf(() => {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ args: [...argv], options: { surface: text, examples: text, seed: text, help: { type: 'boolean', short: 'h', default: false } } });
    return values.help ? null : { surfaces: surfacesOf(values.surface ?? 'both'), examples: whole('--examples', values.examples ?? '100'), seed: whole('--seed', values.seed ?? '1') };
  });
}

type Answer = Readonly<Record<string, unknown>> & { readonly data?: readonly Readonly<Record<string, unknown>>[] };

/** What the hooks of schemathesis get: secrets, and existing ids by the first segment of the path and the parameter's name. */
interface ContractWorld {
  readonly secrets: readonly string[];
  readonly ids: Readonly<Record<string, readonly unknown[]>>;
}

async function createWorlds({ port, commandLine }: StartedGateway): Promise<Readonly<Record<Surface, ContractWorld>>> {
  const privileged = { ...commandLine, environment: { ...commandLine.environment, ADMIN_KEYS: 'on' } };
  const key = await createAccount(commandLine, { name: 'contract', plan: 'pro', credit: '1000000' });
  const machines: string[] = [];
  for (let number = 0; number < MACHINES; number += 1) machines.push(await createMachine(privileged, { name: `contract-${number}`, scopes: SCOPES }));
  const call = async (secret: string, path: string, body?: unknown): Promise<Answer> => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { ...sent, headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' } });
    return await reply.json() as Answer;
  };
  const [machine = ''] = machines;
  for (let request = 0; request < 3; request += 1) await call(key, '/v1/chat/completions', { model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello' }] });
  const account = await call(machine, '/admin/v1/accounts', { email: 'customer@example.com', name: 'Customer', external_id: 'customer-1' });
  const issued = await call(machine, '/admin/v1/accounts/external:customer-1/keys', { name: 'laptop' });
  const webhook = await call(machine, '/admin/v1/webhooks', { url: 'http://127.0.0.1:9/webhooks' });
  const [usage, events] = [await call(machine, '/admin/v1/usage'), await call(machine, '/admin/v1/events')];
  const requests = usage.data?.map(({ request_id: id }) => id) ?? [];
  return {
    v1: { secrets: [key], ids: { 'v1.request_id': requests } },
    admin: {
      secrets: machines,
      ids: {
        'accounts.id': [account['id'], 'external:customer-1'], 'accounts.key': [issued['id']], 'webhooks.id': [webhook['id']], 'usage.request_id': requests,
        'events.event_id': events.data?.map(({ id }) => id) ?? [],
      },
    },
  };
}

interface SurfaceRun {
  readonly surface: Surface;
  readonly world: ContractWorld;
  readonly gatewayUrl: string;
  /** Folder that contains the configuration. */
  readonly work: string;
}

/** Folder with schemathesis and its dependencies. */
const INSTALLATION = join(CACHE, 'peers', 'schemathesis');

function trySurface({ surface, world, gatewayUrl, work }: SurfaceRun, { examples, seed }: ContractOptions): Promise<ProgramResult> {
  const excluded = EXCLUDED[surface].length === 0 ? [] : ['--exclude-checks', EXCLUDED[surface].join(',')];
  return runProgram({
    command: join(INSTALLATION, 'venv/bin/schemathesis'), folder: work, timeoutMilliseconds: MAX_RUN_MILLISECONDS,
    argv: [
      'run', `${gatewayUrl}/openapi.json?surface=${surface}`, '--url', surface === 'v1' ? gatewayUrl : `${gatewayUrl}/admin/v1`, '--checks', 'all', ...excluded,
      '--max-examples', examples, '--seed', seed, '--phases', 'examples,coverage,fuzzing', '--continue-on-failure',
    ],
    environment: { SCHEMATHESIS_HOOKS: 'contract_hooks', PYTHONPATH: join(ROOT, 'tools/peers/python'), PYTHONDONTWRITEBYTECODE: '1', CONTRACT_WORLD: JSON.stringify(world) },
  });
}

/** Runs schemathesis on each surface; resolves with true if it found nothing. */
async function tryContract(options: ContractOptions, work: string, { progress, out }: Terminal): Promise<boolean> {
  await installPythonPackages(INSTALLATION, [`schemathesis==${SCHEMATHESIS}`]);
  const gateway = await startGateway({ root: ROOT, folder: join(work, 'gateway'), environment: ENVIRONMENT, descriptorLimit: null });
  try {
    const worlds = await createWorlds(gateway);
    writeFileSync(join(work, 'schemathesis.toml'), CONFIGURATION);
    const exitCodes: (number | null)[] = [];
    for (const surface of options.surfaces) {
      progress(`${surface}: ${options.examples} examples for each operation`);
      const { exitCode, output } = await trySurface({ surface, world: worlds[surface], gatewayUrl: `http://127.0.0.1:${gateway.port}`, work }, options);
      out(`${output}\n`);
      exitCodes.push(exitCode);
    }
    return exitCodes.every((exitCode) => exitCode === 0);
  } finally {
    await gateway.child.stop();
  }
}

await runTool(async (argv, terminal) => {
  const reading = readOptions(argv);
  if (reading.outcome !== 'run') {
    terminal.out(reading.outcome === 'help' ? HELP : `${reading.problem}\n\n${HELP}`);
    return reading.outcome === 'help' ? 0 : 2;
  }
  const work = mkdtempSync(join(tmpdir(), 'tollgate-contract-'));
  try {
    return await tryContract(reading.options, work, terminal) ? 0 : 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
