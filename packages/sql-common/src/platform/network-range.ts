import { BlockList, isIP, SocketAddress } from 'node:net';

/** A range of addresses: every address that has these first bits. */
export interface NetworkRange {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const PREFIX_PATTERN = /^\d{1,3}$/;
/** Bits before the IPv4 part of an IPv4-mapped IPv6 address. */
const MAPPED_PREFIX = 96;
const MAPPED_PATTERN = /^::ffff:([0-9.]+)$/i;

function bytesOf({ address, family }: Pick<NetworkRange, 'address' | 'family'>): readonly number[] {
  if (family === 'ipv4') return address.split('.').map(Number);
  const [head = '', tail] = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...quad) => (
    `${((Number(quad[0]) << 8) | Number(quad[1])).toString(16)}:${((Number(quad[2]) << 8) | Number(quad[3])).toString(16)}`)).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
}

function textOf(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16));
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
}

/** Clears the bits that the prefix does not cover, so that one range has one name. */
function canonical({ address, prefix, family }: NetworkRange): NetworkRange {
  const bytes = bytesOf({ address, family }).map((byte, index) => {
    const covered = Math.min(8, Math.max(0, prefix - index * 8));
    return byte & (0xff << (8 - covered)) & 0xff;
  });
  return { address: textOf(bytes), prefix, family };
}

/** An IPv4-mapped address range as the IPv4 range it means. */
function unmapped(range: NetworkRange): NetworkRange {
  if (range.family === 'ipv4' || range.prefix < MAPPED_PREFIX) return range;
  const bytes = bytesOf(range);
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  if (!isMapped) return range;
  return { address: bytes.slice(12).join('.'), prefix: range.prefix - MAPPED_PREFIX, family: 'ipv4' };
}

/** Reads an address or a CIDR range in canonical form; `null` when it is neither. */
export function parseNetworkRange(text: string): NetworkRange | null {
  const [address = '', prefixText, ...rest] = text.trim().split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return null;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const width = version === 4 ? 32 : 128;
  if (prefixText !== undefined && !PREFIX_PATTERN.test(prefixText)) return null;
  const prefix = prefixText === undefined ? width : Number(prefixText);
  return prefix > width ? null : canonical(unmapped({ address, prefix, family }));
}

export function formatNetworkRange({ address, prefix }: NetworkRange): string {
  return `${address}/${prefix}`;
}

/** Tells whether an address is in one of some ranges; IPv4-mapped addresses count as IPv4, and unreadable ones are in every range. */
export function networkMatcher(ranges: readonly NetworkRange[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const { address, prefix, family } of ranges) list.addSubnet(address, prefix, family);
  return (address) => {
    const [bare = ''] = address.split('%');
    const version = isIP(bare);
    if (version === 0) return true;
    const mapped = MAPPED_PATTERN.exec(bare)?.[1];
    return mapped !== undefined && isIP(mapped) === 4 ? list.check(mapped, 'ipv4') : list.check(bare, version === 4 ? 'ipv4' : 'ipv6');
  };
}
