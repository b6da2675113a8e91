import { numberOf } from '../../../format/number';

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const PREFIX = /^\d{1,3}$/;
const PREFIXES = { v4: 32, v6: 128 } as const;

/** True for an IPv4 or IPv6 address, or a CIDR range of one. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const kind = address.includes(':') ? 'v6' : 'v4';
  if (rest.length > 0 || (prefix !== undefined && !(PREFIX.test(prefix) && numberOf(prefix) <= PREFIXES[kind]))) return false;
  return kind === 'v6' ? URL.canParse(`http://[${address}]/`) : IPV4.test(address);
}
