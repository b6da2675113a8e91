import { type AccountId, type KeepResponse, MAX_STORED_RESPONSE_BYTES, type StoredResponse } from '@tollgate/core';

/** What stands before the texts of a response: whose they are, so that no mistake in a place shows one account's response to another. */
type Header = readonly [accountId: string, id: string, inputBytes: number, outputBytes: number];

const LINE_FEED = 0x0a;

/** A response as it is written: a header in a line of its own, and its three texts. */
export interface ResponseRecord {
  readonly pieces: readonly Uint8Array[];
  /** Of the texts alone. */
  readonly textBytes: number;
}

/** `null` for a response that is too large to keep. */
export function encodeRecord({ accountId, id, inputItems, outputItems, body }: KeepResponse): ResponseRecord | null {
  const output = Buffer.from(outputItems);
  const reply = Buffer.from(body);
  const textBytes = inputItems.length + output.length + reply.length;
  if (textBytes > MAX_STORED_RESPONSE_BYTES) return null;
  const header: Header = [accountId, id, inputItems.length, output.length];
  return { pieces: [Buffer.from(`${JSON.stringify(header)}\n`), inputItems, output, reply], textBytes };
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
