const ROOT = 'http://localhost/dashboard';

/** False for paths that leave the dashboard, such as `/../v1` and `/%2e%2e/v1`. */
function isInDashboard(to: string): boolean {
  return URL.canParse(ROOT + to) && new URL(ROOT + to).href.startsWith(`${ROOT}/`);
}

/** The path if it is in the dashboard and is not sign-in; otherwise `null`, so that no link leads to another site. */
export function returnAddress(to: string | undefined): string | null {
  if (to === undefined || !/^\/[^/\\]/.test(to) || to.startsWith('/sign-in') || !isInDashboard(to)) return null;
  return to;
}

/** Address after the last step of a sign-in. A sign-in through an issuer returns to the first page, so only there the stored address counts. */
export function returnAfterFactor(here: string, kept: string | undefined): string {
  return here === '/' ? returnAddress(kept) ?? here : here;
}
