import { existsSync } from 'node:fs';
import type { Container } from 'inversify';
import { type Environment, unknownNamesIn, VARIABLES, withEnvironmentFile } from '@tollgate/adapters-config';
import type { Gateway } from '../gateway/gateway.js';
import { services } from '../composition/services.js';
import { adviseOnFirstOperator } from '../dashboard/call/first-operator.js';
import { type Demo, demoRequests, makeDemoAccount } from './demo-account.js';
import { createGateway } from '../composition/container.js';
import { type SignalledProcess, StopSignals } from './stop-signals.js';
import { StartRefused } from '../http/server/start-refused.js';

interface ProcessOutput {
  write(text: string): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface GatewayProcess extends SignalledProcess {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
  cwd(): string;
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
}

/** Called between opening and listening. */
type CollectGarbage = () => void;

/** Runs until a signal. Arguments are answered instead of starting the gateway. Resolves once the gateway listens; `null` if no gateway runs. */
export async function runGateway(process: GatewayProcess, collectGarbage: CollectGarbage): Promise<Gateway | null> {
  const reply = replyToArguments(process.argv.slice(PROGRAM_ARGUMENTS));
  if (reply === null) return start(process, collectGarbage);
  const stream = reply.exitCode === 0 ? process.stdout : process.stderr;
  stream.write(reply.text);
  process.exit(reply.exitCode);
  return null;
}

async function start(process: GatewayProcess, collectGarbage: CollectGarbage): Promise<Gateway | null> {
  // Failing to print must not end the process, as it would without a listener.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  const stop = new StopSignals(process);
  process.stderr.write(unknownNamesIn(process.cwd(), process.env).map((line) => `${line}\n`).join(''));
  try {
    const gateway = await createGateway(withEnvironmentFile(process.env, process.cwd()), (container) =>
      container.rebind(services.preparation).toConstantValue(() => prepare({ container, process, collectGarbage, stop })));
    stop.closes(gateway);
    await announce(gateway, process, stop);
    return gateway;
  } catch (thrown) {
    if (stop.signal.aborted) {
      stop.startFailed();
      return null;
    }
    if (!(thrown instanceof StartRefused)) throw thrown;
    process.stderr.write(thrown.problems.map((problem) => `${problem}\n`).join(''));
    process.exit(1);
    return null;
  }
}

/** Prints addresses and first steps, unless the gateway is stopping. */
async function announce(gateway: Gateway, process: GatewayProcess, stop: StopSignals): Promise<void> {
  const demo = gateway.settings.mode === 'production' || stop.signal.aborted ? null : await makeDemoAccount(gateway);
  await adviseOnFirstOperator(gateway.container.get(services.people), gateway.container.get(services.log));
  // The writer buffers lines briefly. Flushed now, they are printed before the link and the key.
  await gateway.container.get(services.logWriter)?.flush();
  if (!stop.signal.aborted) process.stdout.write(announcement(gateway, demo));
}

interface PreparedStart {
  readonly container: Container;
  readonly process: GatewayProcess;
  readonly collectGarbage: CollectGarbage;
  readonly stop: StopSignals;
}

/** Throws if a signal arrived, so that the gateway releases its lease. */
function prepare({ container, process, collectGarbage, stop }: PreparedStart): void {
  const log = container.get(services.log);
  stop.waitForStart();
  // Each request handles its own failures. An unhandled rejection is a defect to log, not a reason to end all requests.
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled promise rejection'));
  collectGarbage();
  stop.signal.throwIfAborted();
}

const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

function dashboardNotice({ publicUrl, container }: Gateway): string {
  const isBuilt = existsSync(new URL('index.html', container.get(services.dashboardPages)));
  return isBuilt ? `Dashboard: ${publicUrl}/dashboard\n` : 'Dashboard: not built; `npm run build` builds it.\n';
}

function listeningNotice(gateway: Gateway): string {
  const { url, settings: { host } } = gateway;
  const ready = `Tollgate listening on ${url}\n`;
  if (!EVERY_ADDRESS.has(host)) return ready + dashboardNotice(gateway);
  return `${ready}${dashboardNotice(gateway)}HOST=${host}: it also listens on every other address of this machine, so other machines can reach it, without TLS.\n`;
}

function signInNotice(link: string | null): string {
  return link === null ? '' : `Sign in once, within an hour: ${link}\n\n`;
}

/** The key is printed once, and stored nowhere in plaintext. */
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

/** Printed instead of starting. */
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

/** Refuses unknown options, because settings come from the environment and an ignored option would look effective. `null` without arguments. */
function replyToArguments(given: readonly string[]): ArgumentsReply | null {
  const [first] = given;
  if (first === undefined) return null;
  if (given.some((argument) => HELP_OPTIONS.has(argument))) return { text: helpText(), exitCode: 0 };
  return { text: `Unknown argument ${first}: settings are environment variables, which npm start -- --help lists.\n`, exitCode: WRONGLY_CALLED };
}

const PROGRAM_ARGUMENTS = 2;
