import { printableLines } from '@tollgate/core';

/** Standard output, as far as parts of a result need it. */
export interface PartStream {
  readonly isTTY?: boolean;
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: () => void): unknown;
}

/** Line breaks of any file are those of a terminal. */
function forTerminal(text: string): string {
  return printableLines(text.replaceAll('\r\n', '\n'));
}

/** Writes parts one after the other, each once the one before has been taken. A terminal gets nothing that it would obey; a file or pipe gets every byte. */
export function partWriter(stream: PartStream): (text: string) => Promise<void> {
  let isWatched = false;
  return (text) => {
    // What fails is told to the writer of the part. Without a listener it would end the process as well.
    if (!isWatched) stream.on('error', () => undefined);
    isWatched = true;
    return new Promise((resolve, reject) => {
      stream.write(stream.isTTY === true ? forTerminal(text) : text, (error) => (error === undefined || error === null ? resolve() : reject(error)));
    });
  };
}
