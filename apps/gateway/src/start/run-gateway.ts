import { type Environment, unknownNamesIn, withEnvironmentFile } from '@tollgate/adapters-config';
import { createGateway } from '../composition/container.js';
import { services } from '../gateway/services.js';
import { StartRefused } from '../http/server/listening.js';
import type { Gateway } from '../gateway/gateway.js';
import { announcement, replyToArguments, stopNotice } from './announce.js';
import { makeDemoAccount } from './demo-account.js';

export interface ProcessOutput {
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

const PROGRAM_ARGUMENTS = 2;
const SECOND_SIGNAL_EXIT_CODE = 130;
const KEEPING_ALIVE_MILLISECONDS = 1000;

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

async function start(process: GatewayProcess): Promise<Gateway | null> {
  // What cannot be printed is not worth ending for; without a listener it would end the process.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  process.stderr.write(unknownNamesIn(process.cwd(), process.env).map((line) => `${line}\n`).join(''));
  try {
    const gateway = await createGateway(withEnvironmentFile(process.env, process.cwd()));
    stopOnSignal(gateway, process);
    const log = gateway.container.get(services.log);
    // Each request handles its own failures. An unhandled rejection is a defect to log, not a reason to drop all other requests.
    process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled promise rejection'));
    const demo = gateway.settings.mode === 'production' ? null : await makeDemoAccount(gateway);
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
 * Runs the gateway that a process's environment asks for until the process is told to stop. Where it was given arguments, these are
 * answered instead. Resolves with the gateway once it listens; `null` when there is none.
 */
export async function runGateway(process: GatewayProcess): Promise<Gateway | null> {
  const reply = replyToArguments(process.argv.slice(PROGRAM_ARGUMENTS));
  if (reply === null) return start(process);
  const stream = reply.exitCode === 0 ? process.stdout : process.stderr;
  stream.write(reply.text);
  process.exit(reply.exitCode);
  return null;
}
