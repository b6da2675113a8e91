/** Where to go after sign-in: a path of the dashboard, never another site. */
export function returnAddress(to: string | undefined): string | null {
  if (to === undefined || !/^\/[^/\\]/.test(to) || to.startsWith('/sign-in')) return null;
  return to;
}
