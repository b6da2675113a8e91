import { type ClientBase, DatabaseError, type QueryConfig, type QueryResult } from 'pg';
import { ConnectionLostError } from './connection-failures.js';

export interface Session {
  /** Throws `DatabaseError` if the server refuses the query, and `ConnectionLostError` if the outcome is unknown. */
  query(query: QueryConfig | string): Promise<QueryResult>;
  /** Runs several statements in one round trip. Returns one result per statement. */
  queries(statements: string): Promise<readonly QueryResult[]>;
}

async function asked<Result>(client: ClientBase, query: QueryConfig | string): Promise<Result> {
  try {
    // For several statements the driver returns an array of results, which its types do not declare.
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
