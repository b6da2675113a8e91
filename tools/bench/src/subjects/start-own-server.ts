import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ListeningMessage } from '../processes/announce-port.js';
import { MeasuredProcess } from '../processes/measured-process.js';

const START_MILLISECONDS = 15_000;

export interface OwnServer {
  readonly process: MeasuredProcess;
  readonly port: number;
  readonly readyMilliseconds: number;
}

export interface OwnServerOptions {
  readonly name: string;
  /** The program, relative to this package's compiled sources. */
  readonly program: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

function isListening(message: unknown): message is ListeningMessage {
  return typeof message === 'object' && message !== null && 'listening' in message;
}

/** Starts one of the bench's own programs in a process of its own. */
export function startOwnProgram({ name, program, folder, environment }: OwnServerOptions): MeasuredProcess {
  const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
  return MeasuredProcess.start({ name, argv: [path], folder, environment, logFile: join(folder, `${name}.log`) });
}

/** Starts one of the bench's own servers; resolves once it listens. */
export async function startOwnServer(options: OwnServerOptions): Promise<OwnServer> {
  const startedAt = performance.now();
  const process = startOwnProgram(options);
  const { listening } = await process.message(isListening, START_MILLISECONDS);
  return { process, port: listening, readyMilliseconds: performance.now() - startedAt };
}
