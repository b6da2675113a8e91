import { cookieValuesIn } from '@tollgate/identity';
import type { Request } from 'express';

export const DEFAULT_LANGUAGE = 'en';
/** Set by the page when a person chooses a language; scripts may read it. */
const LANGUAGE_COOKIE = { name: 'tollgate_language', secure: false } as const;
const LANGUAGE = /^[a-z]{2}$/;

/** The person's choice, else the browser's first language among `offered`, else the default. */
export function languageOf(req: Request, offered: readonly string[]): string {
  const chosen = cookieValuesIn(req.headers.cookie ?? null, LANGUAGE_COOKIE, LANGUAGE).find((language) => offered.includes(language));
  return chosen ?? (req.acceptsLanguages([...offered]) || DEFAULT_LANGUAGE);
}
