import { createHash } from 'node:crypto';
import { plainHostOf } from '../../http/public-address.js';

const STYLE = `:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
body { max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; line-height: 1.3; }
code { font-size: 0.95em; overflow-wrap: anywhere; }
p { margin: 1rem 0; }
.note { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }`;

/** Permits the page's own style only. */
export const WRONG_HOST_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
} as const;

/** Shown for a wrong `Host`. `origin` is the dashboard's. */
export function wrongHostPage(origin: string, host: string | undefined): string {
  const plain = plainHostOf(host);
  const name = plain ?? 'HOST';
  const address = `${origin}/dashboard`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Another address</title><style>${STYLE}</style></head>
<body>
<h1>The dashboard is not served under this name</h1>
<p>Open it at <a href="${address}">${address}</a>.</p>
<p>If your browser is there already, a proxy before the gateway replaces the <code>Host</code> header. Configure it to pass on the header that browsers send.</p>
<div class="note">
<p>If you run this installation and people are to use ${plain === null ? 'this name' : `<code>${plain}</code>`}:</p>
<p>Set <code>PUBLIC_URL</code> to the address that browsers use, such as <code>PUBLIC_URL=https://${name}</code>. Passkeys and links in mail belong to it.</p>
<p>Or allow the name beside it: <code>DASHBOARD_HOSTS=${name}</code>. Then restart the gateway.</p>
</div>
</body>
</html>
`;
}
