import { storeRefusal, type UsageScope } from '@tollgate/core';
import { awaitScript, ReadingTurns, type Script } from '@tollgate/sql-common';
import { BackgroundReader } from './background-reader.js';

/** Runs a script on a thread: all its queries see one state of the file. */
export async function runInBackground<T>(thread: BackgroundReader, script: Script<T>): Promise<T> {
  const { result } = await awaitScript(script, async ({ sql, parameters }) => ({ rows: await thread.rows({ sql, parameters }), changes: 0 }));
  return result;
}

/** Long reads that run at a time. */
export const MAX_LONG_READS = 1;

/** Reads a database file from another thread, which starts with the first script; one script at a time, so that many take one core at most. */
export class SharedBackgroundReader {
  private thread: BackgroundReader | null = null;
  private readonly turns = new ReadingTurns(MAX_LONG_READS);
  private isClosed = false;

  constructor(private readonly file: string) {}

  run<T>(holder: UsageScope, script: () => Script<T>): Promise<T> {
    return this.turns.run(holder, () => this.runNext(script));
  }

  /** Lets the script that runs come to its end. Those that wait are refused: together they could take minutes. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.turns.idle();
    await this.thread?.close();
  }

  private async runNext<T>(script: () => Script<T>): Promise<T> {
    if (this.isClosed) throw storeRefusal(new Error('the database is being closed'));
    const thread = this.thread ??= new BackgroundReader(this.file);
    try {
      return await runInBackground(thread, script());
    } catch (failure) {
      // A thread that has ended cannot be asked again.
      this.thread = null;
      await thread.close();
      throw failure;
    } finally {
      if (this.thread !== null) await thread.endState();
    }
  }
}
