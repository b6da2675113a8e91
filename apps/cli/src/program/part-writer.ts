import { printableLines } from '@tollgate/core';

/** The part of standard output's interface that `partWriter` uses. */
interface PartStream {
  readonly isTTY?: boolean;
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: () => void): unknown;
}

/** Escapes control characters, converts CRLF to LF and drops the byte order mark. */
function forTerminal(text: string): string {
  return printableLines(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
}

/** Writes parts in order, each after the stream accepted the previous one. Escapes control characters for terminals only. */
export function partWriter(stream: PartStream): (text: string) => Promise<void> {
  let isWatched = false;
  return (text) => {
    // The callback of `write` reports the error. Without a listener, the error would also end the process.
    if (!isWatched) stream.on('error', () => undefined);
    isWatched = true;
    return new Promise((resolve, reject) => {
      stream.write(stream.isTTY === true ? forTerminal(text) : text, (error) => (error === undefined || error === null ? resolve() : reject(error)));
    });
  };
}
