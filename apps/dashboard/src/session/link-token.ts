/** The token of the link by which the dashboard was opened, and the page that it is for. It lives in memory alone. */
let opened: { readonly page: string; readonly token: string } | null = null;

/** `/dashboard/Verify/` is the page `verify`. */
export function pageOf(pathname: string): string {
  return pathname.toLowerCase().split('/').filter(Boolean).at(-1) ?? '';
}

/** The token in a fragment: `#token=…`. */
export function tokenIn(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get('token');
}

/**
 * Takes the token from the address, before anything else reads that, and removes it there and from the history. Browsers send fragments to no
 * server. A second link that is pasted into the same tab changes the fragment alone, so the page is reloaded for it.
 */
export function takeLinkToken(): void {
  const token = tokenIn(window.location.hash);
  if (token !== null) {
    opened = { page: pageOf(window.location.pathname), token };
    window.history.replaceState(null, '', window.location.pathname);
  }
  window.addEventListener('hashchange', () => { if (tokenIn(window.location.hash) !== null) window.location.reload(); });
}

/** The token for this page; `null` where it was opened without one, or for another page. */
export function linkTokenFor(page: string): string | null {
  return opened?.page === page ? opened.token : null;
}

/** Called when the token was spent. */
export function forgetLinkToken(): void {
  opened = null;
}
