import { isPublicAddress, type Network, networkMatcher, parseAddress, parseNetwork, type WebhookOwner } from '@tollgate/core';
import type { WebhookTargets, WebhookUrlProblem } from '@tollgate/identity';

const LAST_LABEL = /\.?([^.]*)\.?$/;
/** Last labels of names that are resolved only on the machine or in its network. */
const LOCAL_LABELS: ReadonlySet<string> = new Set(['localhost', 'local', 'internal', 'localdomain', 'home', 'lan', 'arpa']);

/** The host, without the brackets that a URL puts around an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Owners' webhooks must use https, and be at public addresses or in networks that the operators permit. Operators' webhooks may use http and be
 * anywhere.
 */
export class UrlWebhookTargets implements WebhookTargets {
  readonly #isPermitted: (address: string) => boolean;
  readonly #hasPermitted: boolean;

  /** `permitted`: networks of the setting `WEBHOOK_NETWORKS`. */
  constructor(permitted: readonly string[]) {
    this.#hasPermitted = permitted.length > 0;
    this.#isPermitted = networkMatcher(permitted.map(parseNetwork).filter((network): network is Network => network !== null), 'outside');
  }

  problemOf(text: string, owner: WebhookOwner): WebhookUrlProblem | null {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'must be an https:// address';
    if (url.username !== '' || url.password !== '') return 'must have no user name and no password';
    if (url.hash !== '') return 'must have no part after #';
    if (owner === null) return null;
    if (url.protocol !== 'https:') return 'must be an https:// address';
    return this.isReachable(hostOf(url)) ? null : 'must be a public address on the internet';
  }

  /** True if owners' webhooks may be delivered to this address. */
  permits(address: string): boolean {
    return isPublicAddress(address) || this.#isPermitted(address);
  }

  /**
   * Accepts names, whose addresses are checked at every delivery. Local names are accepted only if a network is permitted, since they may be in it.
   */
  private isReachable(host: string): boolean {
    if (parseAddress(host) !== null) return this.permits(host);
    return this.#hasPermitted || (host.includes('.') && !LOCAL_LABELS.has(LAST_LABEL.exec(host)?.[1] ?? ''));
  }
}
