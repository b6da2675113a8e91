import { isDisplayName, isMailAddress } from '@tollgate/core';
import { z } from 'zod';
import { ACCENT_PATTERN, accentProblem } from './brand-accent.js';
import { variable } from './variable.js';
import { httpAddress } from './variable-schemas.js';

const accent = z.string().transform((text) => text.toLowerCase()).superRefine((text, context) => {
  const problem = ACCENT_PATTERN.test(text) ? accentProblem(text) : 'must be a colour such as #3b6ff5';
  if (problem !== null) context.addIssue(problem);
});

/** A mail address becomes a `mailto:` link. */
const contact = z.string().transform((text, context) => {
  if (isMailAddress(text)) return `mailto:${text}`;
  if (URL.parse(text)?.protocol === 'https:') return text;
  context.addIssue('must be a mail address or an https:// address');
  return z.NEVER;
});

const version = z.string().max(100, 'must have at most 100 characters').refine(isDisplayName, 'must be one line');

/** A word, or its singular and plural such as `credit/credits`. */
const tokenWord = z.string().transform((text, context) => {
  const [one = '', many = one, ...rest] = text.split('/').map((word) => word.trim());
  if (rest.length === 0 && [one, many].every((word) => /^[\p{L}\p{M}](?:[\p{L}\p{M} ’'-]{0,28}[\p{L}\p{M}])?$/u.test(word))) return { one, many };
  context.addIssue('must be a word, or its singular and plural such as credit/credits, with at most 30 letters each');
  return z.NEVER;
});

export const BRAND_VARIABLES = {
  BRAND_NAME: variable(z.string().max(40, 'must have at most 40 characters').refine(isDisplayName, 'must be one line'), {
    default: 'Tollgate', unit: null, meaning: 'Name of the service on the pages and in the mail of customers.',
  }),
  BRAND_LOGO: variable(z.string(), {
    default: null, unit: null,
    meaning: 'File with the logo for the pages and the icon of browser tabs, and for mail if it is a PNG: SVG or PNG, at most 64 KiB, best square. Of an SVG only drawing elements are kept. Read at the start.',
  }),
  BRAND_ACCENT: variable(accent, {
    default: null, unit: null,
    meaning: 'Colour of buttons and links on pages and in mail, such as #3b6ff5. It needs a contrast of 3:1 with the pages in the light and in the dark scheme; the shades for text are derived from it.',
  }),
  BRAND_TOKEN_WORD: variable(tokenWord, {
    default: 'service token/service tokens', unit: null, meaning: 'The words for one and for several service tokens on the pages, in the mail of customers, on PDF statements and at the payment provider, such as credit/credits.',
  }),
  SUPPORT_CONTACT: variable(contact, { default: null, unit: null, meaning: 'Where customers get help: a mail address or an https:// address. Linked on every page.' }),
  IMPRINT_URL: variable(httpAddress, { default: null, unit: null, meaning: 'Address of the imprint. Linked on every page.' }),
  TERMS_URL: variable(httpAddress, { default: null, unit: null, meaning: 'Address of the terms of service. Linked on every page and at the sign-up.' }),
  TERMS_VERSION: variable(version, {
    default: null, unit: null, meaning: 'Version of the terms, such as a date; `1` if only TERMS_URL is set. Owners agree to it before they use the dashboard, and again when it changes.',
  }),
  PRIVACY_URL: variable(httpAddress, { default: null, unit: null, meaning: 'Address of the privacy notice. Linked on every page and at the sign-up.' }),
  PRIVACY_VERSION: variable(version, {
    default: null, unit: null, meaning: 'Version of the privacy notice; `1` if only PRIVACY_URL is set. Owners confirm that they have read it, and again when it changes.',
  }),
} as const;
