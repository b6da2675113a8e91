import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AccountId } from '@tollgate/core';
import { Child } from '@tollgate/kit';
import type { DatabaseLocation } from '@tollgate/sql-common';

/** Argument of the program that writes; it is passed as JSON. */
export interface WriterTask {
  readonly database: DatabaseLocation;
  readonly accounts: readonly AccountId[];
  /** Account for whose events the writer keeps transactions open; `null` if it keeps none open. */
  readonly heldAccount: AccountId | null;
  readonly seed: number;
}

const PROGRAM = fileURLToPath(new URL('feed-writer.js', import.meta.url));

/** Processes that write events. Each can be killed and replaced. */
export class FeedWriters {
  /** References of all acknowledged acts of money. */
  readonly acknowledged: string[] = [];
  readonly #running: Child[] = [];

  /** `taskOf` is called for the task of a writer whenever that writer starts. */
  constructor(private readonly folder: string, private readonly taskOf: (seat: number) => WriterTask) {}

  get count(): number {
    return this.#running.length;
  }

  /** Starts a writer, or the successor of a killed one. Does not wait for its first act. */
  start(seat: number): void {
    const child = Child.start({
      name: `writer ${seat}`, command: process.execPath, argv: [PROGRAM, JSON.stringify(this.taskOf(seat))], folder: this.folder, environment: {},
      logFile: join(this.folder, `writer-${seat}.log`),
    });
    let unfinished = '';
    child.output.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${unfinished}${text}`.split('\n');
      unfinished = lines.pop() ?? '';
      this.acknowledged.push(...lines);
    });
    this.#running[seat] = child;
  }

  /** Kills a writer; resolves when its last acknowledgement has been read. False if the writer had ended by itself. */
  async kill(seat: number): Promise<boolean> {
    const child = this.#running[seat];
    if (child === undefined) return false;
    const ran = child.isRunning;
    child.kill();
    await child.closed;
    return ran;
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#running.map((_child, seat) => this.kill(seat)));
  }
}
