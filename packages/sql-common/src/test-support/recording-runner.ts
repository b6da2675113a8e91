import type { CompiledQuery } from 'kysely';
import { type QueryAnswer, runScript, type Script } from '../script/script.js';
import type { ScriptRunner, StepRunner } from '../script/script-runner.js';

/** Records the compiled queries, for tests of query plans. */
export class RecordingRunner implements ScriptRunner, StepRunner {
  readonly queries: CompiledQuery[] = [];

  /** `answerTo` answers queries; by default, none finds or changes rows. */
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
