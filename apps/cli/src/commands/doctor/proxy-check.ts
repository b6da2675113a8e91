import { isLoopbackName, type Settings } from '@tollgate/adapters-config';
import { type Check, ok, warning } from './check.js';

const NAME = 'proxy';

/** The gateway speaks plain HTTP, so https, and another machine's name as a rule, stand for a proxy before it. Unless it is trusted, all clients have its address. */
export function proxyCheck({ dashboard: { publicUrl }, trustedProxies }: Pick<Settings, 'dashboard' | 'trustedProxies'>): Check {
  if (trustedProxies.length > 0) return ok(NAME, 'TRUST_PROXY names the proxies whose word about addresses is believed');
  if (publicUrl === null || isDirect(publicUrl)) return ok(NAME, 'browsers reach the gateway at this machine, without a proxy');
  return warning(NAME, `PUBLIC_URL is ${publicUrl} and TRUST_PROXY is off. Behind a proxy all clients then have its address: together they share one limit of tries to sign in, and blocked networks and the audit trail see the proxy. Set TRUST_PROXY to the addresses of the proxy, such as 127.0.0.1 for one on this machine.`);
}

function isDirect(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'http:' && isLoopbackName(hostname);
}
