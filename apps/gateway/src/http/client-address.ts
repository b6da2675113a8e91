import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { insideNetworks } from './peer-network.js';

/** Tells the address of the client that sent a request; empty when it is not known. */
type ClientAddress = (req: IncomingMessage) => string;

/** An IPv4 address with a port, or an address in brackets with or without one. */
const WITH_PORT = /^(?:([^[\]:]+):\d+|\[([^[\]]+)\](?::\d+)?)$/;
const QUOTES = /^"(.*)"$/;

/** No chain of proxies is longer; comparing an address with the trusted networks takes microseconds. */
const MAX_PROXIES = 32;

/** The address in one entry of `X-Forwarded-For`, which some proxies write with a port, in brackets or in quotes; `null` when there is none. */
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
 * The client's address is that of the connection, unless this is a trusted proxy: then it is the last entry of `X-Forwarded-For`
 * that is not a trusted proxy itself. An entry that cannot be read makes the address unknown, since what stands before it proves
 * nothing, and so does a chain of more than 32 proxies. proxy-addr (2.0.8) does not serve here: it returns an entry with a port or
 * with any other text as the client's address, and those texts would then be counted and blocked as addresses.
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
