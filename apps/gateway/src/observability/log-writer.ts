import { write as writeAsync, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

interface LogWriting {
  /** Non-blocking; see `unblockedStandardError`. */
  readonly descriptor: number;
  /** Formats a JSON line. */
  readonly render: (line: string) => string;
  readonly lossNotice: (lostLines: number) => string;
  readonly terms: LogTerms;
}

export interface LogTerms {
  /** Lines are collected up to this size, because a write costs more than a line. */
  readonly gatheredCharacters: number;
  /** Lines are collected for at most this time. */
  readonly gatheringMilliseconds: number;
  /** Lines beyond this backlog are lost. */
  readonly waitingCharacters: number;
  /** Retry interval for a full pipe. */
  readonly retryMilliseconds: number;
  /** Maximum time that the last flush, at the process's end, may take. */
  readonly lastFlushMilliseconds: number;
}

export const LOG_TERMS: LogTerms = {
  gatheredCharacters: 32 * 1024,
  gatheringMilliseconds: 200,
  waitingCharacters: 1024 * 1024,
  retryMilliseconds: 100,
  lastFlushMilliseconds: 1000,
};

interface Piece {
  readonly bytes: Buffer;
  written: number;
  /** Length of what precedes the lines: the notice of lost lines, and the end of an incomplete line. */
  readonly noticeBytes: number;
  readonly noticedLines: number;
  readonly lines: number;
  /** True while a write is in progress, false while waiting for a retry. */
  inFlight: boolean;
}

const NEWLINE = 10;
const SYNC_PAUSE_MILLISECONDS = 10;
/** Errors after which the write is tried again, as for a full pipe; the unwritten data stays intact. */
const LATER_CODES: ReadonlySet<string> = new Set(['EAGAIN', 'EINTR', 'EBUSY']);

function isForLater(failure: unknown): boolean {
  return typeof failure === 'object' && failure !== null && 'code' in failure && LATER_CODES.has(String(failure.code));
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === NEWLINE) lines += 1;
  return lines;
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, milliseconds);
}

/**
 * Writes lines without blocking the process. Lines that cannot be written, because of a full disk or pipe, are lost and counted; the next written
 * line states their number.
 */
export class LogWriter implements DestinationStream {
  #gathered = '';
  #gatheredLines = 0;
  #timer: NodeJS.Timeout | null = null;
  #piece: Piece | null = null;
  #endsInsideLine = false;
  #lostLines = 0;
  #unnoticedLines = 0;
  #whenIdle: (() => void)[] = [];

  constructor(private readonly writing: LogWriting) {}

  get lostLines(): number {
    return this.#lostLines;
  }

  write(line: string): void {
    const { waitingCharacters, gatheredCharacters } = this.writing.terms;
    if (this.#gathered.length + line.length > waitingCharacters) {
      this.lose(1);
      return;
    }
    this.#gathered += this.writing.render(line);
    this.#gatheredLines += 1;
    if (this.#piece !== null) return;
    if (this.#gathered.length >= gatheredCharacters) this.begin();
    else this.beginSoon();
  }

  /** Resolves once all lines are written or lost, or after the time for the last flush. */
  async flush(): Promise<void> {
    if (this.#piece === null) this.begin();
    if (this.#piece === null) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.writing.terms.lastFlushMilliseconds);
      this.#whenIdle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Writes the remaining lines while the process exits, within the time for the last flush. */
  flushSync(): void {
    const deadline = performance.now() + this.writing.terms.lastFlushMilliseconds;
    const begun = this.#piece;
    if (begun !== null && !begun.inFlight && !this.writeNow(begun, deadline)) return;
    const rest = this.takePiece();
    if (rest === null) return;
    // The process waits for pending writes before it ends. Queueing behind them keeps the lines in order.
    if (begun?.inFlight === true) writeAsync(this.writing.descriptor, rest.bytes, () => undefined);
    else this.writeNow(rest, deadline);
  }

  private beginSoon(): void {
    this.#timer ??= setTimeout(() => this.begin(), this.writing.terms.gatheringMilliseconds).unref();
  }

  private begin(): void {
    this.#piece = this.takePiece();
    if (this.#piece !== null) this.continue(this.#piece);
  }

  private takePiece(): Piece | null {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#gathered === '' && this.#unnoticedLines === 0) return null;
    const { render, lossNotice } = this.writing;
    const notice = this.#unnoticedLines === 0 ? '' : render(lossNotice(this.#unnoticedLines));
    const beginning = Buffer.from(this.#endsInsideLine ? `\n${notice}` : notice);
    const piece: Piece = {
      bytes: Buffer.concat([beginning, Buffer.from(this.#gathered)]),
      written: 0,
      noticeBytes: beginning.length,
      noticedLines: this.#unnoticedLines,
      lines: this.#gatheredLines,
      inFlight: false,
    };
    this.#gathered = '';
    this.#gatheredLines = 0;
    return piece;
  }

  private continue(piece: Piece): void {
    piece.inFlight = true;
    writeAsync(this.writing.descriptor, piece.bytes, piece.written, null, null, (failure, written) => {
      piece.inFlight = false;
      if (failure === null) this.advance(piece, written);
      else if (isForLater(failure)) setTimeout(() => this.continue(piece), this.writing.terms.retryMilliseconds).unref();
      else this.end(piece);
    });
  }

  private advance(piece: Piece, written: number): void {
    piece.written += written;
    if (piece.written < piece.bytes.length) this.continue(piece);
    else this.end(piece);
  }

  /** Called when the piece was written or lost. */
  private end(piece: Piece): void {
    this.#piece = null;
    this.account(piece);
    const isAwaited = this.#whenIdle.length > 0 && this.#gathered !== '';
    if (isAwaited || this.#gathered.length >= this.writing.terms.gatheredCharacters) this.begin();
    else if (this.#gathered !== '' || this.#unnoticedLines > 0) this.beginSoon();
    if (this.#piece === null) this.#whenIdle.splice(0).forEach((resolve) => resolve());
  }

  private account({ bytes, written, noticeBytes, noticedLines, lines }: Piece): void {
    if (written > 0) this.#endsInsideLine = bytes[written - 1] !== NEWLINE;
    if (written >= noticeBytes) this.#unnoticedLines -= noticedLines;
    this.lose(Math.min(lines, linesIn(bytes.subarray(Math.max(written, noticeBytes)))));
  }

  private lose(lines: number): void {
    this.#lostLines += lines;
    this.#unnoticedLines += lines;
  }

  /** False if the deadline passed. */
  private writeNow(piece: Piece, deadline: number): boolean {
    while (piece.written < piece.bytes.length) {
      if (this.writesSome(piece)) continue;
      if (performance.now() >= deadline) return false;
      pause(SYNC_PAUSE_MILLISECONDS);
    }
    return true;
  }

  /** False if the write must be tried again; after other errors the piece counts as written. */
  private writesSome(piece: Piece): boolean {
    try {
      piece.written += writeSync(this.writing.descriptor, piece.bytes, piece.written);
    } catch (failure) {
      if (isForLater(failure)) return false;
      piece.written = piece.bytes.length;
    }
    return true;
  }
}
