import { type ClientBase, DatabaseError, type QueryConfig, type QueryResult } from 'pg';
import { ConnectionLostError } from './database-errors.js';

/** One connection, for as long as a task has it. */
export interface Session {
  /** Throws `DatabaseError` when the database refuses, and `ConnectionLostError` when nobody can tell what it did. */
  query(query: QueryConfig | string): Promise<QueryResult>;
  /** Several statements in one round trip; answers with each one's result. */
  queries(statements: string): Promise<readonly QueryResult[]>;
}

async function asked<Result>(client: ClientBase, query: QueryConfig | string): Promise<Result> {
  try {
    // One statement gives one result and several give several, which the driver's types do not tell apart.
    return await client.query(query) as unknown as Result;
  } catch (thrown) {
    throw thrown instanceof DatabaseError ? thrown : new ConnectionLostError(thrown);
  }
}

export function sessionOn(client: ClientBase): Session {
  return {
    query: (query) => asked<QueryResult>(client, query),
    queries: (statements) => asked<readonly QueryResult[]>(client, statements),
  };
}

