import { readFileSync } from 'node:fs';

const UTF_16_LITTLE_ENDIAN = [0xff, 0xfe];
const UTF_16_BIG_ENDIAN = [0xfe, 0xff];

/** Reads UTF-8, or UTF-16 with a byte order mark, as Windows PowerShell writes redirected output. Returns the text without the mark. */
export function readTextFile(path: string): string {
  const bytes = readFileSync(path);
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  const begins = (mark: readonly number[]): boolean => mark.every((byte, position) => bytes[position] === byte);
  if (begins(UTF_16_LITTLE_ENDIAN)) return 'utf-16le';
  return begins(UTF_16_BIG_ENDIAN) ? 'utf-16be' : 'utf-8';
}
