import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Child } from './child.js';

/** The line that a gateway prints when it listens, with the port. */
export const READY = /Tollgate listening on http:\/\/127\.0\.0\.1:(\d+)/;

interface GatewayProgram {
  /** Arguments of Node: flags, followed by the program. */
  readonly argv: readonly string[];
  /** Environment variables for the allocator of the C library. */
  readonly environment: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly config?: { readonly nodeFlags?: readonly string[]; readonly environment?: Readonly<Record<string, string>> };
}

/** Path of a program's bundle. Older checkouts have none: there, path of what the compiler wrote. */
function programOf(root: string, app: 'gateway' | 'cli'): string {
  const bundle = join(root, 'apps', app, 'bundle/main.js');
  return existsSync(bundle) ? bundle : join(root, 'apps', app, 'dist/main.js');
}

/** The gateway's program in a checkout, with that checkout's flags, because older ones have others. */
export function gatewayProgram(root: string): GatewayProgram {
  const { config = {} } = JSON.parse(readFileSync(join(root, 'apps/gateway/package.json'), 'utf8')) as Manifest;
  return { argv: [...config.nodeFlags ?? [], programOf(root, 'gateway')], environment: config.environment ?? {} };
}

interface StartOptions {
  /** Folder of the compiled checkout. */
  readonly root: string;
  /** Folder for the log, and for the database unless `databaseUrl` is given. */
  readonly folder: string;
  /** URL of an existing database; default: a new SQLite database. */
  readonly databaseUrl?: string;
  /** Environment variables other than those of the database and the port, which is a free one. */
  readonly environment: Readonly<Record<string, string>>;
  /** Maximum number of open descriptors; `null` for the system's limit. */
  readonly descriptorLimit: number | null;
}

export interface StartedGateway {
  readonly port: number;
  readonly child: Child;
  readonly logFile: string;
  /** The command line on the database of the gateway. */
  readonly commandLine: CommandLine;
}

/** The command; with a limit, run by a POSIX shell that sets the limit first. */
function limited([command, ...argv]: readonly [string, ...string[]], descriptorLimit: number | null): { readonly command: string; readonly argv: readonly string[] } {
  if (descriptorLimit === null) return { command, argv };
  return { command: 'sh', argv: ['-c', `ulimit -n ${descriptorLimit}; exec "$@"`, 'sh', command, ...argv] };
}

/** Starts a gateway in production mode, with the flags of `npm start`. Resolves when it listens. */
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

export interface CommandLine {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>> & { readonly DATABASE_URL: string };
}

/** Runs a command of the command line; resolves with its output. Rejects if it fails. */
async function run({ root, environment }: CommandLine, argv: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [programOf(root, 'cli'), ...argv], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
  });
  return stdout;
}

/** True if the command line of the checkout has this command, which older ones may lack. */
export async function hasCommand(commandLine: CommandLine, word: string): Promise<boolean> {
  const help = await run(commandLine, ['--help']);
  return help.split('\n').some((line) => line.trim().split(/[ |]/)[0] === word);
}

export async function createDatabase(commandLine: CommandLine): Promise<void> {
  await run(commandLine, ['database', 'create']);
}

interface NewAccount {
  readonly name: string;
  readonly plan: string;
  /** Credit in service tokens. */
  readonly credit: string;
}

/** Creates an account; resolves with the secret of its first key. */
export async function createAccount(commandLine: CommandLine, { name, plan, credit }: NewAccount): Promise<string> {
  const printed = await run(commandLine, ['accounts', 'create', '--email', `${name}@tools.test`, '--name', name, '--plan', plan, '--credit', credit, '--json']);
  return (JSON.parse(printed) as { readonly key: { readonly secret: string } }).key.secret;
}

interface NewKey {
  /** Id or e-mail address of the account. */
  readonly account: string;
  readonly name: string;
}

/** Creates a key; resolves with its secret. */
export async function createKey(commandLine: CommandLine, { account, name }: NewKey): Promise<string> {
  const printed = await run(commandLine, ['keys', 'create', account, '--name', name, '--json']);
  return (JSON.parse(printed) as { readonly key: { readonly secret: string } }).key.secret;
}

interface NewMachine {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Creates a machine; resolves with its secret. */
export async function createMachine(commandLine: CommandLine, { name, scopes }: NewMachine): Promise<string> {
  const printed = await run(commandLine, ['machines', 'create', name, '--scopes', scopes.join(','), '--json']);
  return (JSON.parse(printed) as { readonly machine: { readonly secret: string } }).machine.secret;
}

/** Creates an operators' webhook for all events; resolves with its secret. */
export async function createWebhook(commandLine: CommandLine, url: string): Promise<string> {
  const printed = await run(commandLine, ['webhooks', 'create', url, '--json']);
  return (JSON.parse(printed) as { readonly webhook: { readonly secret: string } }).webhook.secret;
}

/** Creates an operator; resolves with the token of a link that signs in once. */
export async function createOperator(commandLine: CommandLine, email: string): Promise<string> {
  const { link } = JSON.parse(await run(commandLine, ['operators', 'create', email, '--json'])) as { readonly link: string };
  return /#token=([\w-]+)/.exec(link)?.[1] ?? '';
}

/** What `ledger verify` prints if there are differences; `null` if there are none. */
export async function differencesInLedger(commandLine: CommandLine): Promise<string | null> {
  return run(commandLine, ['ledger', 'verify']).then(() => null, (thrown: unknown) => String((thrown as { readonly stdout?: string }).stdout ?? thrown));
}
