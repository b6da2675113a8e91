import { SocketAddress, isIP } from 'node:net';

/** All addresses with the same first bits. IPv4-mapped IPv6 addresses are IPv4. */
export interface Network {
  readonly width: 32 | 128;
  readonly prefix: number;
  /** The first address, as a number. */
  readonly start: bigint;
}

const MAPPED = 0xffffn;
const IPV4_BITS = 32n;

/** Reads an address or a CIDR range; `null` when it is neither. */
export function parseNetwork(text: string): Network | null {
  const [address = '', prefixText = null, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return null;
  const width = version === 4 ? 32 : 128;
  if (prefixText !== null && !/^\d{1,3}$/.test(prefixText)) return null;
  const prefix = prefixText === null ? width : Number(prefixText);
  return prefix > width ? null : networkOf(numberOf(address), width, prefix);
}

/** The network as `address/prefix`, the same for every way of writing it. */
export function formatNetwork({ width, prefix, start }: Network): string {
  const groups = Array.from({ length: width / 16 }, (_, index) => Number((start >> BigInt(width - 16 * (index + 1))) & 0xffffn));
  if (width === 32) return `${groups.flatMap((group) => [group >> 8, group & 0xff]).join('.')}/${prefix}`;
  return `${new SocketAddress({ address: groups.map((group) => group.toString(16)).join(':'), family: 'ipv6' }).address}/${prefix}`;
}

/** Whether an address, with or without a zone, is in a network; one that cannot be read counts as inside. */
export function contains({ width, prefix, start }: Network, address: string): boolean {
  const single = parseNetwork(address.split('%')[0] ?? '');
  if (single === null) return true;
  if (single.width !== width) return false;
  const rest = BigInt(width - prefix);
  return single.start >> rest === start >> rest;
}

function networkOf(...[value, width, prefix]: [value: bigint, width: 32 | 128, prefix: number]): Network {
  const isMapped = width === 128 && prefix >= 96 && value >> IPV4_BITS === MAPPED;
  if (isMapped) return networkOf(value & ((1n << IPV4_BITS) - 1n), 32, prefix - 96);
  const rest = BigInt(width - prefix);
  return { width, prefix, start: (value >> rest) << rest };
}

/** The number of a valid address. */
function numberOf(address: string): bigint {
  if (isIP(address) === 4) return fromDigits(address.split('.').map(Number), 8);
  const tail = /[\d.]+\.\d+$/.exec(address)?.[0];
  const embedded = tail === undefined ? 0n : numberOf(tail);
  const hexadecimal = tail === undefined ? address : `${address.slice(0, -tail.length)}0:0`;
  const [left = [], right = []] = hexadecimal.split('::').map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return fromDigits([...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16)), 16) | embedded;
}

function fromDigits(digits: readonly number[], bits: number): bigint {
  return digits.reduce((value, digit) => (value << BigInt(bits)) | BigInt(digit), 0n);
}
