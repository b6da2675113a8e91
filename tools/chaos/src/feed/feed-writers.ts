import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AccountId } from '@tollgate/core';
import { Child } from '@tollgate/kit';
import type { DatabaseLocation } from '@tollgate/sql-common';

/** The argument of the writing program, as JSON. */
export interface WriterTask {
  readonly database: DatabaseLocation;
  readonly accounts: readonly AccountId[];
  /** Account of the transactions that the writer keeps open; `null` if it keeps none open. */
  readonly heldAccount: AccountId | null;
  readonly seed: number;
}

const PROGRAM = fileURLToPath(new URL('feed-writer.js', import.meta.url));

/** Processes that write events, each killed and replaced on demand. */
export class FeedWriters {
  /** References of acts of money that were acknowledged. */
  readonly acknowledged: string[] = [];
  readonly #running: Child[] = [];

  /** `taskOf` is called for each start. */
  constructor(private readonly folder: string, private readonly taskOf: (seat: number) => WriterTask) {}

  get count(): number {
    return this.#running.length;
  }

  /** Starts a writer, also in place of a killed one. Does not wait for its first act. */
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

  /** Resolves after the writer's last acknowledgement is read. False if the writer had ended by itself. */
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
