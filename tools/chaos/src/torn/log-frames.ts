import { readFileSync } from 'node:fs';

/** Frames in a write-ahead log, as SQLite's index of it says. */
export interface LogFrames {
  readonly all: number;
  /** The first so many may be in the database file already. */
  readonly checkpointed: number;
}

/** Where the index keeps its figures: in the format of the file, which has not changed since there is one. */
const LAST_FRAME_OFFSET = 16;
const CHECKPOINT_ATTEMPTED_OFFSET = 128;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES = 4096;

/** Reads the index beside a database file, in the byte order of this machine. */
export function readLogFrames(database: string): LogFrames {
  const index = new DataView(new Uint8Array(readFileSync(`${database}-shm`)).buffer);
  const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  return { all: index.getUint32(LAST_FRAME_OFFSET, isLittleEndian), checkpointed: index.getUint32(CHECKPOINT_ATTEMPTED_OFFSET, isLittleEndian) };
}

/**
 * How many bytes of a log a disk cannot lose. A checkpoint writes into the database file only what the log holds for certain,
 * so a log that ends before that is left by no loss of power.
 */
export function certainBytes({ checkpointed }: LogFrames): number {
  return checkpointed === 0 ? 0 : LOG_HEADER_BYTES + checkpointed * (FRAME_HEADER_BYTES + PAGE_BYTES);
}
