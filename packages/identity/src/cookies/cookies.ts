export interface CookieForm {
  readonly name: string;
  readonly secure: boolean;
}

/** Browsers reject a `__Host-` cookie that names a domain or another path than `/`, or that is set over plain HTTP. */
export const SECURE_COOKIE: CookieForm = { name: '__Host-tollgate_session', secure: true };
/** Cookie for plain HTTP on loopback, where some browsers reject secure cookies. */
export const LOOPBACK_COOKIE: CookieForm = { name: 'tollgate_session', secure: false };

/** Binds the issuer's callback to the browser that started the sign-in. */
export const SECURE_ISSUER_COOKIE: CookieForm = { name: '__Host-tollgate_issuer', secure: true };
export const LOOPBACK_ISSUER_COOKIE: CookieForm = { name: 'tollgate_issuer', secure: false };

/** 32 bytes in Base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Maximum length of a `Cookie` header in characters; a longer one is ignored. Browsers limit one cookie to about 4 KiB. */
const MAX_HEADER = 16_384;

/** Maximum number of values of one name. A page of a sibling domain can add cookies with the same name. */
const MAX_VALUES = 4;

/** Distinct well-formed values in the header's order, at most `MAX_VALUES`. */
export function cookieValuesIn(header: string | null, { name }: CookieForm, form: RegExp): readonly string[] {
  if (header === null || header.length > MAX_HEADER) return [];
  const prefix = `${name}=`;
  const values = header.split(';').map((pair) => pair.trim()).filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
  return [...new Set(values)].filter((value) => form.test(value)).slice(0, MAX_VALUES);
}

/** Like `cookieValuesIn`, for session tokens. */
export function sessionTokensIn(header: string | null, form: CookieForm): readonly string[] {
  return cookieValuesIn(header, form, TOKEN);
}

/** For `Set-Cookie`: scripts cannot read the cookie, and browsers do not send it with forms of other sites. */
export function browserCookie(form: CookieForm, value: string, maximumAgeSeconds: number): string {
  return `${form.name}=${value}; Path=/; Max-Age=${maximumAgeSeconds}; HttpOnly; SameSite=Lax${form.secure ? '; Secure' : ''}`;
}

export function sessionCookie(form: CookieForm, token: string, maximumAgeSeconds: number): string {
  return browserCookie(form, token, maximumAgeSeconds);
}

/** For `Set-Cookie`: deletes the session cookie. */
export function forgottenCookie(form: CookieForm): string {
  return browserCookie(form, '', 0);
}
