/** What the session cookie is called, and whether browsers send it over encrypted connections only. */
export interface CookieForm {
  readonly name: string;
  readonly secure: boolean;
}

/** The prefix makes browsers refuse the cookie from another host, another path or an unencrypted page. */
export const SECURE_COOKIE: CookieForm = { name: '__Host-tollgate_session', secure: true };
/** For plain http on a loopback address, where not every browser keeps a secure cookie. */
export const LOOPBACK_COOKIE: CookieForm = { name: 'tollgate_session', secure: false };

/** The cookies that bind the callback of an issuer to the browser that began, beside either form of the session's. */
export const SECURE_ISSUER_COOKIE: CookieForm = { name: '__Host-tollgate_issuer', secure: true };
export const LOOPBACK_ISSUER_COOKIE: CookieForm = { name: 'tollgate_issuer', secure: false };

/** 32 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Browsers send about 4 KiB for each cookie; nothing is looked for beyond this. */
const LONGEST_HEADER = 16_384;

/** Values of one name that are looked at: a page of a sibling domain can plant some beside the right one. */
const MOST_VALUES = 4;

/** The values that a `Cookie` header has under a name, in its order: those that have the form, each once, and a few at most. */
export function cookieValuesIn(header: string | null, { name }: CookieForm, form: RegExp): readonly string[] {
  if (header === null || header.length > LONGEST_HEADER) return [];
  const prefix = `${name}=`;
  const values = header.split(';').map((pair) => pair.trim()).filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
  return [...new Set(values)].filter((value) => form.test(value)).slice(0, MOST_VALUES);
}

/** The tokens in a `Cookie` header, as `cookieValuesIn` reads them. */
export function sessionTokensIn(header: string | null, form: CookieForm): readonly string[] {
  return cookieValuesIn(header, form, TOKEN);
}

/** A `Set-Cookie` header with a cookie that scripts and other sites' forms do not get. */
export function browserCookie(form: CookieForm, value: string, maximumAgeSeconds: number): string {
  return `${form.name}=${value}; Path=/; Max-Age=${maximumAgeSeconds}; HttpOnly; SameSite=Lax${form.secure ? '; Secure' : ''}`;
}

/** A `Set-Cookie` header with the token of a session. */
export function sessionCookie(form: CookieForm, token: string, maximumAgeSeconds: number): string {
  return browserCookie(form, token, maximumAgeSeconds);
}

/** A `Set-Cookie` header that makes the browser forget the session. */
export function forgottenCookie(form: CookieForm): string {
  return browserCookie(form, '', 0);
}
