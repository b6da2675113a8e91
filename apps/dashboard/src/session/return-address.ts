/** Where to go after sign-in: a path of the dashboard, never another site. */
export function returnAddress(to: string | undefined): string | null {
  if (to === undefined || !/^\/[^/\\]/.test(to) || to.startsWith('/sign-in')) return null;
  return to;
}

/** Where a second factor leads to, from the page that wants it. An issuer sends the browser to the first page alone, so there it is the kept address. */
export function returnAfterFactor(here: string, kept: string | undefined): string {
  return here === '/' ? returnAddress(kept) ?? here : here;
}
