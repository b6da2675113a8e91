import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Rejects for an unknown name. */
export type ResolveName = (name: string) => Promise<readonly ResolvedAddress[]>;

const DNS_TIMEOUT_MILLISECONDS = 2_000;
const DNS_TRIES = 2;

/** Asks the configured name servers, not `getaddrinfo`, which would occupy a thread for as long as a hostile name server is silent. */
export function resolveByNameServers(): ResolveName {
  return async (name) => {
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MILLISECONDS, tries: DNS_TRIES });
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    const addresses = (result: PromiseSettledResult<readonly string[]>, family: 4 | 6): readonly ResolvedAddress[] =>
      (result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []);
    return [...addresses(four, 4), ...addresses(six, 6)];
  };
}

/** A name that resolves to an address outside the permitted ones. */
class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('a resolved address is not permitted');
    this.name = 'AddressRefused';
  }
}

/**
 * Resolves a name for a connection, which is then made to one of the checked addresses. All of them must be permitted; the name is not resolved
 * again.
 */
export function checkedLookup(resolve: ResolveName, permits: (address: string) => boolean): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then((addresses) => {
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => permits(address))) callback(new AddressRefused(), '');
      else if (options.all === true) callback(null, addresses.map((found) => ({ ...found })));
      else callback(null, first.address, first.family);
    }, (cause: unknown) => callback(cause as Error, ''));
  };
}
