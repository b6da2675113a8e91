import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { VARIABLES } from '@tollgate/adapters-config';
import { parse } from 'yaml';
import { projectRoot, readDocument, tableRows } from '../docs/documents.js';

interface Service {
  readonly build?: string;
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly read_only?: boolean;
}

const TEXT = readFileSync(join(projectRoot, 'compose.yaml'), 'utf8');
const FILE = parse(TEXT, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly networks: { readonly front: { readonly ipam: { readonly config: readonly [{ readonly subnet: string }] } }; readonly back: { readonly internal: boolean } };
};
const SERVICES = Object.entries(FILE.services);
const GATEWAYS = SERVICES.filter(([, { build }]) => build === '.');
const OF_SEVERAL = GATEWAYS.filter(([, { profiles }]) => profiles?.includes('several'));
const PROXY = FILE.services['proxy'];
const ADDRESSES = PROXY?.networks as Readonly<Record<string, { readonly ipv4_address: string }>> | undefined;

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { readonly version: string };
const caddyfile = readFileSync(join(projectRoot, 'deploy/Caddyfile'), 'utf8').replaceAll(/#.*$/gmu, '');
/** Variables of the file that the PostgreSQL image reads, not the gateway. */
const OF_POSTGRES = ['POSTGRES_DB', 'POSTGRES_PASSWORD', 'POSTGRES_USER'];

test('operations.md lists the services and what starts each', () => {
  const stated = tableRows(readDocument('docs/operations.md'), 'services').map(([name, profile]) => [name, profile]);
  expect(stated).toEqual(SERVICES.map(([name, { profiles = [] }]) => [name, profiles.join(', ')]));
});

describe.each(SERVICES)('the service %s', (_name, service) => {
  test('has a pinned image', () => {
    expect(service.image).toMatch(service.build === undefined ? /^[a-z]+:\d+\.\d+(?:\.\d+)?-[a-z]+$/u : new RegExp(`^tollgate:${version.replaceAll('.', '\\.')}$`, 'u'));
  });

  test('has a health check, and can write only to its volumes', () => {
    // The health check of the gateway is part of its image.
    expect(service.build !== undefined || service.healthcheck !== undefined).toBe(true);
    expect(service.read_only).toBe(true);
    const named = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
    expect(named.filter((source) => (source.startsWith('.') ? !existsSync(join(projectRoot, source)) : !(source in FILE.volumes)))).toEqual([]);
  });

  test('is published on the loopback address only', () => {
    expect((service.ports ?? []).filter((port) => !/^127\.0\.0\.1:\d+:8080$/u.test(port))).toEqual([]);
  });

  test('sets only variables that the program reads', () => {
    const known = service.build === undefined ? OF_POSTGRES : Object.keys(VARIABLES);
    expect(Object.keys(service.environment ?? {}).filter((name) => !known.includes(name))).toEqual([]);
  });
});

test('compose.yaml contains no secret: the password comes from .env', () => {
  expect([...new Set([...TEXT.matchAll(/\$\{(\w+)/gu)].map(([, name]) => name))]).toEqual(['POSTGRES_PASSWORD']);
  const values = SERVICES.flatMap(([, { environment = {} }]) => Object.entries(environment));
  const secrets = values.filter(([name, value]) => /PASSWORD|SECRET|KEY/u.test(name) || /:\/\/[^/]*@/u.test(String(value))).map(([, value]) => String(value));
  expect(secrets.filter((value) => !value.includes('${POSTGRES_PASSWORD:-}'))).toEqual([]);
  expect(secrets).toHaveLength(OF_SEVERAL.length + 1);
});

test('no two gateways share a volume', () => {
  const volumes = GATEWAYS.flatMap(([, service]) => service.volumes ?? []);
  expect(volumes).toHaveLength(3);
  expect(new Set(volumes).size).toBe(3);
});

describe('in the profile “several”,', () => {
  test.each(OF_SEVERAL)('%s waits for PostgreSQL and Redis, and uses them', (_name, { environment, depends_on }) => {
    expect(depends_on).toEqual({ postgres: { condition: 'service_healthy' }, redis: { condition: 'service_healthy' } });
    expect(new URL(String(environment?.['DATABASE_URL'])).hostname).toBe('postgres');
    expect(new URL(String(environment?.['REDIS_URL'])).hostname).toBe('redis');
  });

  test.each(OF_SEVERAL)('%s trusts only the proxy’s address', (_name, { environment }) => {
    const address = ADDRESSES?.['front']?.ipv4_address ?? '';
    expect(environment?.['TRUST_PROXY']).toBe(address);
    const [{ subnet }] = FILE.networks.front.ipam.config;
    expect(`${address.slice(0, address.lastIndexOf('.'))}.0/24`).toBe(subnet);
  });

  test('the proxy starts after every gateway, and forwards to each of them', () => {
    const names = OF_SEVERAL.map(([name]) => name);
    expect(names).toHaveLength(2);
    expect(PROXY?.depends_on).toEqual(names);
    const upstreams = /reverse_proxy (?<upstreams>[^{]*)\{/u.exec(caddyfile)?.groups?.['upstreams']?.trim().split(' ');
    expect(upstreams).toEqual(OF_SEVERAL.map(([name, { environment }]) => `${name}:${environment?.['PORT']}`));
  });

  test('PostgreSQL and Redis are in a network without outside access', () => {
    expect([FILE.services['postgres']?.networks, FILE.services['redis']?.networks]).toEqual([['back'], ['back']]);
    expect(FILE.networks.back.internal).toBe(true);
  });
});

describe('the proxy', () => {
  test('neither buffers nor compresses streams, and forwards disconnects', () => {
    expect(caddyfile).not.toMatch(/flush_interval|buffer|encode/u);
  });

  test('replaces the addresses that clients state', () => {
    expect(caddyfile).not.toMatch(/trusted_proxies|X-Forwarded-For/iu);
  });

  test('checks the readiness of each gateway, and closes idle connections before the gateways do', () => {
    expect(caddyfile).toMatch(/health_uri \/readyz\n/u);
    const source = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8');
    const idle = Number(/connection may be idle for (\d+) seconds/u.exec(source)?.[1]);
    expect(Number(/keepalive (\d+)s/u.exec(caddyfile)?.[1])).toBeLessThan(idle);
  });
});
