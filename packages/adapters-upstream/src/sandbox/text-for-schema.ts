import type { JsonObject } from '@tollgate/core';
import { asNumber, asText } from '../reply/json-values.js';

const URL_TEXT = 'https://example.com/simulated';
const BASE64 = 'c2ltdWxhdGVk';
const [NETWORK, NETWORK_OF_IPV6] = ['192.0.2.0/24', '2001:db8::/32'];
const uuidOf = (version: number): string => `00000000-0000-${version}000-8000-000000000000`;

/** Texts that fit the formats of JSON Schema, zod and pydantic. */
const TEXT_BY_FORMAT: Readonly<Record<string, string>> = {
  'date': '2030-01-31',
  'date-time': '2030-01-31T12:00:00Z',
  'time': '12:00:00Z',
  'duration': 'P1D',
  'email': 'simulated@example.com',
  'idn-email': 'simulated@example.com',
  'name-email': 'Simulated <simulated@example.com>',
  'hostname': 'example.com',
  'idn-hostname': 'example.com',
  'ipv4': '192.0.2.1',
  'ipv6': '2001:db8::1',
  'ipvanyaddress': '192.0.2.1',
  'cidrv4': NETWORK,
  'cidrv6': NETWORK_OF_IPV6,
  'ipv4network': NETWORK,
  'ipv6network': NETWORK_OF_IPV6,
  'ipvanynetwork': NETWORK,
  'mac': '02:00:00:00:00:01',
  'uri': URL_TEXT,
  'uri-reference': URL_TEXT,
  'iri': URL_TEXT,
  'iri-reference': URL_TEXT,
  'json-pointer': '/simulated',
  'relative-json-pointer': '0',
  'json-string': '{}',
  'uuid': uuidOf(4),
  'guid': uuidOf(4),
  ...Object.fromEntries([1, 3, 4, 5, 6, 7, 8].map((version) => [`uuid${version}`, uuidOf(version)])),
  'base64': BASE64,
  'base64url': BASE64,
  'byte': BASE64,
  'hex': '00',
  'color': '#808080',
  'decimal': '1',
  'e164': '+12025550123',
  'emoji': '🙂',
  'jwt': 'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.e30.c2ln',
  'nanoid': 'simulated-simulated-1',
  'cuid': 'csimulated',
  'ulid': '0'.repeat(26),
  'xid': '0'.repeat(20),
  'ksuid': '0'.repeat(27),
};

const MAX_TEXT = 1_000;

/** A text that fits the format and length of a schema. */
export function textFor(schema: JsonObject): string {
  const format = asText(schema['format']) ?? '';
  const text = (Object.hasOwn(TEXT_BY_FORMAT, format) ? TEXT_BY_FORMAT[format] : undefined) ?? 'simulated';
  const most = asNumber(schema['maxLength']);
  const padded = text.padEnd(Math.min(MAX_TEXT, asNumber(schema['minLength']) ?? 0), '.');
  return most === null || padded.length <= most ? padded : Array.from(padded).slice(0, Math.max(0, most)).join('');
}
