import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Child } from './child.js';

/** What a gateway prints once it listens, with its port. */
export const READY = /Tollgate listening on http:\/\/127\.0\.0\.1:(\d+)/;

/** How a checkout's `npm start` runs its gateway. */
interface GatewayProgram {
  /** The flags of Node and the compiled program. */
  readonly argv: readonly string[];
  /** Settings of the C library's allocator. */
  readonly environment: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly config?: { readonly nodeFlags?: readonly string[]; readonly environment?: Readonly<Record<string, string>> };
}

/** Reads how the compiled gateway of a checkout is started; older checkouts have other flags. */
export function gatewayProgram(root: string): GatewayProgram {
  const { config = {} } = JSON.parse(readFileSync(join(root, 'apps/gateway/package.json'), 'utf8')) as Manifest;
  return { argv: [...config.nodeFlags ?? [], join(root, 'apps/gateway/dist/main.js')], environment: config.environment ?? {} };
}

interface StartOptions {
  /** The root of the checkout whose compiled gateway is started. */
  readonly root: string;
  /** Takes its log, and its database where `databaseUrl` is not given. */
  readonly folder: string;
  /** A database that exists; a new SQLite database where it is not given. */
  readonly databaseUrl?: string;
  /** Settings besides the database and the port, which is any free one. */
  readonly environment: Readonly<Record<string, string>>;
  /** Descriptors that its process may open; `null` leaves the machine's own limit. */
  readonly descriptorLimit: number | null;
}

export interface StartedGateway {
  readonly port: number;
  readonly child: Child;
  readonly logFile: string;
  /** For its database. */
  readonly commandLine: CommandLine;
}

/** A program with its arguments, under a limit that only a POSIX shell can set. */
function limited([command, ...argv]: readonly [string, ...string[]], descriptorLimit: number | null): { readonly command: string; readonly argv: readonly string[] } {
  if (descriptorLimit === null) return { command, argv };
  return { command: 'sh', argv: ['-c', `ulimit -n ${descriptorLimit}; exec "$@"`, 'sh', command, ...argv] };
}

/** Starts the compiled gateway with the flags of `npm start` and in production mode. Resolves once it listens. */
export async function startGateway({ root, folder, environment, descriptorLimit, databaseUrl: given }: StartOptions): Promise<StartedGateway> {
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, 'gateway.log');
  const databaseUrl = given ?? `sqlite:${join(folder, 'data', 'tollgate.db')}`;
  const program = gatewayProgram(root);
  const child = Child.start({
    name: 'the gateway', ...limited([process.execPath, ...program.argv], descriptorLimit), folder, logFile,
    environment: { ...program.environment, NODE_ENV: 'production', PORT: '0', DATABASE_URL: databaseUrl, ...environment },
  });
  const [, port] = await child.printed(READY);
  return { port: Number(port), child, logFile, commandLine: { root, environment: { DATABASE_URL: databaseUrl } } };
}

/** The compiled command line of a checkout, and the settings that it runs with. */
export interface CommandLine {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>> & { readonly DATABASE_URL: string };
}

/** Runs a command and resolves with what it prints; rejects if the command fails. */
async function run({ root, environment }: CommandLine, argv: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'apps/cli/dist/main.js'), ...argv], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
  });
  return stdout;
}

/** Whether the command line has commands that begin with this word, which those of older checkouts may lack. */
export async function hasCommand(commandLine: CommandLine, word: string): Promise<boolean> {
  const help = await run(commandLine, ['--help']);
  return help.split('\n').some((line) => line.trim().split(/[ |]/)[0] === word);
}

/** Creates the database with the schema of the checkout. */
export async function createDatabase(commandLine: CommandLine): Promise<void> {
  await run(commandLine, ['database', 'create']);
}

interface NewAccount {
  readonly name: string;
  readonly plan: string;
  /** In service tokens. */
  readonly credit: string;
}

/** Creates an account with one key, and resolves with the key in clear. */
export async function createAccount(commandLine: CommandLine, { name, plan, credit }: NewAccount): Promise<string> {
  const printed = await run(commandLine, ['accounts', 'create', '--email', `${name}@tools.test`, '--name', name, '--plan', plan, '--credit', credit, '--json']);
  return (JSON.parse(printed) as { readonly key: { readonly secret: string } }).key.secret;
}

interface NewKey {
  /** Id or e-mail address. */
  readonly account: string;
  readonly name: string;
}

/** Creates a further key of an account, and resolves with the key in clear. */
export async function createKey(commandLine: CommandLine, { account, name }: NewKey): Promise<string> {
  const printed = await run(commandLine, ['keys', 'create', account, '--name', name, '--json']);
  return (JSON.parse(printed) as { readonly key: { readonly secret: string } }).key.secret;
}

/** Makes the person with this e-mail address an operator. */
export async function createOperator(commandLine: CommandLine, email: string): Promise<void> {
  await run(commandLine, ['operators', 'create', email, '--json']);
}
