import { type AccountId, type KeepResponse, STORED_RESPONSE_MAXIMUM_BYTES, type StoredResponse } from '@tollgate/core';

/** What stands before the texts of a response: whose they are, so that no mistake in a place shows one account's response to another. */
type Header = readonly [accountId: string, id: string, inputBytes: number, outputBytes: number];

const LINE_FEED = 0x0a;
/** Room for most headers. */
const HEADER_ROOM = 512;
/** A text that does not fit leaves at most three bytes free, so that it has too many all the same. */
const TEXT_ROOM = STORED_RESPONSE_MAXIMUM_BYTES + 4;

/** A response as it is written: a header in a line of its own, and its three texts. */
export interface ResponseRecord {
  /** In force until the next record is encoded. */
  readonly bytes: Uint8Array;
  /** Of the texts alone. */
  readonly textBytes: number;
}

/** Encodes one response at a time in the same memory: new memory outside V8's heap for each would bring about full collections. */
export class RecordEncoder {
  readonly #room = Buffer.allocUnsafe(HEADER_ROOM + TEXT_ROOM);

  /** `null` for a response that is too large to keep. */
  encode({ accountId, id, inputItems, outputItems, body }: KeepResponse): ResponseRecord | null {
    const inputBytes = this.#write(inputItems, 0);
    const outputBytes = this.#write(outputItems, inputBytes);
    const textBytes = inputBytes + outputBytes + this.#write(body, inputBytes + outputBytes);
    if (textBytes > STORED_RESPONSE_MAXIMUM_BYTES) return null;
    const header = Buffer.from(`${JSON.stringify([accountId, id, inputBytes, outputBytes] satisfies Header)}\n`);
    const texts = this.#room.subarray(HEADER_ROOM, HEADER_ROOM + textBytes);
    if (header.length > HEADER_ROOM) return { bytes: Buffer.concat([header, texts]), textBytes };
    const start = HEADER_ROOM - header.length;
    header.copy(this.#room, start);
    return { bytes: this.#room.subarray(start, HEADER_ROOM + textBytes), textBytes };
  }

  /** Returns how many bytes there was room for. */
  #write(text: string, at: number): number {
    return this.#room.write(text, HEADER_ROOM + at);
  }
}

/** The response in a record; `null` for bytes that are none of this response, or no longer. */
export function decodeRecord(bytes: Buffer, accountId: AccountId, { id, previousId }: Pick<StoredResponse, 'id' | 'previousId'>): StoredResponse | null {
  const headerEnd = bytes.indexOf(LINE_FEED);
  // No text of JSON has a zero: it was erased, or the power failed before it was written.
  if (headerEnd < 0 || bytes.includes(0)) return null;
  const header = bytes.toString('utf8', 0, headerEnd);
  if (!header.startsWith(`${JSON.stringify([accountId, id]).slice(0, -1)},`)) return null;
  const [, , inputBytes, outputBytes] = JSON.parse(header) as Header;
  const outputStart = headerEnd + 1 + inputBytes;
  const bodyStart = outputStart + outputBytes;
  return {
    id, previousId, inputItems: bytes.toString('utf8', headerEnd + 1, outputStart), outputItems: bytes.toString('utf8', outputStart, bodyStart), body: bytes.toString('utf8', bodyStart),
  };
}
