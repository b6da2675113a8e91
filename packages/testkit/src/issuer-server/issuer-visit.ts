/** More redirects than any sign-in takes. */
const MOST_REDIRECTS = 10;

/** Follows an issuer's redirects as a new browser, up to the address that begins with `callback`, which is not opened. */
export async function visitIssuer(authorizationUrl: string, callback: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(authorizationUrl);
  for (let redirects = 0; redirects < MOST_REDIRECTS; redirects += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    const body = await response.text();
    for (const header of response.headers.getSetCookie()) {
      const [pair = ''] = header.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the issuer answered ${response.status} at ${url.pathname}: ${body.slice(0, 300)}`);
    url = new URL(location, url);
    if (url.href.startsWith(callback)) return url;
  }
  throw new Error('the issuer redirects without end');
}
