import { returnAddress } from './return-address';

const ROOT = '/dashboard';

/** The opened link, kept in memory only. */
let opened: { readonly page: string; readonly token: string; readonly returnTo: string | undefined } | null = null;

/** Name of the page, for example `verify` for `/dashboard/Verify/`. */
export function pageOf(pathname: string): string {
  return pathname.toLowerCase().split('/').filter(Boolean).at(-1) ?? '';
}

/** Token of a fragment such as `#token=…`; `null` if the fragment has none. */
export function tokenIn(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get('token');
}

/**
 * Removes the token from address and history before anything else reads them. Fragments are not sent to servers. A second link in the same
 * tab only changes the fragment, so the page is reloaded.
 */
export function takeLinkToken(): void {
  const token = tokenIn(window.location.hash);
  if (token !== null) {
    opened = { page: pageOf(window.location.pathname), token, returnTo: returnPathIn(window.location.hash) };
    window.history.replaceState(null, '', window.location.pathname);
  }
  window.addEventListener('hashchange', () => { if (tokenIn(window.location.hash) !== null) window.location.reload(); });
}

/** Token of the opened link; `null` if the page was opened without a token, or by a link to another page. */
export function linkTokenFor(page: string): string | null {
  return opened?.page === page ? opened.token : null;
}

/** The path `/keys` in `#token=…&return_to=/dashboard/keys`; `undefined` if there is none, or if it is outside of the dashboard. */
export function returnPathIn(hash: string): string | undefined {
  const path = new URLSearchParams(hash.slice(1)).get('return_to');
  return path?.startsWith(ROOT) === true ? returnAddress(path.slice(ROOT.length)) ?? undefined : undefined;
}

/** Where the opened link leads to after the sign-in; `undefined` for the first page. */
export function linkReturn(): string | undefined {
  return opened?.returnTo;
}

/** Called when the token was used. */
export function forgetLinkToken(): void {
  opened = null;
}
