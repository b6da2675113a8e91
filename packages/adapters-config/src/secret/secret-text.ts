import { z } from 'zod';

/** Bytes that an installation's secret has at least. */
export const MINIMUM_SECRET_BYTES = 32;
const MAXIMUM_CHARACTERS = 1_024;
const HEXADECIMAL = /^(?:[0-9a-f]{2})+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

export const SECRET_FORM = `must be at least ${MINIMUM_SECRET_BYTES} random bytes in hexadecimal or base64, such as \`openssl rand -hex ${MINIMUM_SECRET_BYTES}\` prints`;

/** The bytes of a written secret; `null` for a text that is in neither form, and for fewer bytes than a secret has. */
export function decodeSecret(text: string): Uint8Array | null {
  if (text.length > MAXIMUM_CHARACTERS) return null;
  const bytes = HEXADECIMAL.test(text) ? Buffer.from(text, 'hex') : BASE64.test(text) ? Buffer.from(text, 'base64') : null;
  return bytes === null || bytes.length < MINIMUM_SECRET_BYTES ? null : new Uint8Array(bytes);
}

/** Its message never repeats what was written. */
export const secretText = z.string().transform((text, context) => {
  const bytes = decodeSecret(text);
  if (bytes !== null) return bytes;
  context.addIssue(SECRET_FORM);
  return z.NEVER;
});
