import type { CompiledQuery } from 'kysely';
import { type QueryAnswer, runScript, type Script } from '../script/script.js';
import type { ScriptRunner, StepRunner } from '../script/script-runner.js';

/** Records compiled queries, for tests of their query plans. */
export class RecordingRunner implements ScriptRunner, StepRunner {
  readonly queries: CompiledQuery[] = [];

  /** @param answerTo answers a query; by default with no rows and no changes. */
  constructor(private readonly answerTo: (query: CompiledQuery) => QueryAnswer = () => ({ rows: [], changes: 0 })) {}

  async read<T>(script: () => Script<T>): Promise<T> {
    return runScript(script(), (query) => {
      this.queries.push(query);
      return this.answerTo(query);
    }).result;
  }

  write<T>(script: () => Script<T>): Promise<T> {
    return this.read(script);
  }

  steps<T>(script: () => Script<T>): Promise<T> {
    return this.read(script);
  }

  readInBackground<T>(script: () => Script<T>): Promise<T> {
    return this.read(script);
  }

  readInSharedThread<T>(_holder: unknown, script: () => Script<T>): Promise<T> {
    return this.read(script);
  }
}
