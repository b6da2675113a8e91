import { existsSync } from 'node:fs';
import type { Container } from 'inversify';
import { MILLISECONDS_PER_SECOND } from '@tollgate/core';
import { type Environment, unknownNamesIn, VARIABLES, withEnvironmentFile } from '@tollgate/adapters-config';
import type { Gateway } from '../gateway/gateway.js';
import { services } from '../gateway/services.js';
import { type Demo, demoRequests, makeDemoAccount } from './demo-account.js';
import { createGateway } from '../composition/container.js';
import type { RehearsedReplies } from './rehearsal.js';
import { StartRefused } from '../http/server/create-server.js';

interface ProcessOutput {
  write(text: string): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The part of a process that running a gateway needs. */
export interface GatewayProcess {
  /** Node, the program, and what the program was given. */
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
  cwd(): string;
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
  exit(code: number): void;
}

/** What a process does between the opening of its gateway and its first request. */
export interface Preparation {
  readonly rehearse: () => Promise<RehearsedReplies>;
  readonly collectGarbage: () => void;
}

/**
 * Runs the gateway that a process's environment asks for until the process is told to stop. Where it was given arguments, these are
 * answered instead. Resolves with the gateway once it listens; `null` when there is none.
 */
export async function runGateway(process: GatewayProcess, preparation: Preparation): Promise<Gateway | null> {
  const reply = replyToArguments(process.argv.slice(PROGRAM_ARGUMENTS));
  if (reply === null) return start(process, preparation);
  const stream = reply.exitCode === 0 ? process.stdout : process.stderr;
  stream.write(reply.text);
  process.exit(reply.exitCode);
  return null;
}

async function start(process: GatewayProcess, preparation: Preparation): Promise<Gateway | null> {
  // What cannot be printed is not worth ending for; without a listener it would end the process.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  process.stderr.write(unknownNamesIn(process.cwd(), process.env).map((line) => `${line}\n`).join(''));
  try {
    const gateway = await createGateway(withEnvironmentFile(process.env, process.cwd()), (container) =>
      container.rebind(services.preparation).toConstantValue(() => prepare(container, preparation)));
    stopOnSignal(gateway, process);
    const log = gateway.container.get(services.log);
    // Each request handles its own failures. An unhandled rejection is a defect to log, not a reason to drop all other requests.
    process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled promise rejection'));
    const demo = gateway.settings.mode === 'production' ? null : await makeDemoAccount(gateway);
    // The writer holds lines back for a moment: flushed now, they come before the link and the key instead of pushing them off the terminal.
    await gateway.container.get(services.logWriter)?.flush();
    process.stdout.write(announcement(gateway, demo));
    return gateway;
  } catch (thrown) {
    if (!(thrown instanceof StartRefused)) throw thrown;
    process.stderr.write(thrown.problems.map((problem) => `${problem}\n`).join(''));
    process.exit(1);
    return null;
  }
}

/**
 * Collects before the warm-up, since a collection drops compiled code. A warm-up that fails makes the first requests slower and is no
 * reason not to serve them.
 */
async function prepare(container: Container, { rehearse, collectGarbage }: Preparation): Promise<void> {
  collectGarbage();
  if (!container.get(services.configuration).warmUp) return;
  const log = container.get(services.log);
  try {
    log.info({ replies: await rehearse() }, 'warmed up');
  } catch (err) {
    log.warn({ err }, 'the warm-up failed: the first requests will take longer');
  }
}

const KEEPING_ALIVE_MILLISECONDS = 1000;

const SECOND_SIGNAL_EXIT_CODE = 130;

/** The first signal stops the gateway gently, the second at once. */
function stopOnSignal(gateway: Gateway, process: GatewayProcess): void {
  let asked = false;
  const stop = (): void => {
    if (asked) {
      process.exit(SECOND_SIGNAL_EXIT_CODE);
      return;
    }
    asked = true;
    process.stdout.write(stopNotice(gateway));
    // The clock's timers do not keep a process alive, and nothing else might while the last requests are settled.
    const alive = setInterval(() => undefined, KEEPING_ALIVE_MILLISECONDS);
    void close(gateway).then((code) => {
      clearInterval(alive);
      process.exit(code);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Closes a gateway and gives the exit code that says how that went. */
async function close(gateway: Gateway): Promise<number> {
  const { container } = gateway;
  try {
    await gateway.close();
    return 0;
  } catch (err) {
    container.get(services.log).fatal({ err }, 'the shutdown failed');
    return 1;
  } finally {
    await container.get(services.logWriter)?.flush();
  }
}

/** Hosts that stand for every address of the machine. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Where people sign in; with `npm start` the dashboard is built by then. */
function dashboardNotice({ publicUrl, container }: Gateway): string {
  const isBuilt = existsSync(new URL('index.html', container.get(services.dashboardPages)));
  return isBuilt ? `Dashboard: ${publicUrl}/dashboard\n` : 'Dashboard: not built; `npm run build` builds it.\n';
}

/** Where it listens: an address to use on this machine, and who else can reach it. */
function listeningNotice(gateway: Gateway): string {
  const { url, settings: { host } } = gateway;
  const ready = `Tollgate listening on ${url}\n`;
  if (!EVERY_ADDRESS.has(host)) return ready + dashboardNotice(gateway);
  return `${ready}${dashboardNotice(gateway)}HOST=${host}: it also listens on every other address of this machine, so other machines can reach it, without TLS.\n`;
}

/** How the first operator signs in. */
function signInNotice(link: string | null): string {
  if (link === null) return 'No operator exists yet: `npm run tollgate -- operators create EMAIL` makes one.\n\n';
  return `Sign in once, within an hour: ${link}\n\n`;
}

/** What a start prints when the gateway serves. The key is printed this once and stored nowhere. */
function announcement(gateway: Gateway, demo: Demo | null): string {
  const { url } = gateway;
  const ready = listeningNotice(gateway);
  if (demo === null) return ready;
  const { key, model, signInLink } = demo;
  const intro = `${ready}${signInNotice(signInLink)}A demo account was created, with credit. Its key is shown only once:\n\nAPI key: ${key}\n\n`;
  if (model === null) return `${intro}No model is known yet. GET ${url}/v1/models lists them once the upstream has.\n`;
  const { chat, messages, responses } = demoRequests({ url, key, model: model.slug });
  const nature = model.simulated ? ' (simulated)' : '';
  return `${intro}Three requests to begin with; they use the model ${model.slug}${nature}.\n\nChat-completions format:\n\n${chat}\n\nMessages format:\n\n${messages}\n\nResponses format:\n\n${responses}\n\n`;
}

/** What is printed when the gateway is told to stop. */
function stopNotice({ runningRequests, settings }: Gateway): string {
  const { shutdownDelayMilliseconds: delay } = settings;
  if (delay > 0) return `Stopping: serving ${delay / MILLISECONDS_PER_SECOND} s more while /readyz answers 503. A second Ctrl-C (or SIGTERM) ends it at once.\n`;
  if (runningRequests === 0) return 'Stopping.\n';
  const requests = runningRequests === 1 ? '1 running request' : `${runningRequests} running requests`;
  const seconds = settings.shutdownGraceMilliseconds / MILLISECONDS_PER_SECOND;
  return `Stopping: waiting up to ${seconds} s for ${requests}. A second Ctrl-C (or SIGTERM) ends them at once.\n`;
}

/** Printed instead of starting if arguments are given. */
interface ArgumentsReply {
  readonly text: string;
  readonly exitCode: number;
}

const WRONGLY_CALLED = 2;
const HELP_OPTIONS: ReadonlySet<string> = new Set(['--help', '-h']);

function helpText(): string {
  const variables = Object.entries(VARIABLES).map(([name, { default: byDefault, meaning }]) => `  ${name}=${byDefault ?? ''}\n      ${meaning}\n`);
  return `npm start

Starts the gateway, which runs until it is told to stop. It takes no options but --help.

Its settings are environment variables, as in PORT=9000 npm start, or lines of a file named .env beside package.json.
The settings, with their defaults:

${variables.join('')}
See docs/configuration.md. Accounts and keys are made with: npm run -s tollgate -- --help
`;
}

/** The gateway takes its settings from the environment: options that say nothing to it must not look as if they did. `null` when there are none. */
function replyToArguments(given: readonly string[]): ArgumentsReply | null {
  const [first] = given;
  if (first === undefined) return null;
  if (given.some((argument) => HELP_OPTIONS.has(argument))) return { text: helpText(), exitCode: 0 };
  return { text: `Unknown argument ${first}: settings are environment variables, which npm start -- --help lists.\n`, exitCode: WRONGLY_CALLED };
}

const PROGRAM_ARGUMENTS = 2;
