import { storeRefusal } from '@tollgate/core';
import type { QueryAnswer, Script } from '../script/script.js';
import { LeisureThread } from './leisure-thread.js';

/** What a generator's first step is sent, which nothing reads. */
const NO_ANSWER: QueryAnswer = { rows: [], changes: 0 };

/** Runs a script on a thread: all its queries see one state of the file. */
export async function runAtLeisure<T>(thread: LeisureThread, script: Script<T>): Promise<T> {
  let step = script.next(NO_ANSWER);
  while (step.done !== true) {
    const { sql, parameters } = step.value;
    step = script.next({ rows: await thread.rows({ sql, parameters }), changes: 0 });
  }
  return step.value;
}

/** Reads a database file from another thread, which starts with the first script; one script after the other, so that many take one core at most. */
export class AsideReader {
  private thread: LeisureThread | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly file: string) {}

  run<T>(script: () => Script<T>): Promise<T> {
    const answer = this.last.then(() => this.runNext(script));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  /** Lets the script that runs come to its end. Those that wait are refused: together they could take minutes. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.last;
    await this.thread?.close();
  }

  private async runNext<T>(script: () => Script<T>): Promise<T> {
    if (this.isClosed) throw storeRefusal(new Error('the database is being closed'));
    const thread = this.thread ??= new LeisureThread(this.file);
    try {
      return await runAtLeisure(thread, script());
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
