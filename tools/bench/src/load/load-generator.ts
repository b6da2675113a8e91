import type { MeasuredProcess } from '../processes/measured-process.js';
import type { Body } from '../requests/body.js';
import { startOwnProgram } from '../subjects/start-own-server.js';
import type { RunningSubject } from '../subjects/subject.js';
import { isLoadResult, type LoadCommand, type LoadResult, type LoadTarget } from './load-messages.js';

/** How long a load may go on beyond its time: streams that have begun are read to their end. */
const GRACE_MILLISECONDS = 120_000;

/** Requests with this body to this server. */
export function targetOf({ port, path, headers, keys }: RunningSubject, body: Body): LoadTarget {
  return { port, path, headers, keys, body };
}

/** The process that all load comes from. */
export class LoadGenerator {
  private constructor(readonly process: MeasuredProcess) {}

  static start(folder: string): LoadGenerator {
    return new LoadGenerator(startOwnProgram({ name: 'load', program: 'load/load-main.js', folder, environment: {} }));
  }

  /** Throws when a reply failed: figures of a server that does not serve say nothing. */
  async run(command: LoadCommand): Promise<LoadResult> {
    const result = this.process.message(isLoadResult, command.milliseconds + GRACE_MILLISECONDS);
    this.process.send(command);
    const { failed, firstFailure, ...rest } = await result;
    if (failed > 0) throw new Error(`${failed} requests failed, the first with: ${firstFailure ?? ''}`);
    return { failed, firstFailure, ...rest };
  }
}
