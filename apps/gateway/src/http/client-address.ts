import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { insideNetworks } from './inside-networks.js';

/** Address of the client; empty if unknown. */
type ClientAddress = (req: IncomingMessage) => string;

/** An IPv4 address with a port, or an address in brackets, with or without a port. */
const WITH_PORT = /^(?:([^[\]:]+):\d+|\[([^[\]]+)\](?::\d+)?)$/;
const QUOTES = /^"(.*)"$/;

/** Maximum length of a proxy chain, because each comparison of an address takes microseconds. */
const MAX_PROXIES = 32;

/** The address of an entry, without the ports, brackets and quotes that some proxies write; `null` if invalid. */
function readEntry(entry: string): string | null {
  const text = QUOTES.exec(entry)?.[1] ?? entry;
  const match = WITH_PORT.exec(text);
  const address = match === null ? text : match[1] ?? match[2] ?? '';
  return isIP(address) === 0 ? null : address;
}

function entriesOf(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : '';
  return text.split(',').map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/**
 * The connection's address; behind trusted proxies, the last untrusted entry of `X-Forwarded-For`, or the first entry if all are trusted. Empty beyond
 * 32 proxies, and at an invalid entry, because the entries before it prove nothing. Does not use proxy-addr (2.0.8), which returns entries with a port,
 * and any other text, as addresses.
 */
export function clientAddressOf(trustedProxies: readonly string[]): ClientAddress {
  const ofConnection: ClientAddress = (req) => req.socket.remoteAddress ?? '';
  if (trustedProxies.length === 0) return ofConnection;
  const isTrusted = insideNetworks(trustedProxies);
  return (req) => {
    let address = ofConnection(req);
    const entries = entriesOf(req.headers['x-forwarded-for']).toReversed();
    for (const [position, entry] of entries.entries()) {
      if (!isTrusted(address)) return address;
      const named = readEntry(entry);
      if (named === null || position === MAX_PROXIES) return '';
      address = named;
    }
    return address;
  };
}
