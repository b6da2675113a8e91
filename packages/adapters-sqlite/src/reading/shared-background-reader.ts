import { storeRefusal, type UsageScope } from '@tollgate/core';
import { awaitScript, ReadingTurns, type Script } from '@tollgate/sql-common';
import { storeFailure } from '../file/sqlite-failures.js';
import { openInThread, type OpenSnapshotReader, type SnapshotReader } from './background-reader.js';

async function runOn<T>(reader: SnapshotReader, script: Script<T>): Promise<T> {
  try {
    const { result } = await awaitScript(script, async ({ sql, parameters }) => ({ rows: await reader.rows({ sql, parameters }), changes: 0 }));
    return result;
  } catch (thrown) {
    throw storeFailure(thrown);
  }
}

/** Maximum number of concurrent long reads. */
export const MAX_LONG_READS = 1;

/** Runs long reads one at a time in another thread, which starts on demand. */
export class SharedBackgroundReader {
  private thread: SnapshotReader | null = null;
  private readonly turns = new ReadingTurns(MAX_LONG_READS);
  private isClosed = false;

  constructor(private readonly file: string, private readonly open: OpenSnapshotReader = openInThread) {}

  run<T>(holder: UsageScope, script: () => Script<T>): Promise<T> {
    return this.turns.run(holder, () => this.runNext(script));
  }

  /** Runs the script in a separate thread, without waiting for other scripts. */
  async runAlone<T>(script: () => Script<T>): Promise<T> {
    const thread = this.open(this.file);
    try {
      return await runOn(thread, script());
    } finally {
      await thread.close();
    }
  }

  /** Waits for the running script. Refuses the waiting ones, which could take minutes. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.turns.idle();
    await this.thread?.close();
  }

  private async runNext<T>(script: () => Script<T>): Promise<T> {
    if (this.isClosed) throw storeRefusal(new Error('the database is being closed'));
    const thread = this.thread ??= this.open(this.file);
    try {
      return await runOn(thread, script());
    } catch (failure) {
      // The thread may have ended, so it is not used again.
      this.thread = null;
      await thread.close();
      throw failure;
    } finally {
      if (this.thread !== null) await thread.endState();
    }
  }
}
