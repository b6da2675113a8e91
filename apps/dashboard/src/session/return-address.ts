const ROOT = 'http://localhost/dashboard';

/** `/../v1` and `/%2e%2e/v1` leave it. */
function isInDashboard(to: string): boolean {
  return URL.canParse(ROOT + to) && new URL(ROOT + to).href.startsWith(`${ROOT}/`);
}

/** A dashboard path, never another site. */
export function returnAddress(to: string | undefined): string | null {
  if (to === undefined || !/^\/[^/\\]/.test(to) || to.startsWith('/sign-in') || !isInDashboard(to)) return null;
  return to;
}

/** An issuer always returns to the first page, where the stored address replaces it. */
export function returnAfterFactor(here: string, kept: string | undefined): string {
  return here === '/' ? returnAddress(kept) ?? here : here;
}
