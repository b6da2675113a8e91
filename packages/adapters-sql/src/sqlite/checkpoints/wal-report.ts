/** Told how the write-ahead log of a database file fares, so that somebody notices when it is not kept short. */
export interface WalReport {
  /** How many pages it holds now; looked at every few commits. */
  grown(pages: number): void;
  /** What it holds was moved into the database file, off the request path. */
  checkpointed(): void;
  /** The thread that moves it could not; it is tried again as the log grows. */
  checkpointFailed(cause: unknown): void;
  /** The log had grown so long that the program moved it itself, and served nothing meanwhile. */
  fellBack(pages: number): void;
}

/** For whoever does not ask. */
export const NO_WAL_REPORT: WalReport = {
  grown: () => undefined,
  checkpointed: () => undefined,
  checkpointFailed: () => undefined,
  fellBack: () => undefined,
};
