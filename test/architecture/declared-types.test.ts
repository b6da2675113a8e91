import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { declarationsOf, type Manifest, packagesNamed, packagesWithoutTypes, readManifest } from './declared-types.js';

const projectRoot = join(import.meta.dirname, '../..');
const BUILD_MILLISECONDS = 120_000;

interface Published {
  readonly manifest: Manifest;
  readonly named: readonly string[];
  readonly modules: readonly string[];
}

let published: readonly Published[];

beforeAll(async () => {
  if (process.env['TOLLGATE_BUILT'] === undefined) {
    await promisify(execFile)(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc'), '-b', projectRoot], { cwd: projectRoot, env: {} });
  }
  published = globSync('{packages,apps}/*/package.json', { cwd: projectRoot }).map((path) => join(projectRoot, dirname(path))).flatMap((folder) => {
    const manifest = readManifest(folder);
    if (manifest.private === true) return [];
    const declarations = declarationsOf(folder, manifest);
    if (declarations.length === 0) throw new Error(`${manifest.name} has no declarations`);
    const named = new Set(declarations.flatMap(packagesNamed));
    return [{ manifest, named: [...named], modules: [join(folder, 'node_modules'), join(projectRoot, 'node_modules')] }];
  });
}, BUILD_MILLISECONDS);

describe('a published package', () => {
  it('depends on the types of every package that its declarations name, so that programs using it compile under `strict`', () => {
    expect(published.length).toBeGreaterThan(20);
    expect(published.flatMap(({ manifest, named, modules }) => packagesWithoutTypes(manifest, named, modules).map((name) => `${manifest.name}: ${name}`))).toEqual([]);
  });

  it('is reported if it does not depend on the types of a package that its declarations name', () => {
    const losses = published.flatMap(({ manifest, named, modules }) => named.filter((name) => `@types/${name}` in (manifest.dependencies ?? {})).map((name) => {
      const { [`@types/${name}`]: _lost, ...dependencies } = manifest.dependencies ?? {};
      return { name, reported: packagesWithoutTypes({ ...manifest, dependencies }, named, modules) };
    }));
    expect(losses.length).toBeGreaterThan(2);
    for (const { name, reported } of losses) expect(reported).toContain(name);
  });
});

it.each([
  ["import type { Client } from 'pg';", ['pg']],
  ["import type {\n  Client,\n} from 'pg';\nexport * from \"zod/v4/core\";", ['pg', 'zod']],
  ["export type { A } from '@scope/name/deep';", ['@scope/name']],
  ["import 'pg';", ['pg']],
  ['export declare const a: import("pg").Client;', ['pg']],
  ['/// <reference types="react" />', ['react']],
  ["import { a } from './a.js';\nimport { b } from '#b';\nimport type { Server } from 'node:http';\nimport { c } from 'util';\n/// <reference types=\"node\" />", []],
  ["/** As in import x from 'pg'. */\nexport declare const from: 'pg';", []],
])('the declarations %j name the packages %j', (declarations, packages) => {
  expect(packagesNamed(declarations)).toEqual(packages);
});
