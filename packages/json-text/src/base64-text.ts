const BYTE_ORDER_MARK = 0xfeff;

/** Control characters that no text has, as file(1) tells texts from other files. */
// oxlint-disable-next-line no-control-regex
const NOT_TEXT = /[\0-\u0006\u000e-\u001a\u001c-\u001f\u007f]/;

/** The text that a JSON string has as base64, without a byte order mark; `null` for bytes that are no text in UTF-8. */
export function textOfBase64(data: string): string | null {
  const bytes = Buffer.from(data, 'base64');
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes) || NOT_TEXT.test(text)) return null;
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

const HEADER_BYTES = 1024;
/** Room for white space between them. */
const HEADER_CHARACTERS = 2048;

/** Whether the first 1,024 bytes of what a JSON string has as base64 contain this ASCII text. */
export function hasHeader(data: string, header: string): boolean {
  return Buffer.from(data.slice(0, HEADER_CHARACTERS), 'base64').subarray(0, HEADER_BYTES).includes(header, 0, 'latin1');
}
