const BYTE_ORDER_MARK = 0xfeff;

/** Matches the control characters that file(1) does not accept in a text file. */
// oxlint-disable-next-line no-control-regex
const NOT_TEXT = /[\0-\u0006\u000e-\u001a\u001c-\u001f\u007f]/;

/** Decodes text without its byte order mark; `null` unless the bytes are UTF-8 text. */
export function textOfBase64(data: string): string | null {
  const bytes = Buffer.from(data, 'base64');
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes) || NOT_TEXT.test(text)) return null;
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

const HEADER_BYTES = 1024;
/** Base64 characters that are searched: enough for 1,024 bytes, with whitespace in between. */
const HEADER_CHARACTERS = 2048;

/** True if the first 1,024 decoded bytes contain this ASCII text. */
export function hasHeader(data: string, header: string): boolean {
  return Buffer.from(data.slice(0, HEADER_CHARACTERS), 'base64').subarray(0, HEADER_BYTES).includes(header, 0, 'latin1');
}
