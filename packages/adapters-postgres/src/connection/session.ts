import { type ClientBase, DatabaseError, type QueryConfig, type QueryResult } from 'pg';
import { ConnectionLostError } from './connection-failures.js';

export interface Session {
  /** Throws `DatabaseError` for refusals, and `ConnectionLostError` if the outcome is unknown. */
  query(query: QueryConfig | string): Promise<QueryResult>;
  /** Runs several statements in one round trip; returns the result of each. */
  queries(statements: string): Promise<readonly QueryResult[]>;
}

async function asked<Result>(client: ClientBase, query: QueryConfig | string): Promise<Result> {
  try {
    // Several statements give an array of results, which the driver's types do not say.
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
