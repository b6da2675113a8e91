import type { Script } from './script.js';

/** Runs scripts that need no transaction: each query takes effect by itself, and nothing that anybody caches depends on it. */
export interface StepRunner {
  /** The script may be run again from its start after an answer was lost, so it must come to the same again. */
  steps<T>(script: () => Script<T>): Promise<T>;
}

/** Runs scripts against one database. A script is given as a function since it may have to be run again. */
export interface ScriptRunner {
  /** All queries see one state of the database. */
  read<T>(script: () => Script<T>): Promise<T>;
  /** As `read`, for scripts that take more than milliseconds: requests of this process go on meanwhile. */
  readAside<T>(script: () => Script<T>): Promise<T>;
  /** One serializable transaction, in force once the promise resolves. */
  write<T>(script: () => Script<T>): Promise<T>;
  /** As `read`, for scripts that run long: other work of this process goes on between the queries. */
  readAtLeisure<T>(script: () => Script<T>): Promise<T>;
}
