/*
 * Written here because ipaddr.js (2.5.0) reads `::192.0.2.7` as `::ffff:192.0.2.7`, an address of another network, and accepts `::01.2.3.4`.
 */

export interface NetworkAddress {
  readonly width: 32 | 128;
  readonly value: bigint;
}

/** CIDR. IPv4-mapped IPv6 counts as IPv4, so `::/0` includes IPv4. */
export interface Network {
  readonly width: 32 | 128;
  readonly prefix: number;
  readonly start: bigint;
}

const GROUPS = 8;
/** Prefix length of `::ffff:0:0/96`, the IPv4-mapped addresses. */
const MAPPED_PREFIX = 96;
const MAPPED = 0xffffn;
const IPV4_BITS = 32n;
const IPV4_MASK = (1n << IPV4_BITS) - 1n;
const EVERY_IPV4: Network = { width: 32, prefix: 0, start: 0n };
const BYTE = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const IPV4 = new RegExp(String.raw`^${BYTE}(?:\.${BYTE}){3}$`);
const GROUP = /^[\da-f]{1,4}$/i;
const PREFIX = /^\d{1,3}$/;

/** Ignores a zone id; `null` if the text is no address. */
export function parseAddress(text: string): NetworkAddress | null {
  const [bare = ''] = text.split('%', 1);
  const value = bare.includes(':') ? parseIpv6(bare) : parseIpv4(bare);
  if (value === null) return null;
  return bare.includes(':') ? unmapped({ width: 128, value }) : { width: 32, value };
}

/** `null` if the text is neither an address nor a CIDR range. */
export function parseNetwork(text: string): Network | null {
  const [address = '', prefixText = null, ...rest] = text.trim().split('/');
  const value = address.includes(':') ? parseIpv6(address) : parseIpv4(address);
  const width = address.includes(':') ? 128 : 32;
  if (value === null || rest.length > 0 || (prefixText !== null && !PREFIX.test(prefixText))) return null;
  const prefix = prefixText === null ? width : Number(prefixText);
  return prefix > width ? null : networkOf({ width, value }, prefix);
}

export function networkOf({ width, value }: NetworkAddress, prefix: number): Network {
  if (width === 128 && prefix >= MAPPED_PREFIX && isMapped(value)) return networkOf({ width: 32, value: value & IPV4_MASK }, prefix - MAPPED_PREFIX);
  const rest = BigInt(width - prefix);
  return { width, prefix, start: (value >> rest) << rest };
}

export interface CountedNetwork {
  /** Canonical: an IPv4 address, or IPv6 `address/prefix`. */
  readonly name: string;
  /** Factor over the limit of an IPv4 address or an IPv6 /64. */
  readonly times: 1 | 2 | 4;
}

/** Internet customers get a /64, often a /56 or a /48. Each larger network has twice the limit of the smaller one. */
const COUNTED_PREFIXES = [{ prefix: 64, times: 1 }, { prefix: 56, times: 2 }, { prefix: 48, times: 4 }] as const;

/** Smallest first. A text that is not an address is counted unchanged. */
export function countedNetworksOf(text: string): readonly CountedNetwork[] {
  // Fast path for every request: an IPv4 address has one spelling only.
  if (!text.includes(':') && !text.includes('%')) return [{ name: text, times: 1 }];
  const address = parseAddress(text);
  if (address === null || address.width === 32) return [{ name: address === null ? text : formatAddress(address), times: 1 }];
  return COUNTED_PREFIXES.map(({ prefix, times }) => ({ name: formatNetwork(networkOf(address, prefix)), times }));
}

/** Canonical form of the address. */
export function formatAddress({ width, value }: NetworkAddress): string {
  return width === 32 ? formatIpv4(value) : formatIpv6(value);
}

/** Canonical `address/prefix`. */
export function formatNetwork({ width, prefix, start }: Network): string {
  return `${formatAddress({ width, value: start })}/${prefix}`;
}

/** `unreadable`: result for a text that is no address, if there are any networks. */
export function networkMatcher(networks: readonly Network[], unreadable: 'inside' | 'outside'): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const ranges = rangesOf(networks);
  return (text) => {
    const address = parseAddress(text);
    if (address === null) return unreadable === 'inside';
    for (const { width, rest, starts } of ranges) if (width === address.width && starts.has(address.value >> rest)) return true;
    return false;
  };
}

/** Networks of one prefix length, keyed by their leading bits. */
interface Range {
  readonly width: 32 | 128;
  /** Number of host bits. */
  readonly rest: bigint;
  readonly starts: ReadonlySet<bigint>;
}

function rangesOf(networks: readonly Network[]): readonly Range[] {
  const bySize = new Map<string, { readonly width: 32 | 128; readonly rest: bigint; readonly starts: Set<bigint> }>();
  const withMapped = networks.some(includesMapped) ? [...networks, EVERY_IPV4] : networks;
  for (const { width, prefix, start } of withMapped) {
    const name = `${width}/${prefix}`;
    const range = bySize.get(name) ?? { width, rest: BigInt(width - prefix), starts: new Set() };
    bySize.set(name, range);
    range.starts.add(start >> range.rest);
  }
  return [...bySize.values()];
}

/** True for an IPv6 network that contains `::ffff:0:0/96`. */
function includesMapped({ width, prefix, start }: Network): boolean {
  return width === 128 && prefix < MAPPED_PREFIX && start === networkOf({ width, value: MAPPED << IPV4_BITS }, prefix).start;
}

function unmapped(address: NetworkAddress): NetworkAddress {
  return isMapped(address.value) ? { width: 32, value: address.value & IPV4_MASK } : address;
}

function isMapped(value: bigint): boolean {
  return value >> IPV4_BITS === MAPPED;
}

function parseIpv4(text: string): bigint | null {
  return IPV4.test(text) ? BigInt(text.split('.').reduce((value, byte) => value * 256 + Number(byte), 0)) : null;
}

function parseIpv6(text: string): bigint | null {
  const sides = text.split('::').map((side, index, all) => groupsOf(side, index === all.length - 1));
  const [left = null, right = null] = sides;
  if (left === null || sides.length > 2) return null;
  if (sides.length === 1) return left.length === GROUPS ? fromGroups(left) : null;
  if (right === null || left.length + right.length >= GROUPS) return null;
  return fromGroups([...left, ...Array<number>(GROUPS - left.length - right.length).fill(0), ...right]);
}

/** 16-bit groups on one side of `::`; the last two may be written as dotted IPv4. `null` for a malformed text. */
function groupsOf(side: string, isLast: boolean): readonly number[] | null {
  if (side === '') return [];
  const groups: number[] = [];
  const parts = side.split(':');
  for (const [index, part] of parts.entries()) {
    const embedded = isLast && index === parts.length - 1 && part.includes('.') ? parseIpv4(part) : null;
    if (embedded !== null) groups.push(Number(embedded >> 16n), Number(embedded & 0xffffn));
    else if (GROUP.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}

function fromGroups(groups: readonly number[]): bigint {
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

function digitsOf(value: bigint, count: number, bits: number): readonly number[] {
  const digits: number[] = [];
  for (let lower = bits * (count - 1); lower >= 0; lower -= bits) digits.push(Number(BigInt.asUintN(bits, value >> BigInt(lower))));
  return digits;
}

function formatIpv4(value: bigint): string {
  return digitsOf(value, 4, 8).join('.');
}

/** As `inet_ntop`: `::` replaces the first longest run of zero groups, and addresses from 2¹⁶ to below 2³² end in dotted IPv4. */
function formatIpv6(value: bigint): string {
  const groups = digitsOf(value, GROUPS, 16);
  const { at, length } = longestZeros(groups);
  if (at === 0 && length === 6) return `::${formatIpv4(value)}`;
  const [left, right] = [groups.slice(0, at), groups.slice(at + length)].map((part) => part.map((group) => group.toString(16)).join(':'));
  return length < 2 ? groups.map((group) => group.toString(16)).join(':') : `${left}::${right}`;
}

function longestZeros(groups: readonly number[]): { readonly at: number; readonly length: number } {
  let longest = { at: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1;
    else if (index + 1 - start > longest.length) longest = { at: start, length: index + 1 - start };
  }
  return longest;
}
