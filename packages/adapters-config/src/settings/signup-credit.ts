import { ServiceTokens } from '@tollgate/core';
import { z } from 'zod';

const CREDIT_MESSAGE = 'must be a number of service tokens from 0 to 999999999 with at most six decimal places';

/** An amount of credit; zero becomes `null`. */
export const credit: z.ZodType<ServiceTokens | null, string> = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, CREDIT_MESSAGE)
  .transform((text) => (/[1-9]/.test(text) ? ServiceTokens.parse(text) : null));

const MAX_CREDIT_LINE_CHARACTERS = 300;
const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/\S+/gi;

/** One line for owners, with at most one https address. */
export const creditLine = z.string().superRefine((text, context) => {
  const addresses = text.match(ADDRESS) ?? [];
  const isLine = text.length <= MAX_CREDIT_LINE_CHARACTERS && !/\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u.test(text);
  if (!isLine) context.addIssue(`must be one line of at most ${MAX_CREDIT_LINE_CHARACTERS} characters`);
  else if (addresses.length > 1 || addresses.some((address) => URL.parse(address)?.protocol !== 'https:')) context.addIssue('may contain at most one address, which must begin with https://');
});
